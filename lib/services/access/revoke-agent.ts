import type { Did } from "@/lib/protocol/did";
import type { Ctx } from "../context";
import { changeProfile } from "../open-profile";
import { keepDenied, type SwitchedOff, switchedOff } from "../policies/own-rules";
import { boundedChange } from "./access-change";

export interface Revoked {
  /** Names the change, for `restoreAccess`. */
  eventId: string;
  receipts: number;
  policies: number;
  tokens: number;
  requests: number;
}

/** Protocol 6, Revoking: in one transaction, so that the agent's very next request is refused. */
export async function revokeAgent(
  ctx: Ctx,
  { did, agentDid }: { did: string; agentDid: Did },
): Promise<Revoked> {
  return changeProfile(ctx, { verb: "revokeAgent", did }, async (open) => {
    const { client } = open;
    const profileId = open.profile.id;
    const asked = [profileId, agentDid, ctx.now];
    const end = async (statement: string) => {
      const { rows } = await client.query<{ id: string }>(statement, asked);
      return rows.map(({ id }) => id);
    };
    const { rows: rules } = await client.query<SwitchedOff>(
      `UPDATE "Policy" p SET enabled = false, "updatedAt" = $3
       WHERE "profileId" = $1 AND "agentPattern" = $2 AND enabled
         AND origin IN ('consent', 'token') RETURNING ${switchedOff}`,
      asked,
    );
    const kept = { policies: await keepDenied(client, { profileId, now: ctx.now, rules }) };
    const ended = {
      tokens: await end(
        `UPDATE "ConnectionToken" SET "revokedAt" = $3
           WHERE "profileId" = $1 AND "agentDid" = $2 AND "revokedAt" IS NULL RETURNING id`,
      ),
      receipts: await end(
        `UPDATE "Receipt" SET "revokedAt" = $3
           WHERE "profileId" = $1 AND "agentDid" = $2 AND "revokedAt" IS NULL AND "expiresAt" > $3
           RETURNING id`,
      ),
      policies: rules.map(({ id }) => id),
      requests: await end(
        `UPDATE "ConsentRequest" SET status = 'denied', "decidedAt" = $3
           WHERE "profileId" = $1 AND "agentDid" = $2 AND status = 'pending' RETURNING id`,
      ),
    };
    const revoked = {
      receipts: ended.receipts.length,
      policies: ended.policies.length,
      tokens: ended.tokens.length,
      requests: ended.requests.length,
    };
    const detail = { ...revoked, ended: boundedChange(ended), kept: boundedChange(kept) };
    return { eventId: await open.record({ subjectId: agentDid, detail }), ...revoked };
  });
}
