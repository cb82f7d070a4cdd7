import type { Engine } from "@/lib/engine/engine";
import { isToBeSent } from "@/lib/engine/metrics";
import type { DeliveryState, Sink } from "@/lib/engine/prisma-client/enums";
import { notFound } from "@/lib/protocol/errors";
import type { Ctx } from "../../context";
import { wakeSenders } from "../../webhooks/enqueue";
import { administer, refuseOthers } from "../administer";

export interface OutboxHealth {
  /** Whether a mail server is configured. */
  sendsMail: boolean;
  /** Why no mail goes out for a few minutes. */
  mailPausedBy: string | null;
  /** To be sent; what a paused webhook holds is not. */
  waiting: number;
  /** How long the oldest of them waits. */
  oldestSeconds: number;
  /** Given up within a day. */
  givenUp: number;
  pausedWebhooks: number;
}

/** Part of the gateway's health; its reader has been checked. */
export async function outboxHealth({ db, now }: Ctx, { mailer }: Engine): Promise<OutboxHealth> {
  const dayAgo = new Date(now.getTime() - 24 * 60 * 60_000);
  const [[waiting], givenUp, pausedWebhooks] = await Promise.all([
    db.$queryRaw<[{ count: number; oldest: Date | null }]>`
      SELECT count(*)::int, min("madeAt") AS oldest FROM "Delivery" WHERE ${isToBeSent}`,
    db.delivery.count({ where: { state: "given_up", endedAt: { gt: dayAgo } } }),
    db.webhook.count({ where: { state: "paused" } }),
  ]);
  const oldest = waiting.oldest?.getTime() ?? now.getTime();
  return {
    sendsMail: mailer !== null,
    mailPausedBy: mailer?.pausedBy(now) ?? null,
    waiting: waiting.count,
    oldestSeconds: Math.max(0, (now.getTime() - oldest) / 1_000),
    givenUp,
    pausedWebhooks,
  };
}

export interface DeliveryLine {
  seq: number;
  id: string;
  sink: Sink;
  kind: string;
  /** The address of a user; else as the delivery names it. */
  recipient: string;
  state: DeliveryState;
  attempts: number;
  dueAt: Date;
  answer: string | null;
  madeAt: Date;
  endedAt: Date | null;
}

interface DeliveriesQuery {
  state?: DeliveryState;
  before?: number;
  limit: number;
}

/** Lists messages, newest first: to whom, of what kind and what came of them, never what they say. */
export async function listDeliveries(
  ctx: Ctx,
  { state, before, limit }: DeliveriesQuery,
): Promise<{ deliveries: DeliveryLine[]; next: { at: Date; id: string } | null }> {
  refuseOthers(ctx);
  const rows = await ctx.db.delivery.findMany({
    where: { state, ...(before === undefined ? {} : { seq: { lt: before } }) },
    omit: { body: true, lease: true },
    orderBy: { seq: "desc" },
    take: limit + 1,
  });
  const users = await ctx.db.user.findMany({
    where: { id: { in: rows.map(({ recipient }) => recipient) } },
    select: { id: true, email: true },
  });
  const addresses = new Map(users.map(({ id, email }) => [id, email]));
  const deliveries = rows.slice(0, limit).map((row) => ({
    ...row,
    seq: Number(row.seq),
    recipient: addresses.get(row.recipient) ?? row.recipient,
  }));
  const last = rows.length > limit ? deliveries.at(-1) : undefined;
  return { deliveries, next: last ? { at: last.madeAt, id: String(last.seq) } : null };
}

/** Sends a mail that was given up once more. A webhook's deliveries are its agent's to repeat. */
export async function retryMail(ctx: Ctx, { id }: { id: string }): Promise<void> {
  await administer(ctx, {}, async ({ tx, record }) => {
    const { count } = await tx.delivery.updateMany({
      where: { id, state: "given_up", sink: { not: "webhook" } },
      data: { state: "waiting", attempts: 0, endedAt: null, dueAt: ctx.now, madeAt: ctx.now },
    });
    if (count === 0) throw notFound("mail that was given up");
    await record({ verb: "retryMail", subjectId: id });
    await wakeSenders(tx);
  });
}
