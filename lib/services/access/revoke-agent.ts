import { inTransaction } from "@/lib/engine/db";
import type { Did } from "@/lib/protocol/did";
import type { Ctx } from "../context";
import { lockProfile, onProfile } from "../open-profile";

export interface Revoked {
  receipts: number;
  policies: number;
  tokens: number;
  requests: number;
}

/** Decisions 6, Revoking: in one transaction, so that the agent's very next request is refused. */
export async function revokeAgent(
  ctx: Ctx,
  { did, agentDid }: { did: string; agentDid: Did },
): Promise<Revoked> {
  return onProfile(ctx, { verb: "revokeAgent", did }, (open) =>
    inTransaction(ctx.pool, async (client) => {
      await lockProfile(client, open.profile.id);
      const end = async (statement: string) =>
        (await client.query(statement, [open.profile.id, agentDid, ctx.now])).rowCount ?? 0;
      const revoked: Revoked = {
        tokens: await end(
          `UPDATE "ConnectionToken" SET "revokedAt" = $3
           WHERE "profileId" = $1 AND "agentDid" = $2 AND "revokedAt" IS NULL`,
        ),
        receipts: await end(
          `UPDATE "Receipt" SET "revokedAt" = $3
           WHERE "profileId" = $1 AND "agentDid" = $2 AND "revokedAt" IS NULL AND "expiresAt" > $3`,
        ),
        policies: await end(
          `UPDATE "Policy" SET enabled = false, "updatedAt" = $3
           WHERE "profileId" = $1 AND "agentPattern" = $2 AND enabled
             AND origin IN ('consent', 'token')`,
        ),
        requests: await end(
          `UPDATE "ConsentRequest" SET status = 'denied', "decidedAt" = $3
           WHERE "profileId" = $1 AND "agentDid" = $2 AND status = 'pending'`,
        ),
      };
      await open.record(client, { subjectId: agentDid, detail: { ...revoked } });
      return revoked;
    }),
  );
}
