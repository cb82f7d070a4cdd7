import type { Pool } from "@/lib/engine/db";
import { cachedAtRevision } from "@/lib/engine/load/revision-cache";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { batched, jsonOf } from "@/lib/engine/query-batcher";
import { answerBounds } from "@/lib/protocol/answers/answer-meta";
import type { Memory } from "@/lib/protocol/answers/profile";
import { notFound } from "@/lib/protocol/errors";
import { type Category, covers, overlaps, type Scope } from "@/lib/protocol/scope";
import type { DecideCategory } from "@/lib/rules/decide";
import type { NamedValue, ProfileContent } from "@/lib/rules/reveal";
import type { Ctx } from "./context";
import { type MemoryLists, memoriesIn, memoryLists } from "./memories/served/memory-lists";

// The condition of a live memory: neither archived nor deleted.
export const live = Prisma.sql`"archivedAt" IS NULL AND "deletedAt" IS NULL`;

/** Which of a profile's categories an answer is made of. */
export interface Readable {
  records: Category[];
  values: Category[];
  /** The values in them that a rule denies by name, as the categories that govern them. */
  denied: Category[];
}

interface Choosing {
  categories: readonly Category[];
  decideCategory: DecideCategory;
  /** Only what these scopes cover; null for everything. */
  within: readonly Scope[] | null;
}

/** Returns the categories that the caller may read: no other contents leave the database. */
export function readableIn({ categories, decideCategory, within }: Choosing): Readable {
  const open = categories.filter((category) => decideCategory(category).outcome === "granted");
  const denied = open.flatMap((category) => deniedBelow(category, decideCategory));
  if (within === null) return { records: open, values: open, denied };
  return {
    records: open.filter((category) => within.some((scope) => covers(scope, category))),
    // A scope may name a single value.
    values: open.filter((category) => within.some((scope) => overlaps(scope, category))),
    denied,
  };
}

function deniedBelow(category: Category, decideCategory: DecideCategory): Category[] {
  return [...(decideCategory.namedIn(category) ?? [])]
    .map((name) => `${category}.${name}`)
    .filter((one) => decideCategory(one).reason.rule === "deny");
}

export interface ContentInput {
  profileId: number;
  common: Record<string, unknown>;
  readable: Readable;
}

export interface Content {
  content: ProfileContent<Memory>;
  /** Categories that hold more than what was loaded. */
  truncated: Category[];
}

/** Named values and the newest records of these categories within the bounds of an answer. Protocol 6. */
export async function loadContent(
  pool: Pool,
  { profileId, common, readable }: ContentInput,
): Promise<Content> {
  const { namedValues, memories, truncated } = await readContent(pool, { profileId, ...readable });
  return { content: { common, namedValues, memories }, truncated };
}

/** Loads contents for an agent's request, at the revision of its decision or later. */
export async function knownContent(
  ctx: Ctx,
  { profile: { id: profileId, common, revision }, readable }: KnownInput,
): Promise<Content> {
  const { namedValues, memories, truncated } = await cachedAtRevision(ctx.cache, {
    what: ["content", profileId, readable],
    revision: ctx.revisions && revision,
    read: () => readContent(ctx.pool, { profileId, ...readable }),
    revisionOf: ({ revision }) => revision,
    bytesOf: bytesOfContent,
  });
  return { content: { common, namedValues, memories }, truncated };
}

interface KnownInput {
  profile: { id: number; common: Record<string, unknown>; revision: string };
  readable: Readable;
}

interface StoredContent {
  revision: string;
  namedValues: NamedValue[];
  memories: Memory[];
  truncated: Category[];
}

async function readContent(
  pool: Pool,
  input: Readable & { profileId: number },
): Promise<StoredContent> {
  const row = await contents(pool, input);
  if (row === undefined) throw notFound("profile");
  return { ...row, memories: memoriesIn(row.memories) };
}

/** About what they take in memory. */
export function bytesOfContent({
  namedValues,
  memories,
}: {
  namedValues: NamedValue[] | null;
  memories: Memory[];
}): number {
  const texts = memories.reduce((sum, { content }) => sum + 2 * content.length + 300, 0);
  return texts + 2 * JSON.stringify(namedValues).length;
}

const { bytesMax, profileRecordsMax, recordsPerCategoryMax, truncatedMax } = answerBounds;
// The rest is for records: a page of a list always has room for one. Values take the longest to cut and to write.
const valueBytesMax = bytesMax / 4;

