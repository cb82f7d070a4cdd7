import type { z } from "zod";
import type {
  ArchivedConsentRequest,
  ArchivedInquiry,
  ArchivedMemory,
  ArchivedPolicy,
  ArchivedProposal,
  ArchivedReceipt,
  ArchivedRevision,
  ArchivedValue,
  ProfileArchive,
} from "@/lib/protocol/archive/profile-archive";
import type { Issue } from "@/lib/protocol/errors";

/** The rows of a packed archive. What a row names beside it is in the archive too. */
export interface PackedRows {
  namedValues: z.output<typeof ArchivedValue>;
  proposals: Omit<z.output<typeof ArchivedProposal>, "inquiry">;
  memories: Omit<z.output<typeof ArchivedMemory>, "revisions">;
  revisions: z.output<typeof ArchivedRevision> & { memoryId: string };
  consentRequests: Omit<z.output<typeof ArchivedConsentRequest>, "inquiry">;
  inquiries: ArchivedInquiry & { subjectId: string; agentDid: string };
  policies: z.output<typeof ArchivedPolicy>;
  receipts: z.output<typeof ArchivedReceipt>;
}
export type PackedList = keyof PackedRows;

/**
 * An archive in which nothing is wrong, in slices of JSON: they are read one at a time, so that no other request
 * waits for 50,000 memories.
 */
export interface PackedArchive {
  profile: Pick<ProfileArchive["profile"], "did" | "common">;
  counts: Record<PackedList, number>;
  slices: Slice[];
}

export interface Slice {
  list: PackedList;
  /** A list of rows, as JSON. */
  rows: Uint8Array;
}

export type ReadArchive = PackedArchive | { issues: Issue[] };

/** The rows of one list, a slice at a time. */
export function* rowsOf<List extends PackedList>(
  { slices }: PackedArchive,
  list: List,
): Generator<PackedRows[List][]> {
  for (const slice of slices) {
    if (slice.list === list) yield JSON.parse(new TextDecoder().decode(slice.rows));
  }
}
