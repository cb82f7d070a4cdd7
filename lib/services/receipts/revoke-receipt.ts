import type { PoolClient } from "pg";
import { notFound } from "@/lib/protocol/errors";
import { overlaps, type Scope } from "@/lib/protocol/scope";
import { boundedChange } from "../access/access-change";
import type { Ctx } from "../context";
import { changeProfile } from "../open-profile";
import { keepDenied, type SwitchedOff, switchedOff } from "../policies/own-rules";

export interface RevokedReceipt {
  /** Names the change, for `restoreAccess`. */
  eventId: string;
  /** How many grants ended with it. */
  policies: number;
}

/**
 * Ends one purpose of one agent at once, with the owner's grants that would give the agent the same again. Rules that
 * the owner wrote stay.
 */
export async function revokeReceipt(
  ctx: Ctx,
  { did, receiptId }: { did: string; receiptId: string },
): Promise<RevokedReceipt> {
  return changeProfile(ctx, { verb: "revokeReceipt", did }, async (open) => {
    const { client } = open;
    const profileId = open.profile.id;
    const { rows } = await client.query<Receipt>(
      `UPDATE "Receipt" SET "revokedAt" = $3
         WHERE id = $1 AND "profileId" = $2 AND "revokedAt" IS NULL AND "expiresAt" > $3
         RETURNING "agentDid", "purposeType", "grantedScopes"`,
      [receiptId, profileId, ctx.now],
    );
    const [revoked] = rows;
    if (revoked === undefined) throw notFound("active receipt");
    const { agentDid, purposeType } = revoked;
    const rules = await endGrants(client, { profileId, now: ctx.now, receipt: revoked });
    const kept = { policies: await keepDenied(client, { profileId, now: ctx.now, rules }) };
    const ended = { receipts: [receiptId], policies: rules.map(({ id }) => id) };
    const eventId = await open.record({
      subjectId: receiptId,
      receiptId,
      purposeType,
      detail: { agentDid, ended: boundedChange(ended), kept: boundedChange(kept) },
    });
    return { eventId, policies: rules.length };
  });
}

interface Receipt {
  agentDid: string;
  purposeType: string;
  grantedScopes: Scope[];
}

interface Ending {
  profileId: number;
  now: Date;
  receipt: Receipt;
}

async function endGrants(client: PoolClient, { profileId, now, receipt }: Ending) {
  const { agentDid, purposeType, grantedScopes } = receipt;
  const { rows: grants } = await client.query<{ id: string; allow: Scope[] }>(
    `SELECT id, allow FROM "Policy"
     WHERE "profileId" = $1 AND "agentPattern" = $2 AND origin = 'consent' AND enabled
       AND ("expiresAt" IS NULL OR "expiresAt" > $4)
       AND (purposes = '{}' OR $3 = ANY (purposes))`,
    [profileId, agentDid, purposeType, now],
  );
  const giving = grants.filter(({ allow }) =>
    allow.some((scope) => grantedScopes.some((granted) => overlaps(scope, granted))),
  );
  const { rows } = await client.query<SwitchedOff>(
    `UPDATE "Policy" p SET enabled = false, "updatedAt" = $2 WHERE id = ANY ($1) RETURNING ${switchedOff}`,
    [giving.map(({ id }) => id), now],
  );
  return rows;
}
