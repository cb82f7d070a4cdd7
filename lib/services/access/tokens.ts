import { inTransaction } from "@/lib/engine/db";
import { newId } from "@/lib/engine/random";
import type { Did } from "@/lib/protocol/did";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import type { Scope } from "@/lib/protocol/scope";
import type { Permission } from "@/lib/rules/facts";
import type { Ctx } from "../context";
import { lockProfile, onProfile } from "../open-profile";
import { mintConnectionToken } from "./connection-token";
import { insertPolicy } from "./policies";

export const tokenDaysDefault = 30;
export const tokenDaysMax = 365;

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

/** Decisions 3: issuing a token is consent for its scopes, so it writes the grant too. */
export async function issueToken(
  ctx: Ctx,
  { did, agentDid, scopes, permissions, days = tokenDaysDefault, label }: TokenAsked,
): Promise<IssuedToken> {
  return onProfile(ctx, { verb: "editTokens", did, scopes }, (open) =>
    inTransaction(ctx.pool, async (client) => {
      await lockProfile(client, open.profile.id);
      const { rowCount } = await client.query(
        `SELECT FROM "Agent" WHERE did = $1 AND state = 'active' FOR SHARE`,
        [agentDid],
      );
      if (rowCount === 0) {
        const message = "Must be an active agent of this gateway.";
        throw invalidRequest([{ path: "agentDid", message }]);
      }
      const expiresAt = new Date(ctx.now.getTime() + days * 24 * 60 * 60_000);
      const policyId = await insertPolicy(client, {
        profileId: open.profile.id,
        now: ctx.now,
        policy: {
          agentPattern: agentDid,
          verifiedOnly: false,
          allow: scopes,
          deny: [],
          permissions,
          purposes: [],
          maxRetention: null,
          receiptSeconds: null,
          expiresAt,
          origin: "token",
        },
      });
      const id = newId("tok");
      const { token, tokenHash } = mintConnectionToken();
      await client.query(
        `INSERT INTO "ConnectionToken" (id, "tokenHash", "policyId", "lastFour", "profileId", "agentDid",
           label, scopes, permissions, "createdAt", "expiresAt")
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        [
          id,
          Buffer.from(tokenHash),
          policyId,
          token.slice(-4),
          open.profile.id,
          agentDid,
          label,
          scopes,
          permissions,
          ctx.now,
          expiresAt,
        ],
      );
      await open.record(client, {
        granted: scopes,
        subjectId: id,
        detail: { agentDid, permissions, expiresAt },
      });
      return { id, token, expiresAt };
    }),
  );
}

/** At once, and the grant with it. */
export async function revokeToken(
  ctx: Ctx,
  { did, tokenId }: { did: string; tokenId: string },
): Promise<void> {
  await onProfile(ctx, { verb: "editTokens", did }, (open) =>
    inTransaction(ctx.pool, async (client) => {
      const { rows } = await client.query<{ policyId: string | null }>(
        `UPDATE "ConnectionToken" SET "revokedAt" = $3
         WHERE id = $1 AND "profileId" = $2 AND "revokedAt" IS NULL RETURNING "policyId"`,
        [tokenId, open.profile.id, ctx.now],
      );
      const [revoked] = rows;
      if (revoked === undefined) throw notFound("token");
      await client.query(`DELETE FROM "Policy" WHERE id = $1`, [revoked.policyId]);
      await open.record(client, { subjectId: tokenId, detail: { revoked: true } });
    }),
  );
}
