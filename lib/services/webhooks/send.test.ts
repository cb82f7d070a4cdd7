import { beforeEach, describe, expect, test, vi } from "vitest";
import { inTransaction } from "@/lib/engine/db";
import { newId } from "@/lib/engine/random";
import { startReceiver, stopClock } from "@/tests/support/connecting/receiver";
import { testEngine, testNow } from "@/tests/support/harness";
import { type Minted, mintAgent, mintOwner } from "@/tests/support/personas";
import { outboxHealth } from "../admin/system/outbox";
import { contextOf } from "../context";
import { giveUpPaused } from "./attempts";
import { listDeliveries, replayDelivery } from "./deliveries";
import { enqueue, waitingMax } from "./enqueue";
import { sendWebhooks } from "./send";
import { findWebhook, resumeWebhook, rotateSecret, setWebhook, testWebhook } from "./webhooks";

stopClock();
const engine = await testEngine();
const receiver = await startReceiver();
const second = await startReceiver();
let agent: Minted;

const agentCtx = ({ did, publicKey }: Minted = agent) =>
  contextOf(engine, { kind: "agent", did, publicKey });
const set = async (whose = agent, url = receiver.url) => {
  const input = { did: whose.did, url, allowsLoopback: true };
  const { secret } = await setWebhook(agentCtx(whose), input);
  return secret ?? "";
};
const event = (number: number, whose = agent) =>
  ({ agentDid: whose.did, type: "webhook.test", data: { number } }) as const;
const add = (...events: ReturnType<typeof event>[]) =>
  inTransaction(engine.db, (tx) => enqueue(tx, { now: engine.now(), events }));
const numbers = (of = receiver) => of.messages.map(({ data }) => data.number);
const setNow = (now: Date) => {
  engine.setNow(now);
  vi.setSystemTime(now);
};
const pass = (seconds: number) => setNow(new Date(engine.now().getTime() + seconds * 1_000));
const log = async (whose = agent) =>
  (await listDeliveries(agentCtx(whose), { did: whose.did, limit: 100 })).deliveries;
const send = (options = {}) => sendWebhooks(engine, options);
const answer = (status: number, text = "") =>
  receiver.answerBy((_request, response) => response.writeHead(status).end(text));

beforeEach(async () => {
  setNow(testNow);
  await engine.db.delivery.deleteMany();
  await engine.db.webhook.deleteMany();
  for (const one of [receiver, second]) {
    one.messages.length = 0;
    one.answerBy(null);
  }
  agent = await mintAgent(engine);
  receiver.trust(await set());
});

