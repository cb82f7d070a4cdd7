import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { contextOf } from "@/lib/services/context";
import { deliverySinks } from "@/lib/services/gateway-jobs";
import { setWebhook } from "@/lib/services/webhooks/webhooks";
import { mailerTo, startMailServer } from "@/tests/support/connecting/mail-server";
import { type Receiver, startReceiver } from "@/tests/support/connecting/receiver";
import { testEngine, testNow } from "@/tests/support/harness";
import { giveProposal, mintAgent, mintOwner } from "@/tests/support/personas";
import { startDeliveries } from "./deliveries";

// From the commit that a message is about to the server that takes it, in the gateway's own loops.

const server = await startMailServer();
const made = await testEngine({ PUBLIC_URL: "https://gateway.test" });
const engine = { ...made, mailer: mailerTo(server, { now: made.now }) };
const { stop } = startDeliveries(engine, deliverySinks);
afterAll(stop);

const [hanging, quick] = [await startReceiver(), await startReceiver()];
hanging.answerBy(() => undefined);

/** An agent with a webhook. */
async function mintHooked(receiver: Receiver) {
  const agent = await mintAgent(engine);
  const { did, publicKey } = agent;
  const ctx = contextOf(engine, { kind: "agent", did, publicKey });
  await setWebhook(ctx, { did, url: receiver.url, allowsLoopback: true });
  return agent;
}

test("a request for access is at the mail server within two seconds", async () => {
  const owner = await mintOwner(engine);
  const data = { userId: owner.userId, stopKey: randomBytes(16), confirmedAt: testNow };
  await engine.db.mailbox.create({ data });
  const agent = await mintAgent(engine);
  const purpose = { type: "personalization" };
  const began = performance.now();
  const access = { did: owner.did, scopes: ["prof:health"], purpose };
  await expect(agent.client.requestAccess(access)).rejects.toMatchObject({ code: "PROF004" });
  await expect.poll(() => server.received, { interval: 5 }).toHaveLength(1);
  expect(performance.now() - began).toBeLessThan(2_000);
});

test("a decision is at its agent's webhook within a second, beside one that does not answer", async () => {
  const owner = await mintOwner(engine);
  for (const receiver of [hanging, quick]) {
    const agent = await mintHooked(receiver);
    const { profileId, did, client } = owner;
    const { id } = await giveProposal(engine, { profileId, agentDid: agent.did });
    const began = performance.now();
    await client.reviewProposal({ did, proposalId: id, action: "approve" });
    await expect.poll(receiver.requests, { interval: 5 }).toBe(1);
    expect(performance.now() - began).toBeLessThan(1_000);
  }
  expect(quick.messages).toMatchObject([{ type: "proposal.decided" }]);
});
