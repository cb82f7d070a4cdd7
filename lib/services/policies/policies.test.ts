import { beforeEach, describe, expect, test } from "vitest";
import { everyAgent } from "@/lib/rules/facts";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveEvent,
  givePolicy,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { decideConsent, listPendingConsents } from "../access/consents";
import { restoreAccess } from "../access/restore";
import { revokeAgent } from "../access/revoke-agent";
import type { Ctx } from "../context";
import { revokeReceipt } from "../receipts/revoke-receipt";
import { issueToken, revokeToken } from "../tokens/tokens";
import { policiesMax } from "./bounds";
import { findPolicy, listPolicies } from "./list";
import { addPolicy, editPolicy, switchPolicy } from "./policies";
import type { PolicyInput } from "./policy-input";
import { removePolicy, restorePolicy, undoSave } from "./remove";
import { applyTemplate, restoreTemplate } from "./template";

const engine = await testEngine({ LIMIT_ACCESS: "1000", LIMIT_PROFILE: "1000" });
const input: PolicyInput = {
  agentPattern: everyAgent,
  verifiedOnly: false,
  allow: ["prof:interests"],
  deny: [],
  permissions: ["read"],
  purposes: [],
  maxRetention: null,
  receiptSeconds: null,
  expiresAt: null,
};
let owner: Owner;
let agent: Minted;
let did: Owner["did"];

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  agent = await mintAgent(engine);
  did = owner.did;
});

// Each call a little later, so that events tell their order.
function me(): Ctx {
  engine.setNow(new Date(engine.now().getTime() + 1));
  return signedIn(engine, owner);
}

function add(policy: Partial<PolicyInput> = {}): Promise<string> {
  return addPolicy(me(), { did, policy: { ...input, ...policy, origin: "owner" } });
}

async function find(policyId: string) {
  return findPolicy(me(), { did, policyId });
}

async function details(): Promise<unknown[]> {
  const events = await eventsOf(engine, owner.profileId);
  return events
    .filter(({ verb, outcome }) => verb === "editPolicies" && outcome === "ok")
    .map(({ detail }) => detail);
}

async function row(id: string) {
  return engine.db.policy.findUnique({ where: { id }, include: { tokens: true } });
}

function later(minutes: number): void {
  engine.setNow(new Date(testNow.getTime() + minutes * 60_000));
}

describe("a rule of the owner's", () => {
  test("is written, changed, switched off and on, each with its event", async () => {
    const id = await add();
    const shown = await find(id);
    const policy = { ...input, allow: ["prof:episodic"], receiptSeconds: 3_600 };
    await editPolicy(me(), { did, policyId: id, shownAs: shown?.updatedAt ?? testNow, policy });
    expect(await find(id)).toMatchObject({ ...policy, id, enabled: true, origin: "owner" });
    await switchPolicy(me(), { did, policyId: id, enabled: false });
    expect(await find(id)).toMatchObject({ enabled: false });
    await switchPolicy(me(), { did, policyId: id, enabled: true });
    expect(await find(id)).toMatchObject({ enabled: true });
    expect(await details()).toMatchObject([
      { added: { allow: ["prof:interests"] } },
      { edited: { allow: ["prof:episodic"] } },
      { enabled: false },
      { enabled: true },
    ]);
  });

  test("that was changed since it was shown is not changed again", async () => {
    const id = await add();
    const shown = await find(id);
    const edit = (scope: string) =>
      editPolicy(me(), {
        did,
        policyId: id,
        shownAs: shown?.updatedAt ?? testNow,
        policy: { ...input, allow: [scope] },
      });
    const all = await Promise.allSettled(["prof:one", "prof:two", "prof:three"].map(edit));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(edit("prof:four")).rejects.toThrow("changed elsewhere in the meantime");
    expect((await find(id))?.allow).not.toEqual(["prof:four"]);
  });

  test("is either edited or removed where both happen at once, and says so", async () => {
    const id = await add();
    const shownAs = (await find(id))?.updatedAt ?? testNow;
    const [edited, removed] = await Promise.allSettled([
      editPolicy(me(), { did, policyId: id, shownAs, policy: input }),
      removePolicy(me(), { did, policyId: id }),
    ]);
    expect(removed.status).toBe("fulfilled");
    expect(await find(id)).toBeNull();
    if (edited.status === "rejected")
      expect(edited.reason.message).toContain("removed in the meantime");
  });

  test.each([
    [new Date(testNow.getTime()), "Must end in the future."],
    [new Date("2036-03-03T00:00:00Z"), "At most ten years from now."],
  ])("cannot end at %s", async (expiresAt, message) => {
    await expect(add({ expiresAt })).rejects.toMatchObject({
      details: { issues: [{ path: "expiresAt", message }] },
    });
  });

  test("leaves what stands, and is listed as ended, once it runs out", async () => {
    const id = await add({ expiresAt: new Date(testNow.getTime() + 60_000) });
    expect((await listPolicies(me(), did)).standing.map((one) => one.id)).toEqual([id]);
    later(1);
    const { standing, ended } = await listPolicies(me(), did);
    expect([standing.map((one) => one.id), ended.map((one) => one.id)]).toEqual([[], [id]]);
  });
});

