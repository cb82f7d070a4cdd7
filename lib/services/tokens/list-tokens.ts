import type { Scope } from "@/lib/protocol/scope";
import type { Permission } from "@/lib/rules/facts";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import type { Ctx } from "../context";
import { onProfile } from "../open-profile";

export const tokenStates = ["active", "expired", "revoked"] as const;
export type TokenState = (typeof tokenStates)[number];

export interface TokenLine {
  id: string;
  agent: NamedAgent;
  label: string | null;
  lastFour: string;
  scopes: Scope[];
  permissions: Permission[];
  state: TokenState;
  createdAt: Date;
  expiresAt: Date;
  /** To the minute. */
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

export interface TokensAsked {
  did: string;
  state?: TokenState;
  /** The place after which to go on: the last line of the page before. */
  after?: { at: Date; id: string };
  limit: number;
}

export interface TokensPage {
  tokens: TokenLine[];
  next: { at: Date; id: string } | null;
}

/** Newest first. */
export async function listTokens(
  ctx: Ctx,
  { did, state, after, limit }: TokensAsked,
): Promise<TokensPage> {
  return onProfile(ctx, { verb: "editTokens", did }, async ({ profile }) => {
    const { rows } = await ctx.pool.query<TokenLine>({
      name: "list-tokens",
      text: `SELECT t.id, ${namedAgent("t")} AS agent, t.label, t."lastFour", t.scopes,
               t.permissions::text[] AS permissions, t."createdAt", t."expiresAt", t."lastUsedAt",
               t."revokedAt", ${stateOf} AS state
             FROM "ConnectionToken" t LEFT JOIN "Agent" a ON a.did = t."agentDid"
             WHERE t."profileId" = $1 AND ($3::text IS NULL OR ${stateOf} = $3)
               AND ($4::timestamptz IS NULL OR (t."createdAt", t.id) < ($4, $5))
             ORDER BY t."createdAt" DESC, t.id DESC LIMIT $6`,
      values: [profile.id, ctx.now, state, after?.at, after?.id, limit + 1],
    });
    const tokens = rows.slice(0, limit);
    const last = rows.length > limit ? tokens.at(-1) : undefined;
    return { tokens, next: last === undefined ? null : { at: last.createdAt, id: last.id } };
  });
}

const stateOf = `
  CASE WHEN t."revokedAt" IS NOT NULL THEN 'revoked'
       WHEN t."expiresAt" <= $2 THEN 'expired' ELSE 'active' END`;
