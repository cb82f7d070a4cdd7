import { Prisma } from "@/lib/engine/prisma-client/client";

/**
 * The scopes of `"ConnectionToken" t`: its own, and of what a client connected also those that the owner granted
 * when it asked for more, as long as that grant is in force.
 */
export const carriedScopes = (
  now: Date | Prisma.Sql,
) => Prisma.sql`(t.scopes || CASE WHEN t."clientId" IS NULL THEN '{}' ELSE ARRAY(
  SELECT DISTINCT s.scope FROM "Policy" g JOIN "ConsentRequest" c ON c.id = g."consentRequestId", unnest(g.allow) AS s (scope)
  WHERE g."profileId" = t."profileId" AND g."agentPattern" = t."agentDid" AND g.enabled
    AND (g."expiresAt" IS NULL OR g."expiresAt" > ${now}) AND c."tokenId" = t.id) END)`;
