import { beforeEach, expect, test } from "vitest";
import { testEngine, testNow } from "@/tests/support/harness";
import { type Minted, mintAgent, mintOwner, type Owner, signedIn } from "@/tests/support/personas";
import { decideConsent, findConsent, listPendingConsents } from "../access/consents";
import { revokeAgent } from "../access/revoke-agent";
import { findKnownAgent } from "../agents/known/find-known";
import { listProfileAgents } from "../agents/known/list-known";
import { issueToken } from "../tokens/tokens";
import { listReceipts } from "./list-receipts";

const engine = await testEngine({ LIMIT_ACCESS: "1000" });
const scopes = ["prof:interests"];
let owner: Owner;
let agent: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  agent = await mintAgent(engine, { verified: true });
});

function ctx() {
  return signedIn(engine, owner);
}

function ask() {
  const purpose = { type: "personalization", retention: "7d" };
  return agent.client.requestAccess({ did: owner.did, scopes, purpose });
}

async function grant(choice: "once" | "30d"): Promise<string> {
  await expect(ask()).rejects.toMatchObject({ code: "PROF004" });
  const [request] = await listPendingConsents(ctx(), owner.did);
  const requestId = request?.id ?? "";
  await decideConsent(ctx(), { did: owner.did, requestId, scopes, choice });
  return requestId;
}

async function states(state?: "active" | "expired" | "revoked") {
  const { receipts } = await listReceipts(ctx(), { did: owner.did, state, limit: 10 });
  return receipts.map((receipt) => receipt.state);
}

function hours(count: number): Date {
  return new Date(testNow.getTime() + count * 3_600_000);
}

test("receipts are listed newest first, each in the state of this instant", async () => {
  await grant("30d");
  engine.setNow(hours(25));
  await ask();
  expect(await states()).toEqual(["active", "expired"]);
  await revokeAgent(ctx(), { did: owner.did, agentDid: agent.did });
  expect(await states()).toEqual(["revoked", "expired"]);
  expect(await states("expired")).toEqual(["expired"]);
  expect(await states("active")).toEqual([]);
  const { receipts } = await listReceipts(ctx(), { did: owner.did, limit: 1 });
  expect(receipts[0]).toMatchObject({
    agent: { did: agent.did, name: "Iris", verified: true },
    grantedScopes: scopes,
    purposeType: "personalization",
    retention: "7d",
    revokedAt: hours(25),
  });
});

test("pages follow each other without a gap, also among receipts of one instant", async () => {
  await grant("30d");
  for (let count = 0; count < 6; count++) await ask();
  const seen: string[] = [];
  let after: { grantedAt: Date; id: string } | undefined;
  for (;;) {
    const page = await listReceipts(ctx(), { did: owner.did, after, limit: 3 });
    seen.push(...page.receipts.map(({ id }) => id));
    after = page.receipts.at(-1);
    if (!page.hasMore) break;
  }
  expect(new Set(seen).size).toBe(7);
  expect(seen).toHaveLength(7);
});

const connected = async () => {
  const input = { did: owner.did, standing: "connected", limit: 10 } as const;
  return (await listProfileAgents(ctx(), input)).agents.map(({ agent: { did } }) => did);
};

test("an agent is connected while it holds something of its own, and all of that is named", async () => {
  expect(await connected()).toEqual([]);
  const requestId = await grant("once");
  await issueToken(ctx(), {
    did: owner.did,
    agentDid: agent.did,
    scopes: ["prof:episodic"],
    permissions: ["read", "propose"],
    label: "Laptop",
  });
  expect(await connected()).toEqual([agent.did]);
  const held = await findKnownAgent(ctx(), { did: owner.did, agentDid: agent.did });
  expect(held).toMatchObject({
    agent: { did: agent.did, name: "Iris", verified: true },
    receipts: [{ purposeType: "personalization" }],
    requests: 0,
    tokens: [{ label: "Laptop" }],
  });
  const until = new Date(testNow.getTime() + 900_000);
  expect(held?.grants).toContainEqual({ scopes, expiresAt: until });
  expect(await findConsent(ctx(), { did: owner.did, requestId })).toMatchObject({
    status: "granted",
    grantedScopes: scopes,
    decidedAt: testNow,
    grant: { enabled: true, expiresAt: until },
  });
  await revokeAgent(ctx(), { did: owner.did, agentDid: agent.did });
  expect(await connected()).toEqual([]);
});

test("a request that waits connects nobody yet", async () => {
  await expect(ask()).rejects.toMatchObject({ code: "PROF004" });
  expect(await connected()).toEqual([]);
});

test("the list is its owner's alone", async () => {
  const stranger = signedIn(engine, await mintOwner(engine));
  const listing = listReceipts(stranger, { did: owner.did, limit: 1 });
  await expect(listing).rejects.toMatchObject({ code: "PROF002" });
});
