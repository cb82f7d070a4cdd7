import { type Category, isSensitive } from "@/lib/protocol/scope";
import type { Ctx } from "../../context";
import { withProfile } from "../../profile-gate";

/** A kind of what an agent proposes: the root of its categories. */
export interface ApprovableKind {
  category: Category;
  /** The owner approved the last ten of it as they were, and nothing in them was flagged. */
  isOffered: boolean;
}

/** After so many approvals of a kind a rule is offered for it. */
export const offeredAfter = 10;
const readMax = 500;
const kindsMax = 8;

/** Returns the kinds that a rule for the agent may be made for, those that are offered first. */
export async function listApprovable(
  ctx: Ctx,
  { did, agentDid }: { did: string; agentDid: string },
): Promise<ApprovableKind[]> {
  return withProfile(ctx, { verb: "editApproving", did }, async ({ profile }) => {
    const rows = await ctx.db.$queryRaw<ApprovableKind[]>`
      WITH made AS (
        SELECT *, split_part(category, '.', 1) AS kind, "reviewedBy" = ${profile.did} AS "isByOwner"
        FROM "Proposal" WHERE "profileId" = ${profile.id} AND "agentDid" = ${agentDid} AND "batchId" IS NULL
        ORDER BY "proposedAt" DESC, id DESC LIMIT ${readMax}
      ), last AS (
        SELECT kind, status = 'approved' AND flags = '[]' AND EXISTS (
            SELECT FROM "Memory" m WHERE m."proposalId" = made.id AND m.content = made.content
              AND m.category = made.category) AS "isPlain",
          row_number() OVER (PARTITION BY kind ORDER BY "reviewedAt" DESC, id DESC) AS nth
        FROM made WHERE "isByOwner"
      )
      SELECT k.kind AS category, coalesce(o.all, false) AS "isOffered"
      FROM (SELECT DISTINCT kind FROM made) k
      LEFT JOIN (SELECT kind, count(*) = ${offeredAfter} AND bool_and("isPlain") AS "all" FROM last
                 WHERE nth <= ${offeredAfter} GROUP BY kind) o ON o.kind = k.kind
      ORDER BY 2 DESC, 1`;
    return rows.filter(({ category }) => !isSensitive(category)).slice(0, kindsMax);
  });
}
