import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Memory } from "@/lib/protocol/answers/profile";
import type { Category } from "@/lib/protocol/scope";

/** Records `m` in their order, a list for each member: an object for each record takes twice as long. */
export const memoryLists = (order: Prisma.Sql) => Prisma.sql`json_build_array(
  coalesce(json_agg(m.id ORDER BY ${order}), '[]'),
  coalesce(json_agg(m.content ORDER BY ${order}), '[]'),
  coalesce(json_agg(m.confidence ORDER BY ${order}), '[]'),
  coalesce(json_agg(m.category ORDER BY ${order}), '[]'),
  coalesce(json_agg(m."createdAt" ORDER BY ${order}), '[]'),
  coalesce(json_agg(m.source ORDER BY ${order}), '[]'),
  coalesce(json_agg(m."approvedBy" ORDER BY ${order}), '[]'),
  coalesce(json_agg(m.flags ORDER BY ${order}), '[]'),
  coalesce(json_agg(${supersededBy} ORDER BY ${order}), '[]'))`;

// Of the same category only: a reader of this record may read that one, too.
const supersededBy = Prisma.sql`
  (SELECT json_build_array(o.id, o."createdAt", o."archivedAt") FROM "Memory" o
   WHERE o."replacedById" = m.id AND o.category = m.category AND o."archivedAt" IS NOT NULL
     AND o."deletedAt" IS NULL
   ORDER BY o."archivedAt" DESC LIMIT 1)`;

export type MemoryLists = [
  ids: string[],
  contents: string[],
  confidences: number[],
  categories: Category[],
  instants: string[],
  sources: Memory["source"][],
  approvers: Memory["approvedBy"][],
  flags: Memory["flags"][],
  superseded: ([id: string, from: string, to: string] | null)[],
];

/** As the protocol shows them. */
export function memoriesIn(lists: MemoryLists): Memory[] {
  const [ids, contents, confidences, categories, instants, sources, approvers, flags, old] = lists;
  return ids.map((id, place) => {
    // A memory begins with its approval.
    const createdAt = instantOf(instants[place] as string);
    return {
      id,
      content: contents[place] as string,
      confidence: confidences[place] as number,
      category: categories[place] as Category,
      createdAt,
      source: sources[place] as Memory["source"],
      approvedBy: approvers[place] as Memory["approvedBy"],
      approvedAt: createdAt,
      flags: flags[place] as Memory["flags"],
      supersedes: supersededIn(old[place] ?? null),
    };
  });
}

function supersededIn(row: MemoryLists[8][number]): Memory["supersedes"] {
  if (row === null) return null;
  const [memoryId, from, to] = row;
  return { memoryId, validFrom: instantOf(from), validTo: instantOf(to) };
}

// As PostgreSQL writes it in UTC, and in JSON without the zeros at the end.
const writtenInUtc = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,3}))?\+00:00$/;

/** As the protocol writes it. A date made of it, and a text of that again, takes five times as long. */
function instantOf(written: string): string {
  const [, second, fraction = ""] = writtenInUtc.exec(written) ?? [];
  if (second === undefined) return new Date(written).toISOString();
  return `${second}.${fraction.padEnd(3, "0")}Z`;
}
