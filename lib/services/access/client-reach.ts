import { Prisma } from "@/lib/engine/prisma-client/client";
import type { TokenReach } from "@/lib/rules/facts";
import { carriedScopes } from "../tokens/carried-scopes";

/** What the connections of a client let it do together, and when the first of them ends. */
export interface ClientReach extends TokenReach {
  until: string | null;
}

interface Connected {
  profileId: Prisma.Sql;
  now: Prisma.Sql;
}

/**
 * Of `"Agent" a`, as JSON: the reach of its connections if it is a client, which comes in by these alone; null for
 * every other agent. One that has none may ask.
 */
export const clientReach = ({ profileId, now }: Connected) => Prisma.sql`
  CASE WHEN a.origin = 'client' THEN (
    SELECT json_build_object('ofClient', true, 'scopes', coalesce(json_agg(DISTINCT s.scope), '[]'),
      'permissions', coalesce(json_agg(DISTINCT q.permission), '["read"]'), 'until', min(t."expiresAt"))
    FROM "ConnectionToken" t, unnest(${carriedScopes(now)}) AS s (scope), unnest(t.permissions) AS q (permission)
    WHERE t."profileId" = ${profileId} AND t."agentDid" = a.did AND t."clientId" IS NOT NULL
      AND t."revokedAt" IS NULL AND t."expiresAt" > ${now}) END`;