describe("a profile has at most two hundred rules", () => {
  beforeEach(async () => {
    await engine.db.policy.createMany({
      data: Array.from({ length: policiesMax - 1 }, (_, index) => ({
        createdAt: testNow,
        updatedAt: testNow,
        id: `pol_${owner.profileId}x${index}`,
        profileId: owner.profileId,
        agentPattern: everyAgent,
        origin: "owner" as const,
      })),
    });
  });

  test("and of those who add at once only the first is let in", async () => {
    const all = await Promise.allSettled([add(), add(), add()]);
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await expect(add()).rejects.toThrow("at most 200 rules");
    expect((await listPolicies(me(), did)).standing).toHaveLength(policiesMax);
  });

  test("and a grant or token beyond them is refused with nothing left behind", async () => {
    await add();
    const asking = agent.client.requestAccess({
      did,
      scopes: ["prof:health"],
      purpose: { type: "analysis" },
    });
    await expect(asking).rejects.toMatchObject({ code: "PROF004" });
    const [request] = await listPendingConsents(me(), did);
    const requestId = request?.id ?? "";
    const grant = { did, requestId, scopes: ["prof:health"], choice: "once" } as const;
    await expect(decideConsent(me(), grant)).rejects.toThrow("at most 200 rules");
    expect(await listPendingConsents(me(), did)).toHaveLength(1);
    const token = { did, agentDid: agent.did, scopes: ["prof:*"], permissions: ["read"] } as const;
    await expect(issueToken(me(), token)).rejects.toThrow("at most 200 rules");
    expect(await engine.db.connectionToken.count({ where: { agentDid: agent.did } })).toBe(0);
  });

  test("and what has ended does not count, nor come back beyond them", async () => {
    const id = await add();
    await removePolicy(me(), { did, policyId: id });
    await add();
    await expect(restorePolicy(me(), { did, policyId: id })).rejects.toThrow("at most 200 rules");
    await engine.db.policy.updateMany({
      where: { profileId: owner.profileId },
      data: { expiresAt: testNow },
    });
    await restorePolicy(me(), { did, policyId: id });
  });
});

