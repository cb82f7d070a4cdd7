import { expect, test } from "vitest";
import { startReceiver } from "@/tests/support/connecting/receiver";
import { testEngine, testNow } from "@/tests/support/harness";
import { mintAgent } from "@/tests/support/personas";
import { contextOf } from "../context";
import { sendWebhooks } from "./send";
import { setWebhook } from "./webhooks";

const engine = await testEngine();
const [dead, ...alive] = await Promise.all(Array.from({ length: 10 }, startReceiver));
const perReceiver = 1_000;

test("of 10,000 messages for ten receivers, one of which hangs, those of the nine are done within a minute", async () => {
  dead?.answerBy(() => undefined);
  for (const receiver of [...(dead ? [dead] : []), ...alive]) {
    const { did, publicKey } = await mintAgent(engine);
    const ctx = contextOf(engine, { kind: "agent", did, publicKey });
    await setWebhook(ctx, { did, url: receiver.url, allowsLoopback: true });
    await engine.db
      .$executeRaw`INSERT INTO "Delivery" (id, sink, recipient, kind, body, "dueAt", "madeAt")
      SELECT 'msg_' || md5(${did} || n)::varchar(28), 'webhook', ${did}, 'webhook.test',
        jsonb_build_object('type', 'webhook.test', 'data', jsonb_build_object('number', n)), ${testNow}, ${testNow}
      FROM generate_series(1, ${perReceiver}::int) n`;
  }
  await engine.db.webhook.updateMany({ data: { dueAt: testNow } });
  const began = performance.now();
  const attempts = await sendWebhooks(engine);
  expect(performance.now() - began).toBeLessThan(60_000);
  expect(attempts).toBe(alive.length * perReceiver + 1);
  const inOrder = Array.from({ length: perReceiver }, (_, index) => index + 1);
  for (const { messages } of alive)
    expect(messages.map(({ data }) => data.number)).toEqual(inOrder);
}, 200_000);
