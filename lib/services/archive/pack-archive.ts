import { z } from "zod";
import {
  type ArchiveList,
  archiveLists,
  ProfileArchive,
} from "@/lib/protocol/archive/profile-archive";
import { type Issue, issuesIn } from "@/lib/protocol/errors";
import { faultsOfArchive } from "@/lib/rules/archive";
import type { PackedArchive, PackedList, PackedRows, ReadArchive } from "./packed-archive";

/** Checks a whole archive and packs it. Takes seconds for a large one, so it is for another process. */
export function packArchive(value: unknown): ReadArchive {
  const parsed = parseArchive(value);
  if ("issues" in parsed) return parsed;
  const issues = faultsOfArchive(parsed.archive);
  return issues.length > 0 ? { issues } : pack(parsed.archive);
}

type Parsed = { archive: ProfileArchive } | { issues: Issue[] };

// The lengths of the lists come first, and the first slice with an issue is the last that is looked at: of
// 50,000 empty objects the schema would make half a million issues.
function parseArchive(value: unknown): Parsed {
  const outline = Outline.safeParse(value);
  if (!outline.success) return { issues: issuesIn("file", outline.error) };
  const archive: Record<string, unknown> = { ...outline.data };
  for (const list of archiveLists) {
    const items = outline.data[list];
    const parsed: unknown[] = [];
    for (let from = 0; from < items.length; from += sliceRowsMax) {
      const slice = z
        .array(ProfileArchive.shape[list].element)
        .safeParse(items.slice(from, from + sliceRowsMax));
      if (!slice.success) return { issues: issuesAfter(from, list, slice.error) };
      parsed.push(...slice.data);
    }
    const merged = z.array(z.unknown()).check(...checksOf(list));
    archive[list] = merged.parse(parsed);
  }
  // Each member was parsed by the part of the schema that is its own.
  return { archive: archive as ProfileArchive };
}

function issuesAfter(from: number, list: string, error: z.ZodError): Issue[] {
  return error.issues.map(({ path: [at, ...within], message }) => ({
    path: ["file", list, from + Number(at), ...within].join("."),
    message,
  }));
}

// The other checks merge items, which have to be parsed before.
const bounded = archiveLists.map((list) => {
  const bounds = checksOf(list).filter(({ _zod }) => _zod.def.check === "max_length");
  return [list, z.array(z.unknown()).check(...bounds)];
});
const Outline = ProfileArchive.extend(
  Object.fromEntries(bounded) as Record<ArchiveList, z.ZodArray<z.ZodUnknown>>,
);

function checksOf(list: ArchiveList) {
  return (ProfileArchive.shape[list].def.checks ?? []) as z.core.$ZodCheck<unknown[]>[];
}

function pack(archive: ProfileArchive): PackedArchive {
  const { profile, namedValues, policies, consentRequests, receipts } = archive;
  const proposals = new Set(archive.proposals.map(({ id }) => id));
  const requests = new Set(consentRequests.map(({ id }) => id));
  const within = (ids: Set<string>, id: string | null) => (id !== null && ids.has(id) ? id : null);
  const rows: { [List in PackedList]: PackedRows[List][] } = {
    namedValues,
    proposals: archive.proposals.map(({ inquiry: _, ...proposal }) => proposal),
    memories: archive.memories.map(({ revisions: _, ...memory }) => ({
      ...memory,
      proposalId: within(proposals, memory.proposalId),
    })),
    revisions: archive.memories.flatMap(({ id: memoryId, revisions }) =>
      revisions.map((revision) => ({ ...revision, memoryId })),
    ),
    consentRequests: consentRequests.map(({ inquiry: _, ...request }) => request),
    inquiries: [...archive.proposals, ...consentRequests].flatMap(
      ({ id: subjectId, agentDid, inquiry }) =>
        inquiry === null ? [] : [{ ...inquiry, subjectId, agentDid }],
    ),
    policies: policies.map((policy) => ({
      ...policy,
      consentRequestId: within(requests, policy.consentRequestId),
    })),
    receipts,
  };
  const { did, common } = profile;
  const lists = Object.entries(rows) as [PackedList, object[]][];
  return {
    profile: { did, common },
    counts: Object.fromEntries(lists.map(([list, all]) => [list, all.length])) as Counts,
    slices: lists.flatMap(([list, all]) =>
      [...slicesOf(all)].map((text) => ({ list, rows: text })),
    ),
  };
}

type Counts = PackedArchive["counts"];

// Rows per statement: a tenth of a second for random texts, and a millisecond or two for the main thread.
const sliceRowsMax = 250;
const sliceCharactersMax = 32 * 1024;

function* slicesOf(rows: object[]): Generator<Uint8Array> {
  let texts: string[] = [];
  let length = 0;
  const encoded = () => new TextEncoder().encode(`[${texts.join(",")}]`);
  for (const row of rows) {
    const text = JSON.stringify(row);
    const isFull = texts.length === sliceRowsMax || length + text.length > sliceCharactersMax;
    if (isFull && texts.length > 0) {
      yield encoded();
      texts = [];
      length = 0;
    }
    texts.push(text);
    length += text.length;
  }
  if (texts.length > 0) yield encoded();
}
