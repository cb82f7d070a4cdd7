import type { Scope } from "@/lib/protocol/scope";
import type { Ctx } from "../context";
import { onProfile } from "../open-profile";
import { type NamedAgent, namedAgent } from "./named-agent";

/** An agent that holds something of its own: all that `revokeAgent` would end. */
export interface ConnectedAgent {
  agent: NamedAgent;
  grants: { scopes: Scope[]; permissions: string[]; purposes: string[]; expiresAt: Date | null }[];
  receipts: number;
  tokens: { label: string | null; lastFour: string }[];
  requests: number;
}

type Row = Omit<ConnectedAgent, "grants"> & {
  grants: (Omit<ConnectedAgent["grants"][number], "expiresAt"> & { expiresAt: string | null })[];
};

const agentsMax = 100;

/** Who has access by the owner's own consent or token; general policies are nobody's own. */
export async function listConnectedAgents(ctx: Ctx, did: string): Promise<ConnectedAgent[]> {
  return onProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    const { rows } = await ctx.pool.query<Row>({
      name: "connected-agents",
      text: connectedStatement,
      values: [profile.id, ctx.now, agentsMax],
    });
    return rows.map(({ grants, ...agent }) => ({
      ...agent,
      grants: grants.map(({ expiresAt, ...grant }) => ({
        ...grant,
        expiresAt: expiresAt === null ? null : new Date(expiresAt),
      })),
    }));
  });
}

const connectedStatement = `
  WITH held AS (
    SELECT "agentPattern" AS "agentDid", 'grant' AS kind, jsonb_build_object('scopes', allow,
        'permissions', permissions, 'purposes', purposes, 'expiresAt', "expiresAt") AS told
      FROM "Policy" WHERE "profileId" = $1 AND enabled AND origin IN ('consent', 'token')
        AND ("expiresAt" IS NULL OR "expiresAt" > $2)
    UNION ALL
    SELECT "agentDid", 'receipt', NULL FROM "Receipt"
      WHERE "profileId" = $1 AND "revokedAt" IS NULL AND "expiresAt" > $2
    UNION ALL
    SELECT "agentDid", 'token', jsonb_build_object('label', label, 'lastFour', "lastFour")
      FROM "ConnectionToken"
      WHERE "profileId" = $1 AND "revokedAt" IS NULL AND "expiresAt" > $2
    UNION ALL
    SELECT "agentDid", 'request', NULL FROM "ConsentRequest"
      WHERE "profileId" = $1 AND status = 'pending'
  ), g AS (
    SELECT "agentDid",
      coalesce(jsonb_agg(told) FILTER (WHERE kind = 'grant'), '[]') AS grants,
      count(*) FILTER (WHERE kind = 'receipt')::int AS receipts,
      coalesce(jsonb_agg(told) FILTER (WHERE kind = 'token'), '[]') AS tokens,
      count(*) FILTER (WHERE kind = 'request')::int AS requests
    FROM held GROUP BY "agentDid"
    HAVING bool_or(kind <> 'request')
  )
  SELECT ${namedAgent("g")} AS agent, g.grants, g.receipts, g.tokens, g.requests
  FROM g LEFT JOIN "Agent" a ON a.did = g."agentDid"
  ORDER BY lower(coalesce(a.name, g."agentDid")), g."agentDid" LIMIT $3`;
