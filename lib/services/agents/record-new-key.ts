import type { PoolClient } from "pg";
import type { Did } from "@/lib/protocol/did";
import { recordForProfiles } from "../audit/record-for-profiles";
import type { Ctx } from "../context";

const dayMs = 24 * 60 * 60_000;

/** How long a visit of the agent, and a key that an admin added and revoked again, concern an owner. */
export const concernDays = 30;

// Each visit is looked up with one probe of an index per profile, as no index begins with the actor.
const concernedProfiles = `
  SELECT "profileId" FROM "Policy" WHERE "agentPattern" = $2
  UNION SELECT "profileId" FROM "ConnectionToken"
    WHERE "agentDid" = $2 AND "revokedAt" IS NULL AND "expiresAt" > $3
  UNION SELECT "profileId" FROM "Receipt"
    WHERE "agentDid" = $2 AND "revokedAt" IS NULL AND "expiresAt" > $3
  UNION SELECT p.id FROM "Profile" p JOIN "Agent" a ON a."registeredBy" = p."ownerId"
    WHERE a.did = $2 AND a.origin = 'user'
  UNION SELECT p.id FROM "Profile" p CROSS JOIN LATERAL (
    SELECT FROM "AccessEvent" e WHERE e."profileId" = p.id AND e."actorId" = $2 AND e.at > $4 LIMIT 1) visit`;

export interface NewAgentKey {
  ctx: Ctx;
  did: Did;
  keyId: string;
}

/** Records in the log of every profile that gives the agent something, or has met it, that an admin added a key. */
export async function recordNewKey(
  client: PoolClient,
  { ctx, did, keyId }: NewAgentKey,
): Promise<void> {
  await recordForProfiles(client, {
    ctx,
    event: { verb: "addAgentKey", subjectId: did, detail: { key: keyId } },
    profileIds: concernedProfiles,
    values: [did, ctx.now, new Date(ctx.now.getTime() - concernDays * dayMs)],
  });
}
