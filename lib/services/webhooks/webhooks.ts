import { randomBytes } from "node:crypto";
import type { Tx } from "@/lib/engine/db";
import { whyNotPosted } from "@/lib/engine/outbound/public-post";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { WebhookState } from "@/lib/engine/prisma-client/enums";
import type { Did } from "@/lib/protocol/did";
import { invalidRequest, notFound, notNow } from "@/lib/protocol/errors";
import type { Ctx } from "../context";
import {
  countWaiting,
  enqueue,
  forgetDeliveries,
  isWaitingFor,
  nextDue,
  waitingMax,
  wakeSenders,
} from "./enqueue";
import { secretText } from "./signature";
import { changeWebhook, demandWebhookReader } from "./webhook-gate";

export const urlLengthMax = 2_000;

export interface ShownWebhook {
  url: string;
  state: WebhookState;
  /** Why it is paused. */
  stateReason: string | null;
  /** Until when messages are signed with the former secret as well; null where there is none. */
  formerSecretUntil: Date | null;
  /** Messages that wait; 10,000 are the most. */
  waiting: number;
  createdAt: Date;
  updatedAt: Date;
}

/** Returns an agent's webhook; null where it has none. */
export async function findWebhook(ctx: Ctx, did: Did): Promise<ShownWebhook | null> {
  await demandWebhookReader(ctx, did);
  return loadWebhook(ctx.db, { did, now: ctx.now });
}

interface Loading {
  did: Did;
  now: Date;
}

async function loadWebhook(
  db: Pick<Tx, "$queryRaw">,
  { did, now }: Loading,
): Promise<ShownWebhook | null> {
  const [webhook] = await db.$queryRaw<ShownWebhook[]>`
    SELECT url, state, "stateReason", "createdAt", "updatedAt",
      CASE WHEN "formerUntil" > ${now} THEN "formerUntil" END AS "formerSecretUntil",
      ${countWaiting(Prisma.sql`"agentDid"`)} AS waiting
    FROM "Webhook" WHERE "agentDid" = ${did}`;
  return webhook ?? null;
}

interface WebhookInput {
  did: Did;
  url: string;
  /** In development: http addresses of this machine are possible. */
  allowsLoopback: boolean;
}

/** Sends an agent's messages to an address. Returns the secret that signs them where it is new: it is shown once. */
export async function setWebhook(
  ctx: Ctx,
  { did, url, allowsLoopback }: WebhookInput,
): Promise<{ webhook: ShownWebhook; secret: string | null }> {
  return changeWebhook(ctx, { verb: "setWebhook", did, lasting: true }, async (tx) => {
    const address = addressIn(url, allowsLoopback);
    const secret = newSecret();
    const times = { createdAt: ctx.now, updatedAt: ctx.now };
    const { count } = await tx.webhook.createMany({
      data: { agentDid: did, url: address, secret, ...times },
      skipDuplicates: true,
    });
    if (count === 0) {
      await tx.webhook.update({ where: { agentDid: did }, data: { url: address } });
      await activate(tx, { did, now: ctx.now });
    }
    const webhook = await loadWebhook(tx, { did, now: ctx.now });
    if (webhook === null) throw notFound("webhook");
    return { webhook, secret: count === 0 ? null : secretText(secret) };
  });
}

function addressIn(url: string, allowsLoopback: boolean): string {
  const message =
    whyNotPosted(url, { allowsLoopback }) ??
    (new URL(url).href.length > urlLengthMax
      ? `Must have at most ${urlLengthMax} characters.`
      : "");
  if (message !== "") throw invalidRequest([{ path: "url", message }]);
  return new URL(url).href;
}

function newSecret(): Uint8Array<ArrayBuffer> {
  return new Uint8Array(randomBytes(32));
}

/** For so long after a rotation, messages are signed with the former secret as well. */
const overlapMs = 24 * 60 * 60_000;

/** Gives a webhook another secret, which is shown once. */
export async function rotateSecret(
  ctx: Ctx,
  did: Did,
): Promise<{ secret: string; formerSecretUntil: Date }> {
  return changeWebhook(ctx, { verb: "rotateWebhookSecret", did, lasting: true }, async (tx) => {
    const secret = newSecret();
    const formerSecretUntil = new Date(ctx.now.getTime() + overlapMs);
    const count =
      await tx.$executeRaw`UPDATE "Webhook" SET "formerSecret" = secret, secret = ${secret},
      "formerUntil" = ${formerSecretUntil}, "updatedAt" = ${ctx.now} WHERE "agentDid" = ${did}`;
    if (count === 0) throw notFound("webhook");
    return { secret: secretText(secret), formerSecretUntil };
  });
}

/** Its messages go with it. */
export async function removeWebhook(ctx: Ctx, did: Did): Promise<void> {
  await changeWebhook(ctx, { verb: "removeWebhook", did }, async (tx) => {
    const { count } = await tx.webhook.deleteMany({ where: { agentDid: did } });
    if (count === 0) throw notFound("webhook");
    await forgetDeliveries(tx, [did]);
  });
}

/** Sends a message that reports nothing. Returns its id. */
export async function testWebhook(ctx: Ctx, did: Did): Promise<{ id: string }> {
  return changeWebhook(ctx, { did }, async (tx) => {
    const type = "webhook.test";
    await enqueue(tx, { now: ctx.now, events: [{ agentDid: did, type, data: {} }] });
    const last = await tx.delivery.findFirst({
      where: { recipient: did, kind: type, state: "waiting", madeAt: ctx.now },
      orderBy: { seq: "desc" },
      select: { id: true },
    });
    if (last !== null) return last;
    if ((await tx.webhook.count({ where: { agentDid: did } })) === 0) throw notFound("webhook");
    throw notNow(`${waitingMax} messages wait already, the most that can. Nothing was sent.`);
  });
}

/** Lets a paused webhook go on with the messages that wait. */
export async function resumeWebhook(ctx: Ctx, did: Did): Promise<void> {
  await changeWebhook(ctx, { verb: "resumeWebhook", did }, async (tx) => {
    const paused = { agentDid: did, state: "paused" } as const;
    if ((await tx.webhook.count({ where: paused })) === 0) {
      throw notNow("It is not paused; nothing was changed.");
    }
    await activate(tx, { did, now: ctx.now });
  });
}

async function activate(tx: Tx, { did, now }: Loading): Promise<void> {
  await tx.$executeRaw`SELECT FROM "Webhook" WHERE "agentDid" = ${did} FOR NO KEY UPDATE`;
  // A statement of its own, to see what was added while the lock was waited for. Without its lease, an attempt that is
  // under way changes nothing: it may have gone to the former address.
  await tx.$executeRaw`UPDATE "Webhook" SET state = 'active', "stateReason" = NULL, failures = 0, "updatedAt" = ${now},
      lease = NULL, "dueAt" = ${nextDue(did, now)}
    WHERE "agentDid" = ${did}`;
  // What waited in the pause has as much time again as what is new.
  await tx.$executeRaw`UPDATE "Delivery" SET "dueAt" = ${now} WHERE ${isWaitingFor(Prisma.sql`${did}`)}`;
  await wakeSenders(tx);
}
