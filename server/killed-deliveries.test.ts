import { afterAll, expect, test } from "vitest";
import { inTransaction } from "@/lib/engine/db";
import { contextOf } from "@/lib/services/context";
import { mailAddress } from "@/lib/services/mail/enqueue";
import { enqueue, wakeSenders } from "@/lib/services/webhooks/enqueue";
import { setWebhook } from "@/lib/services/webhooks/webhooks";
import { startMailServer } from "@/tests/support/connecting/mail-server";
import { startReceiver } from "@/tests/support/connecting/receiver";
import { testEngine } from "@/tests/support/harness";
import { mintAgent } from "@/tests/support/personas";
import { type Program, run } from "@/tests/support/processes";

// Two processes send from one database. One of them is killed while both send, and started again, many times.
const kills = 100;
const perRound = 12;

const { port, received } = await startMailServer({ secure: false });
const { url, messages } = await startReceiver();
const engine = await testEngine();
const { db } = engine;
engine.setNow(new Date());

const env = {
  NODE_ENV: "test",
  DATABASE_URL: engine.env.DATABASE_URL ?? "",
  SMTP_URL: `smtp://localhost:${port}`,
  MAIL_FROM: "gateway@gateway.test",
};
const senders: Program[] = [];
afterAll(() => Promise.all(senders.map((sender) => sender.stop("SIGKILL"))));

async function startSender(index: number): Promise<void> {
  const sender = run(["server/run.mjs", "tests/support/second-process/sender.ts"], env);
  senders[index] = sender;
  await sender.says(/^sending$/m);
}

/** Null for an exit by a signal: a number would say that the process ended by itself. */
async function kill(index: number): Promise<void> {
  expect(await senders[index]?.stop("SIGKILL"), senders[index]?.output()).toBeNull();
}

async function mintHooked(): Promise<string> {
  const { did, publicKey } = await mintAgent(engine);
  const ctx = contextOf(engine, { kind: "agent", did, publicKey });
  await setWebhook(ctx, { did, url, allowsLoopback: true });
  return did;
}

const isCommitted = (number: number) => number % 3 !== 0;

/** A mail and a message under one number, in a transaction of which every third is rolled back. */
async function write(number: number, agentDid: string): Promise<void> {
  const written = inTransaction(db, async (tx) => {
    const now = new Date();
    const address = `${number}@kills.test`;
    await mailAddress(tx, { kind: "security", event: "address_left", now, address });
    await enqueue(tx, { now, events: [{ agentDid, type: "webhook.test", data: { number } }] });
    if (!isCommitted(number)) throw new Error("rolled back");
  });
  if (isCommitted(number)) await written;
  else await expect(written).rejects.toThrow("rolled back");
}

/** Leases last a second instead of two minutes: longer than a sender that lives works under one here. */
async function shortenLeases(): Promise<void> {
  await db.$executeRaw`UPDATE "Delivery" SET "dueAt" = now()
    WHERE lease IS NOT NULL AND state = 'waiting' AND "dueAt" < now() + interval '119 seconds'`;
  await db.$executeRaw`UPDATE "Webhook" SET "dueAt" = now()
    WHERE lease IS NOT NULL AND "dueAt" < now() + interval '119 seconds'`;
  await wakeSenders(db);
}

const arrivals = () => received.length + messages.length;

test(`of ${kills} kills, what was committed arrives under one id, and what was rolled back does not`, async () => {
  const agents = [await mintHooked(), await mintHooked(), await mintHooked(), await mintHooked()];
  await Promise.all([startSender(0), startSender(1)]);
  for (let round = 0; round < kills; round++) {
    await shortenLeases();
    // As many mails as are committed do arrive, so a number below that comes in any case.
    const count = arrivals() + (round % 8);
    const writing = (async () => {
      for (let index = 0; index < perRound; index++) {
        await write(round * perRound + index, agents[index % agents.length] ?? "");
      }
    })();
    const killing = (async () => {
      await expect.poll(arrivals, { interval: 5 }).toBeGreaterThanOrEqual(count);
      await kill(round % 2);
      await startSender(round % 2);
    })();
    await Promise.all([writing, killing]);
  }
  const waiting = async () => {
    await shortenLeases();
    return db.delivery.count({ where: { state: "waiting" } });
  };
  await expect.poll(waiting, { timeout: 30_000, interval: 100 }).toBe(0);

  const written = Array.from({ length: kills * perRound }, (_, number) => number);
  const committed = written.filter(isCommitted);
  expect(await db.delivery.count({ where: { state: "done" } })).toBe(2 * committed.length);
  expect(await db.delivery.count()).toBe(2 * committed.length);
  const mails = received.map(({ to, mail }) => [mail.messageId, Number.parseInt(to[0] ?? "", 10)]);
  for (const arrived of [mails, messages.map(({ id, data }) => [id, data.number])]) {
    // A number that arrived under two ids is listed twice.
    const numbers = [...new Map(arrived.map(([id, number]) => [id, Number(number)])).values()];
    expect(numbers.toSorted((one, other) => one - other)).toEqual(committed);
    // Otherwise no kill came between a delivery and its mark.
    expect(arrived.length).toBeGreaterThan(committed.length);
  }
}, 900_000);
