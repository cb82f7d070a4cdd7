import type { Tx } from "@/lib/engine/db";
import { notFound } from "@/lib/protocol/errors";
import { overlaps } from "@/lib/protocol/scope";
import { truncateIds } from "../access/grant-delta";
import type { Ctx } from "../context";
import { keepDenied, switchOff } from "../policies/own-rules";
import { changeProfile } from "../profile-gate";
import { notifyAgents } from "../webhooks/notify-agents";

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
    const [revoked] = await tx.receipt.updateManyAndReturn({
      where: { id: receiptId, profileId, revokedAt: null, expiresAt: { gt: ctx.now } },
      data: { revokedAt: ctx.now },
      select: { agentDid: true, purposeType: true, grantedScopes: true },
    });
    if (revoked === undefined) throw notFound("active receipt");
    const { agentDid, purposeType } = revoked;
    const rules = await endGrants(tx, { profileId, now: ctx.now, receipt: revoked });
    const kept = { policies: await keepDenied(tx, { profileId, now: ctx.now, rules }) };
    const ended = { receipts: [receiptId], policies: rules.map(({ id }) => id) };
    const eventId = await open.record({
      subjectId: receiptId,
      receiptId,
      purposeType,
      detail: { agentDid, ended: truncateIds(ended), kept: truncateIds(kept) },
    });
    await notifyAgents(tx, ctx.now, ended);
    return { eventId, policies: rules.length };
  });
}

interface Receipt {
  agentDid: string;
  purposeType: string;
  grantedScopes: string[];
}

interface Ending {
  profileId: number;
  now: Date;
  receipt: Receipt;
}

async function endGrants(tx: Tx, { profileId, now, receipt }: Ending) {
  const { agentDid, purposeType, grantedScopes } = receipt;
  const grants = await tx.policy.findMany({
    where: {
      AND: [
        { profileId, agentPattern: agentDid, origin: "consent", enabled: true },
        { OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
        { OR: [{ purposes: { isEmpty: true } }, { purposes: { has: purposeType } }] },
      ],
    },
    select: { id: true, allow: true },
  });
  const giving = grants.filter(({ allow }) =>
    allow.some((scope) => grantedScopes.some((granted) => overlaps(scope, granted))),
  );
  return switchOff(tx, { id: { in: giving.map(({ id }) => id) }, now });
}
