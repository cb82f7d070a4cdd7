import type { Tx } from "@/lib/engine/db";
import type { ChainedEvent } from "../audit/event-chain";
import { mailUser } from "./enqueue";

interface Arrival {
  userId: string;
  profileId: number;
  agentDid: string;
}

/**
 * Part of sealing: enqueues a mail for each agent whose first event on a profile is among these. An agent that asks
 * for access has a mail of its own, and one that holds a token was let in by its owner.
 */
export async function mailNewAgents(
  tx: Tx,
  { events, now }: { events: readonly ChainedEvent[]; now: Date },
): Promise<void> {
  const visits = events.filter(({ actor }) => actor === "agent");
  if (visits.length === 0) return;
  const asking = new Set(
    visits
      .filter(({ verb, subjectId }) => verb === "requestAccess" && subjectId !== null)
      .map(pairOf),
  );
  const pairs = [...new Map(visits.map((event) => [pairOf(event), event])).entries()]
    .filter(([pair]) => !asking.has(pair))
    .map(([, event]) => event);
  const arrivals = await tx.$queryRaw<Arrival[]>`
    SELECT m."userId", v."profileId", v."agentDid"
    FROM unnest(${pairs.map(({ profileId }) => profileId)}::int[], ${pairs.map(({ actorId }) => actorId)}::text[])
      AS v ("profileId", "agentDid")
    JOIN "Profile" p ON p.id = v."profileId"
    JOIN "Mailbox" m ON m."userId" = p."ownerId" AND m.agents
    WHERE NOT EXISTS (SELECT FROM "AccessEvent" e WHERE e."profileId" = v."profileId" AND e."actorId" = v."agentDid"
        AND e.id <> ALL (${events.map(({ id }) => id)}::text[]))
      AND NOT EXISTS (SELECT FROM "ConnectionToken" t
        WHERE t."profileId" = v."profileId" AND t."agentDid" = v."agentDid")`;
  for (const arrival of arrivals) await mailUser(tx, { kind: "new_agent", now, ...arrival });
}

function pairOf({ profileId, actorId }: ChainedEvent): string {
  return `${profileId} ${actorId}`;
}
