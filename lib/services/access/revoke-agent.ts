import type { Did } from "@/lib/protocol/did";
import type { Ctx } from "../context";
import { keepDenied, switchOff } from "../policies/own-rules";
import { changeProfile } from "../profile-gate";
import { endRulesOf } from "../proposals/rules/end-delegations";
import { notifyAgents } from "../webhooks/notify-agents";
import { blockAgent } from "./denial/block-agent";
import { truncateIds } from "./grant-delta";

export interface Revoked {
  /** Names the change, for `restoreAccess`. */
  eventId: string;
  receipts: number;
  policies: number;
  tokens: number;
  requests: number;
}

interface Revoking {
  did: string;
  agentDid: Did;
  /** Denies it everything from now on as well, and rejects what it proposed. */
  blocks?: boolean;
}

/** Protocol 6, Revoking: in one transaction, so that the agent's very next request is refused. */
export async function revokeAgent(
  ctx: Ctx,
  { did, agentDid, blocks = false }: Revoking,
): Promise<Revoked> {
  return changeProfile(ctx, { verb: "revokeAgent", did }, async (open) => {
    const { tx } = open;
    const profileId = open.profile.id;
    const { now } = ctx;
    const rules = await switchOff(tx, {
      profileId,
      agentPattern: agentDid,
      origin: { in: ["consent", "token"] },
      now,
    });
    const kept = { policies: await keepDenied(tx, { profileId, now, rules }) };
    const revoking = { data: { revokedAt: now }, select: { id: true } };
    const live = { profileId, agentDid, revokedAt: null };
    const tokens = await tx.connectionToken.updateManyAndReturn({ where: live, ...revoking });
    const receipts = await tx.receipt.updateManyAndReturn({
      where: { ...live, expiresAt: { gt: now } },
      ...revoking,
    });
    const requests = await tx.consentRequest.updateManyAndReturn({
      where: { profileId, agentDid, status: "pending" },
      data: { status: "denied", decidedAt: now },
      select: { id: true },
    });
    const ended = {
      tokens: tokens.map(({ id }) => id),
      receipts: receipts.map(({ id }) => id),
      policies: rules.map(({ id }) => id),
      requests: requests.map(({ id }) => id),
    };
    const revoked = {
      receipts: ended.receipts.length,
      policies: ended.policies.length,
      tokens: ended.tokens.length,
      requests: ended.requests.length,
    };
    await endRulesOf(tx, { profileId, agentDid, now });
    const block = blocks ? await blockAgent(tx, { profile: open.profile, agentDid, now }) : null;
    const truncated = { ended: truncateIds(ended), kept: truncateIds(kept) };
    const detail = { ...revoked, ...truncated, ...block?.blocked };
    const eventId = await open.record({ subjectId: agentDid, detail });
    const { rejected = [], denied = [] } = block ?? {};
    await notifyAgents(tx, now, { ...ended, proposals: rejected, removed: denied });
    return { eventId, ...revoked };
  });
}
