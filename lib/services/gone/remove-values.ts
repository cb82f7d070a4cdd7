import { inTransaction } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Ctx } from "../context";

const namedId = Prisma.sql`concat_ws(E'\n', "profileId", category, name)`;

/** Selects the ids of all values, as note_gone.sql hashes them. */
export const allValues = Prisma.sql`SELECT ${namedId} AS id FROM "NamedValue"
  UNION ALL SELECT concat_ws(E'\n', p.id, m.key, n.key) FROM "Profile" p, jsonb_each(p.common) m
    LEFT JOIN LATERAL jsonb_object_keys(CASE jsonb_typeof(m.value) WHEN 'object' THEN m.value ELSE '{}' END) n (key) ON true`;

/** Removes values, also where their owner has set them again since: what the backup has is what was removed. */
export function removeValues({ db, now }: Ctx, ids: string[]): Promise<number> {
  return inTransaction(db, async (tx) => {
    let count =
      await tx.$executeRaw`DELETE FROM "NamedValue" WHERE ${namedId} = ANY(${ids}::text[])`;
    for (const [profileId, ...path] of ids.map((id) => id.split("\n"))) {
      count += await tx.$executeRaw`
        UPDATE "Profile" SET common = common #- ${path}::text[], "updatedAt" = ${now}
        WHERE id = ${Number(profileId)} AND common #> ${path}::text[] IS NOT NULL`;
    }
    return count;
  });
}