describe("a saved rule is undone", () => {
  async function edit(policyId: string, policy: Partial<PolicyInput>) {
    const shownAs = (await find(policyId))?.updatedAt ?? testNow;
    await editPolicy(me(), { did, policyId, shownAs, policy: { ...input, ...policy } });
  }

  test("by removing it, if it was new; and can then be restored", async () => {
    const id = await add();
    expect(await undoSave(me(), { did, policyId: id })).toBe("removed");
    expect(await find(id)).toBeNull();
    await restorePolicy(me(), { did, policyId: id });
    expect(await find(id)).toMatchObject({ allow: ["prof:interests"] });
  });

  test("by giving it its terms of before, if it was edited", async () => {
    const expiresAt = new Date(testNow.getTime() + 60 * 60_000);
    const id = await add({ expiresAt, deny: ["prof:health"] });
    await edit(id, { allow: ["prof:episodic"], permissions: ["propose"] });
    expect(await undoSave(me(), { did, policyId: id })).toBe("restored");
    const terms = { allow: ["prof:interests"], deny: ["prof:health"], permissions: ["read"] };
    expect(await find(id)).toMatchObject({ ...terms, expiresAt });
  });

  test("no more once it was changed since, or after ten minutes", async () => {
    const id = await add();
    await switchPolicy(me(), { did, policyId: id, enabled: false });
    const undo = () => undoSave(me(), { did, policyId: id });
    await expect(undo()).rejects.toThrow("changed since");
    await edit(id, { allow: ["prof:episodic"] });
    later(11);
    await expect(undo()).rejects.toThrow("more than ten minutes ago");
    expect(await find(id)).toMatchObject({ allow: ["prof:episodic"] });
  });

  test.each(["resetPassword", "transferProfile"])("no more after %s", async (verb) => {
    const id = await add();
    await edit(id, { allow: ["prof:episodic"] });
    await giveEvent(engine, {
      profileId: owner.profileId,
      actorId: owner.userId,
      verb,
      at: engine.now(),
    });
    await expect(undoSave(me(), { did, policyId: id })).rejects.toMatchObject({ code: "PROF006" });
    expect(await find(id)).toMatchObject({ allow: ["prof:episodic"] });
  });

  test("by its owner only", async () => {
    const id = await add();
    const stranger = signedIn(engine, await mintOwner(engine));
    const undoing = undoSave(stranger, { did, policyId: id });
    await expect(undoing).rejects.toMatchObject({ code: "PROF002" });
    expect(await find(id)).not.toBeNull();
  });
});

describe("a removed rule", () => {
  test("comes back as it was, with its id", async () => {
    const id = await add({ purposes: ["analysis"], expiresAt: new Date("2027-01-01T00:00:00Z") });
    await switchPolicy(me(), { did, policyId: id, enabled: false });
    const before = await row(id);
    await removePolicy(me(), { did, policyId: id });
    expect(await row(id)).toBeNull();
    await restorePolicy(me(), { did, policyId: id });
    expect(await row(id)).toEqual(before);
    await expect(restorePolicy(me(), { did, policyId: id })).rejects.toThrow("back already");
    expect(await details()).toMatchObject([
      {},
      {},
      { removed: { policy: { id, purposes: ["analysis"] }, tokens: [] } },
      { restored: true },
    ]);
  });

  test("is gone for good after ten minutes", async () => {
    const id = await add();
    await removePolicy(me(), { did, policyId: id });
    later(11);
    await expect(restorePolicy(me(), { did, policyId: id })).rejects.toThrow("ten minutes");
  });

  test("of a token comes back with the token, unless that was revoked", async () => {
    const scopes = ["prof:interests"];
    const query = { did, agentDid: agent.did, scopes, permissions: ["read"] } as const;
    const { id: tokenId } = await issueToken(me(), query);
    const [policy] = (await listPolicies(me(), did)).standing;
    const id = policy?.id ?? "";
    expect(policy).toMatchObject({ origin: "token", token: { isLive: true, label: null } });
    const before = await row(id);
    await removePolicy(me(), { did, policyId: id });
    await restorePolicy(me(), { did, policyId: id });
    expect(await row(id)).toEqual(before);
    await removePolicy(me(), { did, policyId: id });
    await revokeToken(me(), { did, tokenId });
    await expect(restorePolicy(me(), { did, policyId: id })).rejects.toThrow("token has ended");
    expect(await row(id)).toBeNull();
  });

  test("of an agent that was disconnected since stays removed", async () => {
    const { id } = await givePolicy(engine, owner.profileId, {
      agentPattern: agent.did,
      origin: "consent",
    });
    await removePolicy(me(), { did, policyId: id });
    await revokeAgent(me(), { did, agentDid: agent.did });
    await expect(restorePolicy(me(), { did, policyId: id })).rejects.toThrow("disconnected since");
  });
});

