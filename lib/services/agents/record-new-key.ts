import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Did } from "@/lib/protocol/did";
import { recordForProfiles } from "../audit/record-for-profiles";
import type { Ctx } from "../context";

const dayMs = 24 * 60 * 60_000;

/** How long a visit of the agent, and a key that an admin added and revoked again, concern an owner. */
export const concernDays = 30;

// Each visit is looked up with one probe of an index per profile, as no index begins with the actor.
const concernedProfiles = (did: Did, now: Date) => Prisma.sql`
  SELECT "profileId" FROM "Policy" WHERE "agentPattern" = ${did}
  UNION SELECT "profileId" FROM "ConnectionToken"
    WHERE "agentDid" = ${did} AND "revokedAt" IS NULL AND "expiresAt" > ${now}
  UNION SELECT "profileId" FROM "Receipt"
    WHERE "agentDid" = ${did} AND "revokedAt" IS NULL AND "expiresAt" > ${now}
  UNION SELECT p.id FROM "Profile" p JOIN "Agent" a ON a."registeredBy" = p."ownerId"
    WHERE a.did = ${did} AND a.origin = 'user'
  UNION SELECT p.id FROM "Profile" p CROSS JOIN LATERAL (
    SELECT FROM "AccessEvent" e WHERE e."profileId" = p.id AND e."actorId" = ${did} AND e.at > ${new Date(now.getTime() - concernDays * dayMs)} LIMIT 1) visit`;

export interface NewAgentKey {
  ctx: Ctx;
  did: Did;
  keyId: string;
}

/** Records in the log of every profile that gives the agent something, or has met it, that an admin added a key. */
export async function recordNewKey(tx: Tx, { ctx, did, keyId }: NewAgentKey): Promise<void> {
  await recordForProfiles(tx, {
    ctx,
    event: { verb: "addAgentKey", subjectId: did, detail: { key: keyId } },
    profileIds: concernedProfiles(did, ctx.now),
  });
}