/**
 * One row: `values` as a JSON list, their `bytes`, and the categories that were `cut` off. Leaves out what is
 * `denied`, whose size must not affect how much else fits. For statements with a row `asked`.
 */
export const namedValuesIn = Prisma.sql`
  (SELECT coalesce(json_agg(json_build_object('category', category, 'name', name, 'value', value)
       ORDER BY category, name) FILTER (WHERE "upTo" <= ${valueBytesMax}), '[]') AS values,
     coalesce(max("upTo") FILTER (WHERE "upTo" <= ${valueBytesMax}), 0) AS bytes,
     coalesce(array_agg(category) FILTER (WHERE "upTo" > ${valueBytesMax}), '{}') AS cut
   FROM (SELECT category, name, value,
           sum(octet_length(value::text)) OVER (ORDER BY category, name) AS "upTo"
         FROM "NamedValue"
         WHERE "profileId" = asked."profileId" AND category = ANY (asked.values)
           AND lower(category || '.' || name) <> ALL (asked.denied)) n)`;

interface Bounded {
  rows: Prisma.Sql;
  order: Prisma.Sql;
  /** The text whose size counts. The first row always fits. */
  text?: Prisma.Sql;
  bytes?: Prisma.Sql;
}

/** The first of these rows, up to the bound of what their texts as JSON add up to. */
export const withinBytes = ({
  rows,
  order,
  text = Prisma.sql`content`,
  bytes = Prisma.sql`${bytesMax}`,
}: Bounded) => Prisma.sql`
  (SELECT * FROM (
     SELECT r.*, sum(octet_length(to_json(${text})::text)) OVER (ORDER BY ${order}) AS "jsonBytes"
     -- What is too long as it is need not be written as JSON.
     FROM (SELECT r.*, sum(octet_length(${text})) OVER (ORDER BY ${order}) AS "rawBytes"
           FROM (${rows}) r) r
     WHERE "rawBytes" <= ${bytes}) r
   WHERE "jsonBytes" <= ${bytes})`;

export const newestFirst = Prisma.sql`"createdAt" DESC, id DESC`;

const contents = batched<
  Readable & { profileId: number },
  Omit<StoredContent, "memories"> & { memories: MemoryLists }
>({
  name: "contents",
  batchMax: 8,
  quickBatchMax: 32,
  keyOf: ({ profileId }) => profileId,
  sql: (input) => Prisma.sql`
    SELECT asked.place, p.revision::text AS revision, v.values AS "namedValues", r.memories, r.truncated
    FROM json_to_recordset(${jsonOf(input)}::json) AS asked (place int, "profileId" int, records text[], values text[], denied text[])
    CROSS JOIN LATERAL (SELECT revision FROM "Profile" WHERE id = asked."profileId" LIMIT 1) p
    CROSS JOIN LATERAL ${namedValuesIn} v
    CROSS JOIN LATERAL (
      WITH newest AS MATERIALIZED (
        SELECT m.* FROM unnest(asked.records) AS c (category) CROSS JOIN LATERAL (
          SELECT id, category, "createdAt", row_number() OVER (ORDER BY ${newestFirst}) AS nth
          FROM "Memory" WHERE "profileId" = asked."profileId" AND category = c.category AND ${live}
          ORDER BY ${newestFirst} LIMIT ${recordsPerCategoryMax + 1}) m
      ), kept AS MATERIALIZED ${withinBytes({
        rows: Prisma.sql`SELECT m.* FROM (SELECT id FROM newest WHERE nth <= ${recordsPerCategoryMax}
           ORDER BY ${newestFirst} LIMIT ${profileRecordsMax}) n
           CROSS JOIN LATERAL (SELECT * FROM "Memory" WHERE id = n.id LIMIT 1) m`,
        order: newestFirst,
        bytes: Prisma.sql`${bytesMax} - v.bytes`,
      })}
      SELECT (SELECT ${memoryLists(Prisma.sql`m.category, m."createdAt" DESC, m.id DESC`)} FROM kept m) AS memories,
        ARRAY(SELECT category FROM newest WHERE id NOT IN (SELECT id FROM kept)
              UNION SELECT unnest(v.cut) ORDER BY 1 LIMIT ${truncatedMax}) AS truncated) r`,
});