describe("a message", () => {
  test("arrives signed, with its id, and is done with the answer in the log", async () => {
    const { id } = await testWebhook(agentCtx(), agent.did);
    expect(await send()).toBe(1);
    expect(receiver.messages).toEqual([
      { id, type: "webhook.test", timestamp: testNow.toISOString(), data: {} },
    ]);
    expect(await log()).toMatchObject([
      { id, state: "done", attempts: 1, answer: "204", endedAt: testNow },
    ]);
    expect(await send()).toBe(0);
  });

  test("of a change that is rolled back is not sent", async () => {
    const failing = inTransaction(engine.db, async (tx) => {
      await enqueue(tx, { now: testNow, events: [event(1)] });
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    expect(await send()).toBe(0);
  });

  test("to an agent without a webhook leaves no row", async () => {
    const other = await mintAgent(engine);
    await add(event(1, other));
    expect(await engine.db.delivery.count()).toBe(0);
  });

  test("is told to those that listen at the commit", async () => {
    const client = await engine.pool.connect();
    try {
      await client.query("LISTEN deliveries");
      const notified = new Promise<string>((resolve) =>
        client.once("notification", ({ channel }) => resolve(channel)),
      );
      await add(event(1));
      expect(await notified).toBe("deliveries");
    } finally {
      await client.query("UNLISTEN *");
      client.release();
    }
  });
});

test("messages arrive in the order of their commits, each once, also where two instances send", async () => {
  const all = Array.from({ length: 250 }, (_, index) => index);
  for (const number of all) await add(event(number));
  const counts = await Promise.all([send(), send(), send()]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(all.length);
  expect(numbers()).toEqual(all);
});

test("messages of changes that commit at the same time arrive in the order of the log", async () => {
  const all = Array.from({ length: 30 }, (_, index) => index);
  await Promise.all(all.map((number) => add(event(number))));
  await send();
  const logged = (await log()).toReversed().map(({ message }) => message);
  expect(receiver.messages.map(({ data }) => ({ data }))).toEqual(
    logged.map((message) => ({ data: Reflect.get(Object(message), "data") })),
  );
  expect(receiver.messages).toHaveLength(all.length);
});

describe("an attempt that fails", () => {
  test.each([301, 307, 400, 401, 429, 500])(
    "%i is tried again, and nothing behind it is sent before",
    async (status) => {
      await add(event(1), event(2));
      answer(status, "why");
      expect(await send()).toBe(1);
      expect((await log()).toReversed()).toMatchObject([
        { state: "waiting", attempts: 1, answer: `${status} why` },
        { state: "waiting", attempts: 0, answer: null },
      ]);
      receiver.answerBy(null);
      pass(3);
      expect(await send()).toBe(0);
      pass(4);
      expect(await send()).toBe(2);
      expect(numbers()).toEqual([1, 2]);
    },
  );

  test("comes again after 5 s, then each time four times later, give or take a quarter", async () => {
    await add(event(1));
    answer(503);
    for (const seconds of [5, 20, 80, 320, 1_280, 5_120, 20_480]) {
      await send();
      const { dueAt } = await engine.db.webhook.findUniqueOrThrow({
        where: { agentDid: agent.did },
      });
      const wait = ((dueAt?.getTime() ?? 0) - engine.now().getTime()) / 1_000;
      expect(wait / seconds).toBeGreaterThanOrEqual(0.75);
      expect(wait / seconds).toBeLessThanOrEqual(1.25);
      pass(wait);
    }
  });

  test("counts from one again after a message that was accepted", async () => {
    await add(event(1), event(2));
    answer(503);
    await send();
    pass(7);
    let count = 0;
    receiver.answerBy((_request, response) => response.writeHead(++count === 1 ? 200 : 503).end());
    await send();
    const { failures } = await engine.db.webhook.findUniqueOrThrow({
      where: { agentDid: agent.did },
    });
    expect(failures).toBe(1);
  });

  test("keeps of the answer the first kilobyte, as text that a database takes", async () => {
    await add(event(1));
    answer(500, `\0${"ü".repeat(10_000)}`);
    await send();
    const [{ answer: kept } = { answer: null }] = await log();
    expect(kept).toMatch(/^500 {2}ü+.?$/);
    expect(kept?.length).toBeLessThanOrEqual(1_024);
  });

  test("is one where the receiver hangs, until the deadline, and others are sent to in the time", async () => {
    const other = await mintAgent(engine);
    await set(other, second.url);
    receiver.answerBy(() => undefined);
    await add(event(1), event(2, other), event(3, other));
    const sending = send({ msMax: 500 });
    await vi.waitFor(() => expect(second.messages).toHaveLength(2));
    expect((await log())[0]).toMatchObject({ attempts: 0 });
    expect(await sending).toBe(3);
    expect((await log())[0]).toMatchObject({ state: "waiting", attempts: 1 });
    expect((await log())[0]?.answer).toContain("could not be reached");
  });

  test("is none where the receiver answers 10 MB: the rest is not read", async () => {
    await add(event(1));
    answer(200, "x".repeat(10_000_000));
    await send();
    expect(await log()).toMatchObject([{ state: "done", answer: `200 ${"x".repeat(1_020)}` }]);
  });
});

describe("a message that fails eight times", () => {
  const failEightTimes = async () => {
    answer(500);
    for (let tries = 1; tries <= 8; tries++) {
      await engine.db.webhook.updateMany({ data: { dueAt: testNow } });
      expect(await send()).toBe(1);
    }
  };

  test("is given up, and the webhook is paused with what waits behind it", async () => {
    await add(event(1), event(2));
    await failEightTimes();
    expect((await log()).toReversed()).toMatchObject([
      { state: "given_up", attempts: 8, answer: "500", endedAt: testNow },
      { state: "waiting", attempts: 0 },
    ]);
    expect(await findWebhook(agentCtx(), agent.did)).toMatchObject({
      state: "paused",
      stateReason: "A message was given up after all attempts to deliver it had failed.",
      waiting: 1,
    });
    await add(event(3));
    receiver.answerBy(null);
    pass(100_000);
    expect(await send()).toBe(0);
    await resumeWebhook(agentCtx(), agent.did);
    expect(await send()).toBe(2);
    expect(numbers()).toEqual([2, 3]);
  });

  test("is mailed to the user who registered the agent, at most five times an hour", async () => {
    const owner = await mintOwner(engine);
    await engine.db.mailbox.create({
      data: { userId: owner.userId, stopKey: new Uint8Array(16), confirmedAt: testNow },
    });
    await engine.db.agent.update({
      where: { did: agent.did },
      data: { registeredBy: owner.userId, origin: "user" },
    });
    for (let pauses = 1; pauses <= 7; pauses++) {
      await add(event(1));
      await failEightTimes();
      const mails = await engine.db.delivery.findMany({ where: { sink: "mail_now" } });
      expect(mails).toHaveLength(Math.min(pauses, 5));
      expect(mails[0]).toMatchObject({
        ...{ recipient: owner.userId, kind: "webhook_paused", body: { agentDid: agent.did } },
      });
      await resumeWebhook(agentCtx(), agent.did);
    }
  });

  test("mails nobody whose address is not confirmed", async () => {
    const { userId } = await mintOwner(engine);
    const data = { registeredBy: userId, origin: "user" } as const;
    await engine.db.agent.update({ where: { did: agent.did }, data });
    await add(event(1));
    await failEightTimes();
    expect(await engine.db.delivery.count({ where: { sink: "mail_now" } })).toBe(0);
  });

  test("mails nobody where the agent registered itself", async () => {
    await add(event(1));
    await failEightTimes();
    expect(await engine.db.delivery.count({ where: { sink: "mail_now" } })).toBe(0);
  });
});

test("410 pauses the webhook at once, and keeps the message", async () => {
  await add(event(1));
  answer(410);
  await send();
  expect(await log()).toMatchObject([{ state: "waiting", attempts: 1, answer: "410" }]);
  expect(await findWebhook(agentCtx(), agent.did)).toMatchObject({ state: "paused", waiting: 1 });
  receiver.answerBy(null);
  await resumeWebhook(agentCtx(), agent.did);
  expect(await send()).toBe(1);
  expect(numbers()).toEqual([1]);
});

describe("what waits in a pause", () => {
  beforeEach(async () => {
    await add(event(1));
    answer(410);
    await send();
  });
  const health = () => outboxHealth(agentCtx(), engine);

  test("does not count as waiting to be sent", async () => {
    expect(await health()).toMatchObject({ waiting: 0, oldestSeconds: 0, pausedWebhooks: 1 });
    expect(await findWebhook(agentCtx(), agent.did)).toMatchObject({ waiting: 1 });
    await resumeWebhook(agentCtx(), agent.did);
    expect(await health()).toMatchObject({ waiting: 1, pausedWebhooks: 0 });
  });

  test("is given up after three days, and not before", async () => {
    pass(3 * 86_400);
    expect(await giveUpPaused(engine.db, engine.now())).toBe(0);
    await add(event(2));
    pass(1);
    expect(await giveUpPaused(engine.db, engine.now())).toBe(1);
    expect((await log()).map(({ state }) => state)).toEqual(["waiting", "given_up"]);
  });

  test("has its attempts, and three days again, from the end of the pause on", async () => {
    pass(3 * 86_400);
    await resumeWebhook(agentCtx(), agent.did);
    answer(500);
    await send();
    expect(await log()).toMatchObject([{ state: "waiting", attempts: 2 }]);
    expect(await giveUpPaused(engine.db, engine.now())).toBe(0);
  });
});

test("another address lets a paused webhook go on, there", async () => {
  await add(event(1));
  answer(410);
  await send();
  second.trust("whsec_AAAA");
  expect(await set(agent, second.url)).toBe("");
  second.answerBy((_request, response) => response.writeHead(200).end());
  expect(await send()).toBe(1);
  expect([receiver.requests() > 0, second.requests() > 0]).toEqual([true, true]);
});

test("an answer of the former address changes nothing of the new one", async () => {
  await add(event(1));
  second.trust("whsec_AAAA");
  receiver.answerBy(async (_request, response) => {
    await set(agent, second.url);
    response.writeHead(410).end();
  });
  second.answerBy((_request, response) => response.writeHead(200).end());
  await send();
  expect(await findWebhook(agentCtx(), agent.did)).toMatchObject({ state: "active" });
  await send();
  expect(await log()).toMatchObject([{ state: "done", attempts: 1, answer: "200" }]);
});

describe("a replay", () => {
  test("sends the message once more under its id, whether it was done or given up", async () => {
    const { id } = await testWebhook(agentCtx(), agent.did);
    await send();
    await replayDelivery(agentCtx(), { did: agent.did, id });
    pass(3 * 86_400);
    expect(await send()).toBe(1);
    expect(receiver.messages.map((message) => message.id)).toEqual([id, id]);
  });

  test("has attempts of its own", async () => {
    const { id } = await testWebhook(agentCtx(), agent.did);
    await engine.db.delivery.update({
      where: { id },
      data: { attempts: 8, state: "given_up", endedAt: testNow },
    });
    await replayDelivery(agentCtx(), { did: agent.did, id });
    answer(500);
    await send();
    expect(await log()).toMatchObject([{ id, state: "waiting", attempts: 1 }]);
  });

  test("is refused for what waits already, and for the message of another agent", async () => {
    const { id } = await testWebhook(agentCtx(), agent.did);
    const again = replayDelivery(agentCtx(), { did: agent.did, id });
    await expect(again).rejects.toMatchObject({ code: "PROF006" });
    const other = await mintAgent(engine);
    await set(other);
    const stolen = replayDelivery(agentCtx(other), { did: other.did, id });
    await expect(stolen).rejects.toMatchObject({ code: "PROF003" });
  });
});

describe("a rotation", () => {
  test("lets a receiver verify with either secret for a day, then with the new one", async () => {
    const { secret } = await rotateSecret(agentCtx(), agent.did);
    await add(event(1));
    await send();
    expect(numbers()).toEqual([1]);
    receiver.trust(secret);
    await add(event(2));
    await send();
    expect(numbers()).toEqual([1, 2]);
  });

  test("reaches the very next message of a turn that has begun", async () => {
    await add(event(1), event(2));
    let rotating: Promise<{ secret: string }> | undefined;
    receiver.answerBy((_request, response) => {
      rotating = rotateSecret(agentCtx(), agent.did);
      void rotating.then(({ secret }) => {
        receiver.trust(secret);
        receiver.answerBy(null);
        response.writeHead(200).end();
      });
    });
    await send();
    expect(numbers()).toEqual([2]);
  });
});

describe("a sender that dies", () => {
  test("leaves a lease that ends after two minutes: the message is sent again under its id", async () => {
    const { id } = await testWebhook(agentCtx(), agent.did);
    const dying = { ...engine, post: () => Promise.reject(new Error("killed")) };
    expect(await sendWebhooks(dying)).toBe(0);
    expect(await send()).toBe(0);
    pass(121);
    expect(await send()).toBe(1);
    expect(receiver.messages.map((message) => message.id)).toEqual([id]);
  });

  test("changes nothing after its lease was given to another", async () => {
    await add(event(1));
    let sendAgain: Promise<number> | undefined;
    const slow: typeof engine.post = async () => {
      pass(121);
      sendAgain = send();
      await sendAgain;
      return { status: 500, text: "too late" };
    };
    expect(await sendWebhooks({ ...engine, post: slow })).toBe(1);
    expect(await log()).toMatchObject([{ state: "done", attempts: 1, answer: "204" }]);
    expect(await findWebhook(agentCtx(), agent.did)).toMatchObject({ state: "active" });
  });
});

test("a stop lets the attempt under way end, and begins no other", async () => {
  const stopping = new AbortController();
  await add(event(1), event(2));
  receiver.answerBy((_request, response) => {
    stopping.abort();
    response.writeHead(200).end();
  });
  expect(await send({ signal: stopping.signal })).toBe(1);
  receiver.answerBy(null);
  expect(await send()).toBe(1);
  expect(numbers()).toEqual([2]);
});

test("at 10,000 waiting messages one of type more takes the place of all others", async () => {
  const row = { sink: "webhook", recipient: agent.did, kind: "webhook.test", body: {} } as const;
  await engine.db.delivery.createMany({
    data: Array.from({ length: waitingMax - 1 }, () => ({
      ...{ ...row, id: newId("msg"), dueAt: testNow, madeAt: testNow },
    })),
  });
  const kinds = async () =>
    (await log())
      .slice(0, 3)
      .toReversed()
      .map(({ type, message }) => (type === "more" ? type : Reflect.get(Object(message), "data")));
  await add(event(1), event(2), event(3));
  await add(event(4));
  expect(await kinds()).toEqual([undefined, { number: 1 }, "more"]);
  const ended = { state: "done", endedAt: testNow } as const;
  const end = async (count: number) => {
    const first = await engine.db.delivery.findMany({
      ...{ where: { state: "waiting" }, orderBy: { seq: "asc" }, take: count },
    });
    const seq = { in: first.map((one) => one.seq) };
    await engine.db.delivery.updateMany({ where: { seq }, data: ended });
  };
  await end(1);
  await add(event(5));
  expect(await kinds()).toEqual([undefined, { number: 1 }, "more"]);
  await end(1);
  await add(event(6));
  expect(await kinds()).toEqual([{ number: 1 }, "more", { number: 6 }]);
});

test("an address that turns out to be private gets no request", async () => {
  const before = second.requests();
  await engine.db.webhook.update({
    where: { agentDid: agent.did },
    data: { url: second.url.replace("http:", "https:") },
  });
  await add(event(1));
  await send();
  expect((await log())[0]?.answer).toContain("public internet");
  expect(second.requests()).toBe(before);
});
