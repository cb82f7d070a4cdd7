import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Scope } from "@/lib/protocol/scope";
import type { Permission } from "@/lib/rules/facts";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";
import { carriedScopes } from "./carried-scopes";

export const tokenStates = ["active", "expired", "revoked"] as const;
export type TokenState = (typeof tokenStates)[number];

export interface TokenLine {
  id: string;
  agent: NamedAgent;
  label: string | null;
  /** Null for what a client connected: its tokens change. */
  lastFour: string | null;
  /** The client that connected by the gateway's address. */
  client: { id: string; name: string } | null;
  scopes: Scope[];
  permissions: Permission[];
  state: TokenState;
  createdAt: Date;
  expiresAt: Date;
  /** To the minute. */
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

export interface TokensQuery {
  did: string;
  state?: TokenState;
  /** The last line of the page before. */
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
  { did, state, after, limit }: TokensQuery,
): Promise<TokensPage> {
  return withProfile(ctx, { verb: "editTokens", did }, async ({ profile }) => {
    const isInState = state ? Prisma.sql`${stateAt(ctx.now)} = ${state}` : Prisma.sql`true`;
    const isAfter = after
      ? Prisma.sql`(t."createdAt", t.id) < (${after.at}, ${after.id})`
      : Prisma.sql`true`;
    const rows = await ctx.db.$queryRaw<
      TokenLine[]
    >`SELECT t.id, ${namedAgent("t")} AS agent, t.label, t."lastFour", ${carriedScopes(ctx.now)} AS scopes,
               t.permissions::text[] AS permissions, t."createdAt", t."expiresAt", t."lastUsedAt",
               t."revokedAt", ${stateAt(ctx.now)} AS state,
               (SELECT jsonb_build_object('id', c.id, 'name', c.name) FROM "Client" c WHERE c.id = t."clientId") AS client
             FROM "ConnectionToken" t LEFT JOIN "Agent" a ON a.did = t."agentDid"
             WHERE t."profileId" = ${profile.id} AND ${isInState} AND ${isAfter}
             ORDER BY t."createdAt" DESC, t.id DESC LIMIT ${limit + 1}`;
    const tokens = rows.slice(0, limit);
    const last = rows.length > limit ? tokens.at(-1) : undefined;
    return { tokens, next: last === undefined ? null : { at: last.createdAt, id: last.id } };
  });
}

const stateAt = (now: Date) => Prisma.sql`
  CASE WHEN t."revokedAt" IS NOT NULL THEN 'revoked'
       WHEN t."expiresAt" <= ${now} THEN 'expired' ELSE 'active' END`;
