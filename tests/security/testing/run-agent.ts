import type { Engine } from "@/lib/engine/engine";
import { newId } from "@/lib/engine/random";
import { madeNow, mintAgent, type Owner } from "@/tests/support/personas";

/** An agent that its owner registered and runs: with a paused webhook, and a message that was sent to it. */
export async function giveRunAgent(engine: Engine, { userId }: Pick<Owner, "userId">) {
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
  await engine.db.delivery.create({
    data: { ...message, id: messageId, recipient: did, dueAt, madeAt, endedAt },
  });
  return { runDid: did, messageId };
}