describe("a removed rule stays removed where since then", () => {
  async function removed(given: Parameters<typeof givePolicy>[2]) {
    const { id } = await givePolicy(engine, owner.profileId, given);
    await removePolicy(me(), { did, policyId: id });
    return id;
  }

  async function askedTwice() {
    const asking = agent.client.requestAccess({
      did,
      scopes: ["prof:interests", "prof:health"],
      purpose: { type: "analysis" },
    });
    await expect(asking).rejects.toMatchObject({ code: "PROF004" });
    const [request] = await listPendingConsents(me(), did);
    return { did, requestId: request?.id ?? "" };
  }

  async function staysRemoved(id: string, reason: string) {
    await expect(restorePolicy(me(), { did, policyId: id })).rejects.toThrow(reason);
    expect(await row(id)).toBeNull();
  }

  test.each([
    ["resetPassword", "The password was reset since"],
    ["transferProfile", "The profile was handed over since"],
  ])("%s is in the log", async (verb, reason) => {
    const id = await removed({ origin: "owner" });
    const { profileId, userId: actorId } = owner;
    await giveEvent(engine, { profileId, actorId, verb, at: me().now });
    await staysRemoved(id, reason);
  });

  test("another template was chosen", async () => {
    const id = await removed({ origin: "template" });
    await applyTemplate(me(), { did, template: "private" });
    await staysRemoved(id, "A template was chosen since");
  });

  test.each([
    ["denied", { scopes: [], choice: "once" }],
    ["granted with less", { scopes: ["prof:interests"], choice: "once" }],
  ] as const)("its agent's request for the purpose was %s", async (_how, { scopes, choice }) => {
    const id = await removed({
      agentPattern: agent.did,
      origin: "consent",
      allow: ["prof:interests", "prof:health"],
      purposes: ["analysis"],
    });
    await decideConsent(me(), { ...(await askedTwice()), scopes: [...scopes], choice });
    await staysRemoved(id, "for the same purpose was answered since");
  });
});

describe("a removed grant whose receipt was revoked since", () => {
  async function granted() {
    const scopes = ["prof:interests"];
    const purpose = { type: "analysis" };
    const asking = agent.client.requestAccess({ did, scopes, purpose });
    await expect(asking).rejects.toMatchObject({ code: "PROF004" });
    const [request] = await listPendingConsents(me(), did);
    await decideConsent(me(), {
      did,
      requestId: request?.id ?? "",
      scopes,
      choice: "until_revoked",
    });
    const where = { profileId: owner.profileId };
    const { id: receiptId } = await engine.db.receipt.findFirstOrThrow({ where });
    const { id } = await engine.db.policy.findFirstOrThrow({
      where: { ...where, origin: "consent" },
    });
    return { id, receiptId };
  }

  test("stays removed, until the revocation is undone", async () => {
    const { id, receiptId } = await granted();
    await removePolicy(me(), { did, policyId: id });
    const { eventId } = await revokeReceipt(me(), { did, receiptId });
    await expect(restorePolicy(me(), { did, policyId: id })).rejects.toThrow("revoked since");
    expect(await row(id)).toBeNull();
    await restoreAccess(me(), { did, eventId });
    await restorePolicy(me(), { did, policyId: id });
    expect(await row(id)).not.toBeNull();
  });

  test.each([
    ["another purpose", { purposes: ["support"] }],
    ["other scopes", { allow: ["prof:health"] }],
  ])("comes back where it is for %s", async (_, other) => {
    const { receiptId } = await granted();
    const grant = {
      agentPattern: agent.did,
      origin: "consent" as const,
      allow: ["prof:interests"],
    };
    const { id } = await givePolicy(engine, owner.profileId, { ...grant, ...other });
    await removePolicy(me(), { did, policyId: id });
    await revokeReceipt(me(), { did, receiptId });
    await restorePolicy(me(), { did, policyId: id });
    expect(await row(id)).not.toBeNull();
  });
});

