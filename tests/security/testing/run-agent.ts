import type { Engine } from "@/lib/engine/engine";
import { newId } from "@/lib/engine/random";
import { madeNow, mintAgent, type Owner } from "@/tests/support/personas";

/** An agent that its owner registered and runs: with a paused webhook, and messages that were sent to it. */
export async function giveRunAgent(
  engine: Engine,
  { userId, messages = 1 }: Pick<Owner, "userId"> & { messages?: number },
) {
  const { did } = await mintAgent(engine, { registeredBy: userId, origin: "user" });
  const url = "https://agent.example.com/webhook";
  await engine.db.webhook.create({
    data: {
      ...{ agentDid: did, url, secret: new Uint8Array(32) },
      ...{ state: "paused", stateReason: "It failed.", ...madeNow(engine) },
    },
  });
  const messageId = newId("msg");
  const [dueAt, madeAt, endedAt] = Array(3).fill(engine.now());
  const message = { sink: "webhook", kind: "webhook.test", body: {}, state: "done" } as const;
  const times = { dueAt, madeAt, endedAt };
  await engine.db.delivery.createMany({
    data: Array.from({ length: messages }, (_, index) => ({
      ...{ ...message, ...times, recipient: did, answer: "é".repeat(1_024) },
      id: index === 0 ? messageId : newId("msg"),
    })),
  });
  return { runDid: did, messageId };
}
