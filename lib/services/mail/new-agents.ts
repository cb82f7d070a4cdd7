import type { Tx } from "@/lib/engine/db";
import type { ChainedEvent } from "../audit/event-chain";
import { mailUser } from "./enqueue";

interface Arrival {
  userId: string;
  profileId: number;
  agentDid: string;
}

/**
 * Part of sealing: enqueues a mail for each agent whose first events on a profile are among these. An agent whose
 * request for access was mailed needs no other, and one that has a token was let in by its owner.
 */
export async function mailNewAgents(
  tx: Tx,
  { events, now }: { events: readonly ChainedEvent[]; now: Date },
): Promise<void> {
  const visits = events.filter(({ actor }) => actor === "agent");
  if (visits.length === 0) return;
  // Events that are not sealed yet are later ones, or were committed since these were loaded.
  const arrivals = await tx.$queryRaw<Arrival[]>`
    SELECT m."userId", v."profileId", v."agentDid"
    FROM (SELECT DISTINCT * FROM unnest(${visits.map(({ profileId }) => profileId)}::int[], ${visits.map(({ actorId }) => actorId)}::text[])
      AS v ("profileId", "agentDid")) AS v
    JOIN "Profile" p ON p.id = v."profileId"
    JOIN "Mailbox" m ON m."userId" = p."ownerId" AND m.agents
    WHERE NOT EXISTS (SELECT FROM "AccessEvent" e WHERE e."profileId" = v."profileId" AND e."actorId" = v."agentDid"
        AND e.hash IS NOT NULL AND e.id <> ALL (${events.map(({ id }) => id)}::text[]))
      AND NOT EXISTS (SELECT FROM "ConnectionToken" t
        WHERE t."profileId" = v."profileId" AND t."agentDid" = v."agentDid")
      AND NOT EXISTS (SELECT FROM "Delivery" d WHERE d.recipient = m."userId" AND d.kind = 'access_request'
        AND d.body ->> 'profileId' = v."profileId"::text AND d.body ->> 'agentDid' = v."agentDid")`;
  for (const arrival of arrivals) await mailUser(tx, { kind: "new_agent", now, ...arrival });
}
