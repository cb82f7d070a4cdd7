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
  if ((await tx.agent.count({ where: { did: agentDid, state: "active" } })) > 0) return;
  const message = "Must be an active agent of this gateway.";
  throw invalidRequest([{ path: "agentDid", message }]);
}

/** At once, and the grant with it; the event's id, for `restoreAccess`. */
export async function revokeToken(
  ctx: Ctx,
  { did, tokenId }: { did: string; tokenId: string },
): Promise<{ eventId: string }> {
  return changeProfile(ctx, { verb: "editTokens", did }, async (open) => {
    const { tx } = open;
    const [revoked] = await tx.connectionToken.updateManyAndReturn({
      where: { id: tokenId, profileId: open.profile.id, revokedAt: null },
      data: { revokedAt: ctx.now },
      select: { agentDid: true, policyId: true },
    });
    if (revoked === undefined) throw notFound("token");
    const { agentDid, policyId } = revoked;
    const rules = policyId === null ? [] : await switchOff(tx, { id: policyId, now: ctx.now });
    const { id: profileId } = open.profile;
    const kept = { policies: await keepDenied(tx, { profileId, now: ctx.now, rules }) };
    const ended = { tokens: [tokenId], policies: rules.map(({ id }) => id) };
    const change = { ended: truncateIds(ended), kept: truncateIds(kept) };
    const detail = { agentDid, revoked: true, ...change };
    return { eventId: await open.record({ subjectId: tokenId, detail }) };
  });
}
