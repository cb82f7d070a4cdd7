import type { PoolClient } from "pg";
import { newId } from "@/lib/engine/random";
import type { Did } from "@/lib/protocol/did";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import type { Scope } from "@/lib/protocol/scope";
import { activeTokensMax, tokenDaysDefault, tokenPolicy } from "@/lib/rules/consent";
import type { Permission } from "@/lib/rules/facts";
import { boundedChange } from "../access/access-change";
import type { Ctx } from "../context";
import { changeProfile } from "../open-profile";
import { keepDenied, type SwitchedOff, switchedOff } from "../policies/own-rules";
import { insertPolicy } from "../policies/policies";
import { mintConnectionToken } from "./connection-token";

export interface TokenAsked {
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
  { did, agentDid, scopes, permissions, days = tokenDaysDefault, label }: TokenAsked,
): Promise<IssuedToken> {
  return changeProfile(
    ctx,
    { verb: "editTokens", did, scopes, readsAgents: [agentDid], lasting: true },
    async (open) => {
      const { client } = open;
      await refuseBeyondCap(client, { profileId: open.profile.id, now: ctx.now, more: 1 });
      await refuseInactive(client, agentDid);
      const expiresAt = new Date(ctx.now.getTime() + days * 24 * 60 * 60_000);
      const policyId = await insertPolicy(client, {
        profileId: open.profile.id,
        now: ctx.now,
        policy: tokenPolicy(agentDid, { scopes, permissions, expiresAt }),
      });
      const given = { profileId: open.profile.id, agentDid, scopes, permissions, label };
      const { id, token } = await insertToken(client, {
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

interface NewToken extends Pick<TokenAsked, "agentDid" | "scopes" | "permissions" | "label"> {
  profileId: number;
  policyId: string;
  createdAt: Date;
  expiresAt: Date;
}

async function insertToken(client: PoolClient, given: NewToken) {
  const id = newId("tok");
  const { token, tokenHash } = mintConnectionToken();
  await client.query(
    `INSERT INTO "ConnectionToken" (id, "tokenHash", "policyId", "lastFour", "profileId", "agentDid",
       label, scopes, permissions, "createdAt", "expiresAt")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      id,
      Buffer.from(tokenHash),
      given.policyId,
      token.slice(-4),
      given.profileId,
      given.agentDid,
      given.label,
      given.scopes,
      given.permissions,
      given.createdAt,
      given.expiresAt,
    ],
  );
  return { id, token };
}

interface Capped {
  profileId: number;
  now: Date;
  /** Tokens that are not written yet. */
  more?: number;
}

/** The profile is locked, so nobody counts at the same time. */
export async function refuseBeyondCap(
  client: PoolClient,
  { profileId, now, more = 0 }: Capped,
): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "ConnectionToken"
     WHERE "profileId" = $1 AND "revokedAt" IS NULL AND "expiresAt" > $2`,
    [profileId, now],
  );
  if ((rows[0]?.count ?? 0) + more <= activeTokensMax) return;
  const message = `This profile has ${activeTokensMax} active tokens, and may have no more. Revoke one first.`;
  throw invalidRequest([{ path: "tokens", message }]);
}

async function refuseInactive(client: PoolClient, agentDid: Did): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT FROM "Agent" WHERE did = $1 AND state = 'active'`,
    [agentDid],
  );
  if (rowCount !== 0) return;
  const message = "Must be an active agent of this gateway.";
  throw invalidRequest([{ path: "agentDid", message }]);
}

/** At once, and the grant with it; the event's id, for `restoreAccess`. */
export async function revokeToken(
  ctx: Ctx,
  { did, tokenId }: { did: string; tokenId: string },
): Promise<{ eventId: string }> {
  return changeProfile(ctx, { verb: "editTokens", did }, async (open) => {
    const { client } = open;
    const { rows } = await client.query<{ agentDid: string; policyId: string | null }>(
      `UPDATE "ConnectionToken" SET "revokedAt" = $3
         WHERE id = $1 AND "profileId" = $2 AND "revokedAt" IS NULL RETURNING "agentDid", "policyId"`,
      [tokenId, open.profile.id, ctx.now],
    );
    const [revoked] = rows;
    if (revoked === undefined) throw notFound("token");
    const { agentDid, policyId } = revoked;
    const { rows: rules } = await client.query<SwitchedOff>(
      `UPDATE "Policy" p SET enabled = false, "updatedAt" = $2 WHERE id = $1 AND enabled
       RETURNING ${switchedOff}`,
      [policyId, ctx.now],
    );
    const { id: profileId } = open.profile;
    const kept = { policies: await keepDenied(client, { profileId, now: ctx.now, rules }) };
    const ended = { tokens: [tokenId], policies: rules.map(({ id }) => id) };
    const change = { ended: boundedChange(ended), kept: boundedChange(kept) };
    const detail = { agentDid, revoked: true, ...change };
    return { eventId: await open.record({ subjectId: tokenId, detail }) };
  });
}
