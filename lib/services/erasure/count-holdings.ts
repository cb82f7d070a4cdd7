import type { Ctx } from "../context";
import { onProfile } from "../open-profile";

export interface Holdings {
  namedValues: number;
  memories: number;
  proposals: number;
  policies: number;
  receipts: number;
  tokens: number;
  keys: number;
  events: number;
}

/** What deleting a profile would take away. */
export async function countHoldings(ctx: Ctx, { did }: { did: string }): Promise<Holdings> {
  return onProfile(ctx, { verb: "deleteProfile", did }, async ({ profile }) => {
    const { rows } = await ctx.pool.query<Holdings>(
      `SELECT (SELECT count(*)::int FROM "NamedValue" WHERE "profileId" = $1) AS "namedValues",
         (SELECT count(*)::int FROM "Memory" WHERE "profileId" = $1) AS memories,
         (SELECT count(*)::int FROM "Proposal" WHERE "profileId" = $1) AS proposals,
         (SELECT count(*)::int FROM "Policy" WHERE "profileId" = $1) AS policies,
         (SELECT count(*)::int FROM "Receipt" WHERE "profileId" = $1) AS receipts,
         (SELECT count(*)::int FROM "ConnectionToken" WHERE "profileId" = $1) AS tokens,
         (SELECT count(*)::int FROM "Key" WHERE did = $2) AS keys,
         (SELECT count(*)::int FROM "AccessEvent" WHERE "profileId" = $1) AS events`,
      [profile.id, did],
    );
    const [counted] = rows;
    if (counted === undefined) throw new Error("a count has a row");
    return counted;
  });
}
