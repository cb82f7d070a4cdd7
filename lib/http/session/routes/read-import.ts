import { type Issue, invalidRequest } from "@/lib/protocol/errors";
import type { PackedArchive, PackedList, ReadArchive } from "@/lib/services/archive/packed-archive";
import { type ReadBody, readApart } from "./reader-process";
import { withoutEvents } from "./without-events";

export const importBytesMax = 50 * 1024 * 1024;
export const tooLarge = "Must not be larger than 50 MB, besides its activity log.";

export interface ImportForm<Archive = ReadArchive> {
  archive: Archive;
  profile: string | null;
  /** Typed beside the file, to confirm the session. */
  password: string | null;
  switchPoliciesOn: boolean;
}

interface Refused {
  issues: Issue[];
}

export type ImportRead<Archive = ReadArchive> = ImportForm<Archive> | Refused;

/** The first line of a reader; the slices of the archive follow, each of the list named here. */
export type ReadHead = ImportRead<
  Refused | (Omit<PackedArchive, "slices"> & { lists: PackedList[] })
>;

/** Throws refusals of the form; faults of the archive are returned, for its profile's log. */
async function readArchive(body: ReadBody): Promise<ImportForm> {
  const read = outcomeOf(await readApart("lib/http/session/routes/import-reader.ts", body));
  if ("issues" in read) throw invalidRequest(read.issues);
  return read;
}

function outcomeOf([head = Buffer.from("null"), ...slices]: Buffer[]): ImportRead {
  const outcome: ReadHead = JSON.parse(head.toString());
  if (!("archive" in outcome)) return outcome;
  if ("issues" in outcome.archive) return { ...outcome, archive: outcome.archive };
  const { lists, ...archive } = outcome.archive;
  const packed = lists.map((list, at) => ({ list, rows: slices[at] ?? Buffer.from("[]") }));
  return { ...outcome, archive: { ...archive, slices: packed } };
}

/** Archives of this product. */
export const archives = { filter: withoutEvents, read: readArchive };
