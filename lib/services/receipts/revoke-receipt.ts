import type { Tx } from "@/lib/engine/db";
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
    const { tx } = open;
    const profileId = open.profile.id;
    const rows = await tx.$queryRaw<Receipt[]>`UPDATE "Receipt" SET "revokedAt" = ${ctx.now}
         WHERE id = ${receiptId} AND "profileId" = ${profileId} AND "revokedAt" IS NULL AND "expiresAt" > ${ctx.now}
         RETURNING "agentDid", "purposeType", "grantedScopes"`;
    const [revoked] = rows;
    if (revoked === undefined) throw notFound("active receipt");
    const { agentDid, purposeType } = revoked;
    const rules = await endGrants(tx, { profileId, now: ctx.now, receipt: revoked });
    const kept = { policies: await keepDenied(tx, { profileId, now: ctx.now, rules }) };
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

async function endGrants(tx: Tx, { profileId, now, receipt }: Ending) {
  const { agentDid, purposeType, grantedScopes } = receipt;
  const grants = await tx.$queryRaw<{ id: string; allow: Scope[] }[]>`SELECT id, allow FROM "Policy"
     WHERE "profileId" = ${profileId} AND "agentPattern" = ${agentDid} AND origin = 'consent' AND enabled
       AND ("expiresAt" IS NULL OR "expiresAt" > ${now})
       AND (purposes = '{}' OR ${purposeType} = ANY (purposes))`;
  const giving = grants.filter(({ allow }) =>
    allow.some((scope) => grantedScopes.some((granted) => overlaps(scope, granted))),
  );
  const rows = await tx.$queryRaw<
    SwitchedOff[]
  >`UPDATE "Policy" p SET enabled = false, "updatedAt" = ${now} WHERE id = ANY (${giving.map(({ id }) => id)}) RETURNING ${switchedOff}`;
  return rows;
}
