import { cachedAtRevision } from "@/lib/engine/load/revision-cache";
import { notFound } from "@/lib/protocol/errors";
import type { Category } from "@/lib/protocol/scope";
import type { Holdings } from "@/lib/rules/effect/seen";
import type { NamedValue } from "@/lib/rules/reveal";
import { live } from "../../content";
import type { Ctx } from "../../context";
import type { ProfileRow } from "../../facts";

interface Stored {
  revision: string;
  memories: Record<Category, number>;
  namedValues: NamedValue[];
}

/**
 * Loads all values of a profile, and how many live memories each category has. A page counts by them several times:
 * they are kept for as long as the profile stays as it is.
 */
export async function loadHoldings(
  { cache, db }: Pick<Ctx, "cache" | "db">,
  { id, common, revision }: Pick<ProfileRow, "id" | "common" | "revision">,
): Promise<Holdings> {
  const { memories, namedValues } = await cachedAtRevision<Stored>(cache, {
    what: ["holdings", id],
    revision,
    read: () => readHoldings(db, id),
    revisionOf: (stored) => stored.revision,
    bytesOf: (stored) => 2 * JSON.stringify(stored).length,
  });
  return { common, memories, namedValues };
}

async function readHoldings(db: Ctx["db"], id: number): Promise<Stored> {
  const [row] = await db.$queryRaw<Stored[]>`SELECT
    (SELECT coalesce(jsonb_object_agg(category, count), '{}') FROM (
       SELECT category, count(*)::int AS count FROM "Memory"
       WHERE "profileId" = ${id} AND ${live} GROUP BY category) m) AS memories,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('category', category, 'name', name, 'value', value)
         ORDER BY category, name), '[]')
       FROM "NamedValue" WHERE "profileId" = ${id}) AS "namedValues",
    revision::text AS revision FROM "Profile" WHERE id = ${id}`;
  if (row === undefined) throw notFound("profile");
  return row;
}
