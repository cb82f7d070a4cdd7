import type { Tx } from "@/lib/engine/db";
import { parseDid } from "@/lib/protocol/did";
import { isRefused } from "../activity/kinds";
import type { ChainedEvent } from "./event-chain";

interface Day {
  did: string;
  day: string;
  requests: number;
  denied: number;
  lastSeenAt: Date;
}

/** Counts what agents did on all profiles, outside of their requests: each event is counted once. */
export async function countAgents(tx: Tx, events: readonly ChainedEvent[]): Promise<void> {
  const days = [...countedByDay(events).values()];
  if (days.length === 0) return;
  await tx.$executeRaw`INSERT INTO "AgentDay" (did, day, requests, denied)
     SELECT * FROM unnest(${days.map(({ did }) => did)}::text[], ${days.map(({ day }) => day)}::date[], ${days.map(({ requests }) => requests)}::int[], ${days.map(({ denied }) => denied)}::int[])
     ON CONFLICT (did, day) DO UPDATE SET requests = "AgentDay".requests + excluded.requests,
       denied = "AgentDay".denied + excluded.denied`;
  await tx.$executeRaw`UPDATE "Agent" a SET "lastSeenAt" = s.at
     FROM (SELECT did, max(at) AS at FROM unnest(${days.map(({ did }) => did)}::text[], ${days.map(({ lastSeenAt }) => lastSeenAt)}::timestamptz[]) AS d (did, at)
           GROUP BY did) s
     JOIN (SELECT did FROM "Agent" WHERE did = ANY (${days.map(({ did }) => did)}) ORDER BY did FOR NO KEY UPDATE) held USING (did)
     WHERE a.did = s.did AND (a."lastSeenAt" IS NULL OR a."lastSeenAt" < s.at)`;
}

function countedByDay(events: readonly ChainedEvent[]): Map<string, Day> {
  const days = new Map<string, Day>();
  for (const event of events) {
    const { actor, actorId: did, at } = event;
    // A user's key that asks for another profile is no agent of the registry, and may be erased by now.
    if (actor !== "agent" || parseDid(did)?.kind !== "agent") continue;
    const day = at.toISOString().slice(0, 10);
    const before = days.get(`${day} ${did}`);
    days.set(`${day} ${did}`, {
      did,
      day,
      requests: (before?.requests ?? 0) + 1,
      denied: (before?.denied ?? 0) + (isRefused(event) ? 1 : 0),
      lastSeenAt: before !== undefined && before.lastSeenAt > at ? before.lastSeenAt : at,
    });
  }
  return days;
}
