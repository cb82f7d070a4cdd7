import type { Tx } from "@/lib/engine/db";
import { newId } from "@/lib/engine/random";
import type { Did } from "@/lib/protocol/did";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import type { Scope } from "@/lib/protocol/scope";
import { activeTokensMax, tokenDaysDefault, tokenPolicy } from "@/lib/rules/consent";
import type { Permission } from "@/lib/rules/facts";
import { truncateIds } from "../access/grant-delta";
import type { Ctx } from "../context";
import { keepDenied, switchOff } from "../policies/own-rules";
import { insertPolicy } from "../policies/policies";
import { changeProfile } from "../profile-gate";
import { notifyAgents } from "../webhooks/notify-agents";
import { mintConnectionToken } from "./connection-token";

export interface TokenInput {
  did: string;
  agentDid: Did;
  scopes: readonly Scope[];
  permissions: readonly Permission[];
  days?: number;
  label?: string;
}

export interface IssuedToken {
  id: string;
  /** Shown this once; the database has only its hash. */
  token: string;
  expiresAt: Date;
}

/** Protocol 3: issuing a token is consent for its scopes, so it writes the grant too. */
export async function issueToken(
  ctx: Ctx,
  { did, agentDid, scopes, permissions, days = tokenDaysDefault, label }: TokenInput,
): Promise<IssuedToken> {
  return changeProfile(
    ctx,
    { verb: "editTokens", did, scopes, readsAgents: [agentDid], lasting: true },
    async (open) => {
      const { tx } = open;
      await refuseBeyondCap(tx, { profileId: open.profile.id, now: ctx.now, more: 1 });
      await refuseInactive(tx, agentDid);
      const expiresAt = new Date(ctx.now.getTime() + days * 24 * 60 * 60_000);
      const policyId = await insertPolicy(tx, {
        profileId: open.profile.id,
        now: ctx.now,
        policy: tokenPolicy(agentDid, { scopes, permissions, expiresAt }),
      });
      const given = { profileId: open.profile.id, agentDid, scopes, permissions, label };
      const { id, token } = await insertToken(tx, {
        ...given,
        policyId,
        createdAt: ctx.now,
        expiresAt,
      });
      await open.record({
        granted: scopes,
        subjectId: id,
        detail: { agentDid, permissions, expiresAt },
      });
      return { id, token, expiresAt };
    },
  );
}

interface NewToken extends Pick<TokenInput, "agentDid" | "scopes" | "permissions" | "label"> {
  profileId: number;
  policyId: string;
  createdAt: Date;
  expiresAt: Date;
}

async function insertToken(tx: Tx, given: NewToken) {
  const id = newId("tok");
  const { token, tokenHash } = mintConnectionToken();
  const { scopes, permissions, ...row } = given;
  const lists = { scopes: [...scopes], permissions: [...permissions] };
  await tx.connectionToken.create({
    data: { id, tokenHash, lastFour: token.slice(-4), ...row, ...lists },
    select: { id: true },
  });
  return { id, token };
}

interface Capped {
  profileId: number;
  now: Date;
  /** Tokens that are not written yet. */
  more?: number;
}

/** Under the profile's lock, so nobody counts at the same time. */
export async function refuseBeyondCap(tx: Tx, { profileId, now, more = 0 }: Capped): Promise<void> {
  const active = { profileId, revokedAt: null, expiresAt: { gt: now } };
  if ((await tx.connectionToken.count({ where: active })) + more <= activeTokensMax) return;
  const message = `This profile has ${activeTokensMax} active tokens, and may have no more. Revoke one first.`;
  throw invalidRequest([{ path: "tokens", message }]);
}

export async function refuseInactive(tx: Pick<Tx, "agent">, agentDid: Did): Promise<void> {
  if (
    (await tx.agent.count({
      where: { did: agentDid, state: "active", origin: { not: "client" } },
    })) > 0
  )
    return;
  const message =
    "Must be an active agent of this gateway, and no program that connects by the address.";
  throw invalidRequest([{ path: "agentDid", message }]);
}

/** At once, and the grant with it; the event's id, for `restoreAccess`. */
export async function revokeToken(
  ctx: Ctx,
  { did, tokenId }: { did: string; tokenId: string },
): Promise<{ eventId: string }> {
  return changeProfile(ctx, { verb: "editTokens", did }, async (open) => {
    const { tx, profile } = open;
    const end = await endToken(tx, { tokenId, profileId: profile.id, now: ctx.now });
    if (end === null) throw notFound("token");
    const eventId = await open.record({ subjectId: tokenId, detail: end.detail });
    await notifyAgents(tx, ctx.now, end.ended);
    return { eventId };
  });
}

interface Ending {
  tokenId: string;
  profileId: number;
  now: Date;
}

/**
 * Ends a token with its grant. Returns what has ended, of which agents are notified, and what its event says; null if
 * it had ended. Part of a transaction that has locked the profile.
 */
export async function endToken(tx: Tx, { tokenId, profileId, now }: Ending) {
  const [revoked] = await tx.connectionToken.updateManyAndReturn({
    where: { id: tokenId, profileId, revokedAt: null },
    data: { revokedAt: now },
    select: { agentDid: true, policyId: true, clientId: true },
  });
  if (revoked === undefined) return null;
  const { agentDid, policyId, clientId } = revoked;
  const rules = policyId === null ? [] : await switchOff(tx, { id: policyId, now });
  const more =
    clientId === null ? nothingMore : await endGranted(tx, { profileId, agentDid, tokenId, now });
  rules.push(...more.rules);
  const kept = { policies: await keepDenied(tx, { profileId, now, rules }) };
  const policies = rules.map(({ id }) => id);
  const ended = { tokens: [tokenId], ...more.ended, policies };
  const change = { ended: truncateIds(ended), kept: truncateIds(kept) };
  const connects = clientId === null ? {} : { connects: true };
  return { ended, detail: { agentDid, revoked: true, ...connects, ...change } };
}

const nothingMore = { rules: [], ended: {} };

/** What a connection was granted when it asked for more ends with it. Receipts are its agent's: with the last one. */
async function endGranted(
  tx: Tx,
  { profileId, agentDid, tokenId, now }: Ending & { agentDid: string },
) {
  const requests = await tx.consentRequest.updateManyAndReturn({
    where: { profileId, tokenId, status: "pending" },
    data: { status: "denied", decidedAt: now },
    select: { id: true },
  });
  const own = { profileId, agentDid, revokedAt: null, expiresAt: { gt: now } };
  const isLast = (await tx.connectionToken.count({ where: own })) === 0;
  const receipts = isLast
    ? await tx.receipt.updateManyAndReturn({
        where: own,
        data: { revokedAt: now },
        select: { id: true },
      })
    : [];
  return {
    rules: await switchOff(tx, { profileId, consentRequest: { tokenId }, now }),
    ended: {
      requests: requests.map(({ id }) => id),
      receipts: receipts.map(({ id }) => id),
    },
  };
}
