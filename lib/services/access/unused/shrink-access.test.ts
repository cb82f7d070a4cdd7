import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveEvent,
  giveMemory,
  givePolicy,
  type Minted,
  madeNow,
  mintAgent,
  mintOwner,
  type Owner,
  type PolicyGiven,
  signedIn,
} from "@/tests/support/personas";
import { removePolicy, restorePolicy, undoSave } from "../../policies/remove";
import { revokeReceipt } from "../../receipts/revoke-receipt";
import { findUnused } from "./find-unused";
import { shrinkAccess } from "./shrink-access";

const engine = await testEngine({ LIMIT_ACCESS: "1000", LIMIT_PROFILE: "1000" });
const scope = "prof:health";
const both = ["prof:interests", scope];
let owner: Owner;
let agent: Minted;
let did: Owner["did"];

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  agent = await mintAgent(engine);
  did = owner.did;
  await giveMemory(engine, owner.profileId, { category: "prof:interests" });
  await giveMemory(engine, owner.profileId, { category: scope });
});

const daysAgo = (days: number) => new Date(testNow.getTime() - days * 24 * 60 * 60_000);

function rule(given: PolicyGiven = {}) {
  const old = { createdAt: daysAgo(90), updatedAt: daysAgo(90) };
  const named = { agentPattern: agent.did, allow: both };
  return givePolicy(engine, owner.profileId, { ...named, ...old, ...given });
}

// Each call a little later, so that events tell their order.
function me(of = owner) {
  engine.setNow(new Date(engine.now().getTime() + 1));
  return signedIn(engine, of);
}

const shrink = (policyId: string, one: string = scope) =>
  shrinkAccess(me(), { did, agentDid: agent.did, policyId, scope: one });

const row = (id: string) => engine.db.policy.findUnique({ where: { id } });

async function unused(): Promise<string[]> {
  const found = await findUnused(me(), { did, agentDid: agent.did });
  return found.map((one) => one.scope);
}

async function reads(): Promise<string[]> {
  return Object.keys((await agent.client.getProfile({ did })).data.memories).sort();
}

async function changes() {
  const events = await eventsOf(engine, owner.profileId);
  return events.filter(({ verb, outcome }) => verb === "editPolicies" && outcome === "ok");
}

describe("taking an unused scope away", () => {
  test("leaves the rest of the rule, and the agent has to ask again", async () => {
    const { id } = await rule();
    const { eventId, ...shrunk } = await shrink(id);
    expect(shrunk).toEqual({ isRemoved: false, isStillOpen: false });
    expect(await row(id)).toMatchObject({ allow: ["prof:interests"], enabled: true });
    expect(await changes()).toMatchObject([
      {
        ...{ id: eventId, subjectId: id, actorId: did },
        detail: {
          ...{ edited: { allow: ["prof:interests"] }, before: { allow: both } },
          shrunk: { agentDid: agent.did, scope, since: daysAgo(90).toISOString() },
        },
      },
    ]);
    expect(await reads()).toEqual(["prof:interests"]);
    await expect(agent.client.getProfile({ did, scopes: [scope] })).rejects.toMatchObject({
      code: "PROF004",
    });
    const events = await eventsOf(engine, owner.profileId);
    const refused = events.find(({ outcome }) => outcome === "PROF004");
    expect(refused?.reasons).toMatchObject({ [scope]: { rule: "no_allow" } });
  });

  test("removes a rule that has nothing else, and its undo brings it back", async () => {
    const { id } = await rule({ allow: [scope] });
    expect(await shrink(id)).toMatchObject({ isRemoved: true });
    expect(await row(id)).toBeNull();
    await restorePolicy(me(), { did, policyId: id });
    expect(await row(id)).toMatchObject({ allow: [scope], enabled: true });
    expect(await unused()).toEqual([scope]);
  });

  test("keeps what the rule denies", async () => {
    const { id } = await rule({ allow: [scope], deny: ["prof:health.sleep"] });
    expect(await shrink(id)).toMatchObject({ isRemoved: false });
    expect(await row(id)).toMatchObject({ allow: [], deny: ["prof:health.sleep"], enabled: true });
    await undoSave(me(), { did, policyId: id });
    expect(await row(id)).toMatchObject({ allow: [scope], deny: ["prof:health.sleep"] });
  });

  test("of a grant ends what its receipts open, until it is undone", async () => {
    const { id } = await rule({ origin: "consent", purposes: ["research"], allow: [scope] });
    await giveReceipt();
    expect(await shrink(id)).toMatchObject({ isRemoved: true, isStillOpen: false });
    expect(await reads()).toEqual([]);
    await restorePolicy(me(), { did, policyId: id });
    expect(await reads()).toEqual([scope]);
  });

  test("says if another rule still opens it", async () => {
    const [{ id }, other] = [await rule({ allow: [scope] }), await rule({ allow: [scope] })];
    expect(await shrink(id)).toMatchObject({ isStillOpen: true });
    expect(await shrink(other.id)).toMatchObject({ isStillOpen: false });
  });

  test("leaves the other unused scopes of the rule unused", async () => {
    const { id } = await rule();
    expect(await unused()).toEqual(both);
    await shrink(id);
    expect(await unused()).toEqual(["prof:interests"]);
    expect(await shrink(id, "prof:interests")).toMatchObject({ isRemoved: true });
  });

  test("tells the agent that it has lost the rule, once nothing is left", async () => {
    await giveWebhook();
    const { id } = await rule();
    await shrink(id);
    expect(await messages()).toEqual([]);
    await shrink(id, "prof:interests");
    const lost = { profile: did, receipts: [], tokens: [], policies: [id] };
    expect(await messages()).toMatchObject([{ type: "access.revoked", data: lost }]);
  });
});