describe("a rule that is not the owner's own", () => {
  test.each(["template", "consent", "token"] as const)(
    "but of a %s is not edited, but switched off and removed",
    async (origin) => {
      const { id, updatedAt } = await givePolicy(engine, owner.profileId, {
        origin,
        agentPattern: agent.did,
      });
      const edit = { did, policyId: id, shownAs: updatedAt, policy: input };
      await expect(editPolicy(me(), edit)).rejects.toThrow("Only a rule of your own");
      await switchPolicy(me(), { did, policyId: id, enabled: false });
      await removePolicy(me(), { did, policyId: id });
      expect(await row(id)).toBeNull();
    },
  );

  test("but of a token that was revoked is not switched on again", async () => {
    const { id } = await givePolicy(engine, owner.profileId, { origin: "token", enabled: false });
    const on = { did, policyId: id, enabled: true };
    await expect(switchPolicy(me(), on)).rejects.toThrow("token has ended");
  });
});

describe("a template", () => {
  test("takes the place of another, leaves what the owner wrote, and is taken back", async () => {
    const own = await add();
    await applyTemplate(me(), { did, template: "balanced" });
    const before = (await listPolicies(me(), did)).standing;
    expect(before.map(({ origin }) => origin)).toEqual(["owner", "template", "template"]);
    const changing = me();
    await applyTemplate(changing, { did, template: "open" });
    const open = (await listPolicies(me(), did)).standing;
    expect(open).toHaveLength(2);
    expect(open.map(({ id }) => id)).toContain(own);
    await restoreTemplate(me(), { did, requestId: changing.requestId });
    const ids = (await listPolicies(me(), did)).standing.map(({ id }) => id).sort();
    expect(ids).toEqual(before.map(({ id }) => id).sort());
    expect(await details()).toMatchObject([
      {},
      { template: "balanced" },
      { template: "open", added: [expect.any(String)], removed: [{}, {}] },
      { takenBack: "open" },
    ]);
  });

  test("that was changed since is not taken back", async () => {
    const changing = me();
    await applyTemplate(changing, { did, template: "open" });
    await applyTemplate(me(), { did, template: "private" });
    const back = restoreTemplate(me(), { did, requestId: changing.requestId });
    await expect(back).rejects.toThrow("changed since");
  });
});

test("an unknown policy is not found", async () => {
  const policyId = "pol_nobodys";
  await expect(removePolicy(me(), { did, policyId })).rejects.toMatchObject({ code: "PROF003" });
  await expect(switchPolicy(me(), { did, policyId, enabled: true })).rejects.toMatchObject({
    code: "PROF003",
  });
});

test("a stranger does nothing of this, and the owner reads of each attempt", async () => {
  const policyId = await add();
  const stranger = signedIn(engine, await mintOwner(engine));
  const attempts = [
    () => addPolicy(stranger, { did, policy: { ...input, origin: "owner" } }),
    () => editPolicy(stranger, { did, policyId, shownAs: testNow, policy: input }),
    () => switchPolicy(stranger, { did, policyId, enabled: false }),
    () => removePolicy(stranger, { did, policyId }),
    () => restorePolicy(stranger, { did, policyId }),
    () => applyTemplate(stranger, { did, template: "open" }),
    () => restoreTemplate(stranger, { did, requestId: "req_1" }),
    () => listPolicies(stranger, did),
    () => findPolicy(stranger, { did, policyId }),
  ];
  for (const attempt of attempts)
    await expect(attempt()).rejects.toMatchObject({ code: "PROF002" });
  const events = await eventsOf(engine, owner.profileId);
  expect(events.filter(({ outcome }) => outcome === "PROF002")).toHaveLength(attempts.length);
  expect(await find(policyId)).toMatchObject({ enabled: true });
});

test("one owner's rules are not another's to change", async () => {
  const policyId = await add();
  const other = await mintOwner(engine);
  const ctx = signedIn(engine, other);
  await expect(removePolicy(ctx, { did: other.did, policyId })).rejects.toMatchObject({
    code: "PROF003",
  });
  expect(await find(policyId)).not.toBeNull();
});
