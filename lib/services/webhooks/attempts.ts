import { type Db, inTransaction, type Tx } from "@/lib/engine/db";
import type { Engine } from "@/lib/engine/engine";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { mailUser } from "../mail/enqueue";
import { isWaitingFor, nextDue } from "./enqueue";
import type { Secrets } from "./signature";

// What one turn of a webhook writes down. All of it only as long as the turn's lease is the webhook's: a turn that lost
// it changes nothing any more.

export interface Claim {
  agentDid: string;
  lease: string;
  /** Attempts since one was accepted. */
  failures: number;
}

export interface NextDelivery extends Secrets {
  seq: bigint;
  id: string;
  body: unknown;
  attempts: number;
  url: string;
}

export interface Answer {
  isAccepted: boolean;
  /** The receiver says that it is gone for good. */
  isGone: boolean;
  answer: string;
}

interface Attempted {
  claim: Claim;
  delivery: NextDelivery;
  answer: Answer;
}

/** The first message that waits, with its webhook's address and secrets of now; null also where the lease is lost. */
export async function nextDelivery(db: Db, { agentDid, lease }: Claim) {
  const [next] = await db.$queryRaw<NextDelivery[]>`
    SELECT d.seq, d.id, d.body, d.attempts, w.url, w.secret, w."formerSecret", w."formerUntil"
    FROM "Webhook" w CROSS JOIN LATERAL (SELECT * FROM "Delivery"
      WHERE ${isWaitingFor(Prisma.sql`w."agentDid"`)} ORDER BY recipient, seq LIMIT 1) d
    WHERE w."agentDid" = ${agentDid} AND w.lease = ${lease}::uuid`;
  return next ?? null;
}

export async function recordSuccess(
  { db, now }: Engine,
  { claim, delivery, answer }: Attempted,
): Promise<void> {
  await db.$executeRaw`UPDATE "Delivery" d SET state = 'done', attempts = d.attempts + 1,
      answer = ${answer.answer}, "endedAt" = ${now()}
    FROM "Webhook" w WHERE d.seq = ${delivery.seq} AND d.state = 'waiting'
      AND w."agentDid" = ${claim.agentDid} AND w.lease = ${claim.lease}::uuid`;
}

const attemptsMax = 8;
const dayMs = 24 * 60 * 60_000;
const firstPauseMs = 5_000;

/** A message that failed is due again later, and the others behind it. After eight attempts the webhook is paused. */
export async function recordFailure(engine: Engine, attempted: Attempted): Promise<void> {
  const now = engine.now();
  const { claim, delivery, answer } = attempted;
  const { agentDid, failures } = claim;
  const isOver = delivery.attempts + 1 >= attemptsMax;
  await inTransaction(engine.db, async (tx) => {
    if (!(await lockClaimed(tx, claim))) return;
    await tx.delivery.update({
      where: { seq: delivery.seq, state: "waiting" },
      data: {
        attempts: { increment: 1 },
        answer: answer.answer,
        ...(isOver && { state: "given_up", endedAt: now }),
      },
      select: { seq: true },
    });
    const reason = answer.isGone ? gone : isOver ? undelivered : null;
    const pauseMs =
      Math.min(dayMs, firstPauseMs * 4 ** (failures - 1)) * (0.75 + Math.random() / 2);
    await tx.webhook.update({
      where: { agentDid },
      data: {
        ...{ failures, lease: null, dueAt: new Date(now.getTime() + pauseMs) },
        ...(reason !== null && { state: "paused", stateReason: reason, dueAt: null }),
      },
      select: { agentDid: true },
    });
    if (reason !== null) await mailPause(tx, { agentDid, now });
  });
}

const gone = "The address answered 410: it takes no messages any more.";
const undelivered = "A message was given up after all attempts to deliver it had failed.";

/** Ends a turn in which nothing failed. What came in since is due at once. */
export async function release({ db, now }: Engine, claim: Claim): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (!(await lockClaimed(tx, claim))) return;
    // A statement of its own, to see what was added while the lock was waited for.
    await tx.$executeRaw`UPDATE "Webhook" SET failures = ${claim.failures}, lease = NULL,
        "dueAt" = ${nextDue(claim.agentDid, now())}
      WHERE "agentDid" = ${claim.agentDid}`;
  });
}

async function lockClaimed(tx: Tx, { agentDid, lease }: Claim): Promise<boolean> {
  const count = await tx.$executeRaw`SELECT FROM "Webhook"
    WHERE "agentDid" = ${agentDid} AND lease = ${lease}::uuid FOR NO KEY UPDATE`;
  return count === 1;
}

const pausedDaysMax = 3;
export const givenUpAtOnce = 10_000;

/** Job: gives up what has waited for a paused webhook for three days. */
export async function giveUpPaused(db: Db, now: Date): Promise<number> {
  const before = new Date(now.getTime() - pausedDaysMax * dayMs);
  return db.$executeRaw`UPDATE "Delivery" SET state = 'given_up', "endedAt" = ${now}
    WHERE state = 'waiting' AND "dueAt" < ${before} AND seq = ANY(ARRAY(
      SELECT d.seq FROM "Webhook" w CROSS JOIN LATERAL (SELECT * FROM "Delivery"
        WHERE ${isWaitingFor(Prisma.sql`w."agentDid"`)}) d
      WHERE w.state = 'paused' AND d."dueAt" < ${before} LIMIT ${givenUpAtOnce}))`;
}

interface Pause {
  agentDid: string;
  now: Date;
}

/** To the person who registered the agent, if there is one. */
async function mailPause(tx: Tx, { agentDid, now }: Pause): Promise<void> {
  const agent = await tx.agent.findUnique({
    where: { did: agentDid },
    select: { registeredBy: true },
  });
  const userId = agent?.registeredBy;
  if (userId) await mailUser(tx, { kind: "webhook_paused", now, userId, agentDid });
}
