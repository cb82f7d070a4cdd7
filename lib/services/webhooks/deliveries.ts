import { Prisma } from "@/lib/engine/prisma-client/client";
import type { DeliveryState } from "@/lib/engine/prisma-client/enums";
import type { Did } from "@/lib/protocol/did";
import { notFound, notNow } from "@/lib/protocol/errors";
import type { Ctx } from "../context";
import { pageOf } from "../page";
import { wakeSenders } from "./enqueue";
import { changeWebhook, demandWebhookReader } from "./webhook-gate";

export interface ShownDelivery {
  id: string;
  type: string;
  state: DeliveryState;
  /** As it is sent. */
  message: unknown;
  attempts: number;
  /** Of the last attempt: the status and the beginning of the body, or why there was none. */
  answer: string | null;
  madeAt: Date;
  endedAt: Date | null;
}

export interface DeliveriesQuery {
  did: Did;
  /** The last message of the page before. */
  after?: string;
  limit: number;
}

/** Lists an agent's messages, newest first. */
export async function listDeliveries(
  ctx: Ctx,
  { did, after, limit }: DeliveriesQuery,
): Promise<{ deliveries: ShownDelivery[]; next: string | null }> {
  await demandWebhookReader(ctx, did);
  const isAfter = after
    ? Prisma.sql`seq < (SELECT seq FROM "Delivery" WHERE id = ${after} AND recipient = ${did})`
    : Prisma.sql`true`;
  const rows = await ctx.db.$queryRaw<ShownDelivery[]>`
    SELECT id, kind AS type, state, body AS message, attempts, answer, "madeAt", "endedAt" FROM "Delivery"
    -- A range, for the index that begins with the recipient.
    WHERE recipient BETWEEN ${did} AND ${did} AND ${isAfter} ORDER BY recipient, seq DESC LIMIT ${limit + 1}`;
  const { page, last } = pageOf(rows, { limit });
  return { deliveries: page, next: last?.id ?? null };
}

/** Sends a message once more, under its id. */
export async function replayDelivery(ctx: Ctx, { did, id }: { did: Did; id: string }) {
  await changeWebhook(ctx, { did }, async (tx) => {
    const locked = await tx.$executeRaw`UPDATE "Webhook"
      SET "dueAt" = CASE WHEN state = 'active' THEN coalesce("dueAt", ${ctx.now}) END WHERE "agentDid" = ${did}`;
    const own = { id, recipient: did };
    if (locked === 0 || (await tx.delivery.count({ where: own })) === 0) throw notFound("message");
    const { count } = await tx.delivery.updateMany({
      where: { ...own, state: { not: "waiting" } },
      data: { state: "waiting", attempts: 0, dueAt: ctx.now, endedAt: null },
    });
    if (count === 0) throw notNow("It waits to be sent already; nothing was changed.");
    await wakeSenders(tx);
  });
}
