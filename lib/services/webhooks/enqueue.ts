import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { newId } from "@/lib/engine/random";

// Messages to agents with a webhook, written in the transaction of the change that they report.

export type AgentEventType =
  | "consent.decided"
  | "proposal.decided"
  | "access.revoked"
  | "access.restored"
  | "agent.state"
  | "webhook.test"
  | "more";

/** Its data are ids and states, never contents. */
export interface AgentEvent {
  agentDid: string;
  type: AgentEventType;
  data: Record<string, unknown>;
}

/** How many messages may wait for one agent. Behind them, one of type `more` stands for all others. */
export const waitingMax = 10_000;

/** The channel of the notification that a message was committed. */
export const deliveriesChannel = "deliveries";

/**
 * Adds messages to their agents' queues. Last in its transaction: it locks the webhooks, so that messages wait in the
 * order of the commits. An agent without a webhook gets none.
 */
export async function enqueue(
  tx: Tx,
  { now, events }: { now: Date; events: readonly AgentEvent[] },
): Promise<void> {
  if (events.length === 0) return;
  const agentDids = [...new Set(events.map(({ agentDid }) => agentDid))];
  const hooks = await tx.$queryRaw<{ agentDid: string }[]>`
    UPDATE "Webhook" w SET "dueAt" = CASE WHEN w.state = 'active' THEN coalesce(w."dueAt", ${now}) END
    FROM (SELECT "agentDid" FROM "Webhook" WHERE "agentDid" = ANY(${agentDids}::text[])
      ORDER BY "agentDid" FOR NO KEY UPDATE) locked
    WHERE w."agentDid" = locked."agentDid" RETURNING w."agentDid"`;
  if (hooks.length === 0) return;
  // A statement of its own, to see what was committed while the locks were waited for.
  const queues = await tx.$queryRaw<Queue[]>`
    SELECT did AS "agentDid", ${countWaiting(Prisma.sql`did`)} AS waiting, (SELECT kind = 'more' FROM "Delivery"
      WHERE ${isWaitingFor(Prisma.sql`did`)} ORDER BY recipient DESC, seq DESC LIMIT 1) AS "endsWithMore"
    FROM unnest(${hooks.map(({ agentDid }) => agentDid)}::text[]) AS did`;
  const added = queues.flatMap((queue) => accepted(queue, events));
  if (added.length === 0) return;
  const rows = added.map((event) => rowOf(event, now));
  await tx.$executeRaw`
    INSERT INTO "Delivery" (id, sink, recipient, kind, body, "dueAt", "madeAt")
    SELECT id, 'webhook', recipient, kind, body, ${now}, ${now}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(id text, recipient text, kind text, body jsonb)`;
  await wakeSenders(tx);
}

interface Queue {
  agentDid: string;
  waiting: number;
  endsWithMore: boolean | null;
}

/** Returns the events that fit into a queue, and one for all that do not. */
function accepted(queue: Queue, events: readonly AgentEvent[]): AgentEvent[] {
  const { agentDid, waiting, endsWithMore } = queue;
  const own = events.filter((event) => event.agentDid === agentDid);
  const room = Math.max(0, waitingMax - waiting);
  const fitting = own.slice(0, room);
  const isNamed = fitting.length === own.length || (fitting.length === 0 && endsWithMore === true);
  return isNamed ? fitting : [...fitting, { agentDid, type: "more", data: {} }];
}

function rowOf({ agentDid, type, data }: AgentEvent, now: Date) {
  const body = { type, timestamp: now.toISOString(), data };
  return { id: newId("msg"), recipient: agentDid, kind: type, body };
}

/**
 * A condition on a `"Delivery"`. A range in place of an equality, and `recipient` first in the order, keep the planner
 * from indexes without it: their rows may all be other agents'.
 */
export const isWaitingFor = (agentDid: Prisma.Sql) =>
  Prisma.sql`(recipient BETWEEN ${agentDid} AND ${agentDid} AND state = 'waiting')`;

/** How many messages wait for an agent, as far as they are counted. */
export const countWaiting = (agentDid: Prisma.Sql) => Prisma.sql`(SELECT count(*)::int FROM
  (SELECT FROM "Delivery" WHERE ${isWaitingFor(agentDid)} ORDER BY recipient, seq LIMIT ${waitingMax}) w)`;

/** When a webhook whose row is locked has to be worked on next: now, or null where nothing waits. */
export const nextDue = (agentDid: string, now: Date) => {
  const did = Prisma.sql`${agentDid}`;
  return Prisma.sql`(SELECT ${now}::timestamptz FROM "Delivery"
    WHERE ${isWaitingFor(did)} ORDER BY recipient, seq LIMIT 1)`;
};

/** Wakes what listens, once the transaction is committed. */
export async function wakeSenders(tx: Pick<Tx, "$executeRaw">): Promise<void> {
  await tx.$executeRaw`SELECT pg_notify(${deliveriesChannel}, '')`;
}

/** Deletes the messages to agents that have no webhook any more. */
export async function forgetDeliveries(tx: Tx, agentDids: readonly string[]): Promise<void> {
  await tx.delivery.deleteMany({ where: { recipient: { in: [...agentDids] } } });
}
