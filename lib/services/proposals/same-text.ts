import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { live } from "../content";

/** Trimmed and in lower case, as three indexes hold its hash. */
export const folded = (content: Prisma.Sql) => Prisma.sql`lower(btrim(${content}, E' \\t\\n\\r'))`;

/** The condition that two columns hold equal text. */
export function isSameText(one: Prisma.Sql, other: Prisma.Sql): Prisma.Sql {
  const [a, b] = [folded(one), folded(other)];
  return Prisma.sql`(hashtextextended(${a}, 0) = hashtextextended(${b}, 0) AND ${a} = ${b})`;
}

/** The live memory that says what the proposal `p` says, as JSON; null where there is none. */
export const sameMemory = Prisma.sql`
  (SELECT jsonb_build_object('id', o.id, 'category', o.category) FROM "Memory" o
   WHERE o."profileId" = p."profileId" AND ${live}
     AND ${isSameText(Prisma.sql`o.content`, Prisma.sql`p.content`)}
   ORDER BY o."createdAt" DESC LIMIT 1)`;

/** When the owner last rejected what the proposal `p` says; null where they never did. */
export const rejectedBefore = Prisma.sql`
  (SELECT max(o."reviewedAt") FROM "Proposal" o
   WHERE o."profileId" = p."profileId" AND o.status = 'rejected' AND o."reviewedBy" IS NOT NULL
     AND ${isSameText(Prisma.sql`o.content`, Prisma.sql`p.content`)})`;

/** Whether a live memory says what this pending proposal says, be it one that the same transaction made. */
export async function isKept(tx: Tx, proposalId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ isKept: boolean }[]>`
    SELECT ${sameMemory} IS NOT NULL AS "isKept" FROM "Proposal" p WHERE p.id = ${proposalId} AND p.status = 'pending'`;
  return row?.isKept ?? false;
}