describe("the undo", () => {
  test("restores the rule within ten minutes, and what was unused is so again", async () => {
    const { id } = await rule();
    const { eventId } = await shrink(id);
    await undoSave(me(), { did, policyId: id, eventId });
    expect(await row(id)).toMatchObject({ allow: both });
    expect(await unused()).toEqual(both);
    expect(await reads()).toEqual([scope, "prof:interests"]);
  });

  test("is too late after ten minutes", async () => {
    const { id } = await rule();
    const { eventId } = await shrink(id);
    engine.setNow(new Date(engine.now().getTime() + 10 * 60_000));
    await expect(undoSave(me(), { did, policyId: id, eventId })).rejects.toThrow("ten minutes");
  });

  test("of an older change does not undo a newer one", async () => {
    const { id } = await rule({ allow: [...both, "prof:financial"] });
    const { eventId } = await shrink(id);
    await shrink(id, "prof:financial");
    await expect(undoSave(me(), { did, policyId: id, eventId })).rejects.toThrow("changed since");
    expect(await row(id)).toMatchObject({ allow: ["prof:interests"] });
  });

  test("does not open again what a revoked receipt was for", async () => {
    const { id } = await rule({ origin: "consent", purposes: ["research"] });
    const receiptId = await giveReceipt();
    const { eventId } = await shrink(id);
    await revokeReceipt(me(), { did, receiptId });
    await expect(undoSave(me(), { did, policyId: id, eventId })).rejects.toThrow("revoked since");
    expect(await row(id)).toMatchObject({ allow: ["prof:interests"], enabled: true });
  });
});

describe("nothing is taken away", () => {
  test("if the agent has read it since it was shown", async () => {
    const { id } = await rule();
    expect(await unused()).toEqual(both);
    await agent.client.getProfile({ did, scopes: [scope] });
    await expect(shrink(id)).rejects.toMatchObject({
      code: "PROF006",
      message: "The agent has read it in the meantime. Nothing was taken away.",
    });
    expect(await row(id)).toMatchObject({ allow: both });
    expect(await changes()).toEqual([]);
  });

  test("if the rule was removed or never allowed it", async () => {
    const { id } = await rule();
    await expect(shrink(id, "prof:financial")).rejects.toThrow("changed in the meantime");
    await removePolicy(me(), { did, policyId: id });
    await expect(shrink(id)).rejects.toThrow("changed in the meantime");
  });

  test("if the rule is for other agents too, or for another one", async () => {
    const every = await rule({ agentPattern: "did:prof:agent:*:*" });
    const other = await rule({ agentPattern: "did:prof:agent:local:other" });
    await expect(shrink(every.id)).rejects.toThrow("changed in the meantime");
    await expect(shrink(other.id)).rejects.toThrow("changed in the meantime");
  });

  test("if events of the period were dropped since", async () => {
    const { id } = await rule();
    const detail = { before: daysAgo(30).toISOString() };
    const dropped = { profileId: owner.profileId, actorId: "gateway", verb: "dropEvents", detail };
    await giveEvent(engine, { ...dropped, actor: "system" });
    await expect(shrink(id)).rejects.toThrow("The log no longer shows");
  });

  test("by another person (403 PROF002), who leaves an event", async () => {
    const { id } = await rule();
    const other = await mintOwner(engine);
    await expect(
      shrinkAccess(me(other), { did, agentDid: agent.did, policyId: id, scope }),
    ).rejects.toMatchObject({ code: "PROF002" });
    expect(await row(id)).toMatchObject({ allow: both });
    expect((await eventsOf(engine, owner.profileId)).map((event) => event.outcome)).toEqual([
      "PROF002",
    ]);
  });
});

describe("at once", () => {
  test("the same scope is taken away once", async () => {
    const { id } = await rule();
    const all = await Promise.allSettled([shrink(id), shrink(id), shrink(id)]);
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await changes()).toHaveLength(1);
  });

  test("two scopes of a rule are both taken away", async () => {
    const { id } = await rule();
    await Promise.all(both.map((one) => shrink(id, one)));
    expect(await row(id)).toBeNull();
  });

  test("a read either keeps the scope or comes too late for it", async () => {
    const { id } = await rule();
    const read = agent.client.getProfile({ did, scopes: [scope] });
    const [shrunk, got] = await Promise.allSettled([shrink(id), read]);
    const isTaken = shrunk.status === "fulfilled";
    expect((await row(id))?.allow).toEqual(isTaken ? ["prof:interests"] : both);
    if (!isTaken) expect(got.status).toBe("fulfilled");
  });
});

async function giveReceipt(): Promise<string> {
  const id = newId("rcpt");
  const [grantedAt, expiresAt] = [engine.now(), new Date(engine.now().getTime() + 3_600_000)];
  const purpose = { purposeType: "research", grantedScopes: [scope], grantedAt, expiresAt };
  const between = { profileId: owner.profileId, agentDid: agent.did };
  await engine.db.receipt.create({ data: { id, ...between, ...purpose } });
  return id;
}

async function giveWebhook(): Promise<void> {
  const data = { agentDid: agent.did, url: "https://agent.example.com/", ...madeNow(engine) };
  await engine.db.webhook.create({ data: { ...data, secret: new Uint8Array(32) } });
}

async function messages() {
  const rows = await engine.db.delivery.findMany({ where: { recipient: agent.did } });
  return rows.map(({ body }) => body);
}
