import { describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { agentDid, type Did } from "@/lib/protocol/did";
import { clientOf, testEngine } from "@/tests/support/harness";
import {
  eventsOf,
  giveEvent,
  givePolicy,
  giveToken,
  mintAdmin,
  mintAgent,
  mintKeyPair,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { verifyActivity } from "../activity/verify-activity";
import { sealEvents } from "../audit/seal-events";
import type { Ctx } from "../context";
import { activeKeysMax, addKey, revokeKey } from "./keys";
import { listKeys } from "./list-keys";
import { agentsPerUserMax, registerAgent } from "./register";

const engine = await testEngine();

const newKey = () => Buffer.from(mintKeyPair().publicKey);
const root = await mintAdmin(engine);
const admin = (): Ctx => ({ ...root.ctx, now: engine.now() });
const keysOf = (did: Did) => engine.db.key.findMany({ where: { did }, orderBy: { slot: "asc" } });
const adminEventsOf = (did: Did) =>
  engine.db.adminEvent.findMany({
    where: { subjectId: did },
    orderBy: [{ at: "asc" }, { verb: "asc" }],
  });
const purpose = { type: "personalization", description: "To greet." } as const;
const proposal = { category: "prof:interests", confidence: 0.9 };
const refusal = (work: Promise<unknown>) => work.then(() => null).catch(({ code }) => code);

describe("an owner's keys", () => {
  test("are added and revoked by the owner who is signed in, with an event each", async () => {
    const owner = await mintOwner(engine);
    const ctx = signedIn(engine, owner);
    const { id } = await addKey(ctx, { did: owner.did, publicKey: newKey(), label: "Laptop" });
    expect(await keysOf(owner.did)).toMatchObject([{ slot: 1 }, { id, slot: 2, label: "Laptop" }]);
    await revokeKey(ctx, { did: owner.did, keyId: id });
    const [, revoked] = await keysOf(owner.did);
    expect(revoked).toMatchObject({ id, slot: null, revokedAt: ctx.now });
    const events = await eventsOf(engine, owner.profileId);
    const event = { verb: "editKeys", outcome: "ok", subjectId: id };
    for (const change of ["addKey", "revokeKey"]) {
      expect(events).toContainEqual(expect.objectContaining({ ...event, detail: { change } }));
    }
    expect(events).toHaveLength(2);
  });

  test("the revoked one signs no more, with the very next request", async () => {
    const owner = await mintOwner(engine);
    expect((await owner.client.getProfile({ did: owner.did })).status).toBe(200);
    const [key] = await keysOf(owner.did);
    await revokeKey(signedIn(engine, owner), { did: owner.did, keyId: key?.id ?? "" });
    expect(await refusal(owner.client.getProfile({ did: owner.did }))).toBe("PROF001");
  });

  test("somebody else is refused, and the owner reads of it", async () => {
    const owner = await mintOwner(engine);
    const other = signedIn(engine, await mintOwner(engine));
    const [key] = await keysOf(owner.did);
    expect(await refusal(addKey(other, { did: owner.did, publicKey: newKey() }))).toBe("PROF002");
    const revoking = revokeKey(other, { did: owner.did, keyId: key?.id ?? "" });
    expect(await refusal(revoking)).toBe("PROF002");
    const byKey: Ctx = { ...other, caller: { kind: "user", ...owner } };
    expect(await refusal(addKey(byKey, { did: owner.did, publicKey: newKey() }))).toBe("PROF002");
    expect(await keysOf(owner.did)).toHaveLength(1);
    const outcomes = (await eventsOf(engine, owner.profileId)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(["PROF002", "PROF002", "PROF002"]);
  });

  test("a key of another DID is not found", async () => {
    const owner = await mintOwner(engine);
    const [key] = await keysOf((await mintOwner(engine)).did);
    const revoking = revokeKey(signedIn(engine, owner), { did: owner.did, keyId: key?.id ?? "" });
    expect(await refusal(revoking)).toBe("PROF003");
  });
});

describe("five at a time", () => {
  test("of ten that come at once four find a slot beside the first", async () => {
    const owner = await mintOwner(engine);
    const ctx = signedIn(engine, owner);
    const added = await Promise.all(
      Array.from({ length: 10 }, () =>
        refusal(addKey(ctx, { did: owner.did, publicKey: newKey() })),
      ),
    );
    expect(added.filter((code) => code === null)).toHaveLength(activeKeysMax - 1);
    expect(added.filter((code) => code === "PROF006")).toHaveLength(6);
    expect((await keysOf(owner.did)).map(({ slot }) => slot)).toEqual([1, 2, 3, 4, 5]);
  });

  test("a revoked one makes room, and never comes back itself", async () => {
    const owner = await mintOwner(engine);
    const ctx = signedIn(engine, owner);
    const publicKey = newKey();
    const { id } = await addKey(ctx, { did: owner.did, publicKey });
    await revokeKey(ctx, { did: owner.did, keyId: id });
    expect(await refusal(addKey(ctx, { did: owner.did, publicKey }))).toBe("PROF006");
    await addKey(ctx, { did: owner.did, publicKey: newKey() });
    expect((await keysOf(owner.did)).map(({ slot }) => slot)).toEqual([1, 2, null]);
  });
});

describe("an agent's keys", () => {
  test("are an admin's to change, with an admin event each", async () => {
    const agent = await mintAgent(engine);
    const { id } = await addKey(admin(), { did: agent.did, publicKey: newKey() });
    await revokeKey(admin(), { did: agent.did, keyId: id });
    expect(await adminEventsOf(agent.did)).toMatchObject([
      { adminId: root.userId, verb: "addKey", after: { key: id } },
      { adminId: root.userId, verb: "revokeKey", after: { key: id } },
    ]);
  });

  test("are theirs who registered it, and nobody else's", async () => {
    const [registrant, other] = [await mintOwner(engine), await mintOwner(engine)];
    const agent = await mintAgent(engine, { origin: "user", registeredBy: registrant.userId });
    const key = () => ({ did: agent.did, publicKey: newKey() });
    expect(await refusal(addKey(signedIn(engine, registrant), key()))).toBeNull();
    expect(await refusal(addKey(signedIn(engine, other), key()))).toBe("PROF002");
    const itself: Ctx = { ...admin(), caller: { kind: "agent", ...agent } };
    expect(await refusal(addKey(itself, key()))).toBe("PROF002");
    expect(await keysOf(agent.did)).toHaveLength(2);
  });

  test("are not a former admin's, though they registered the agent as an admin", async () => {
    const former = await mintAdmin(engine);
    const agent = await mintAgent(engine, { origin: "admin", registeredBy: former.userId });
    const { did } = agent;
    const keys = await keysOf(did);
    await engine.db.user.update({ where: { id: former.userId }, data: { role: "user" } });
    expect(await refusal(addKey(former.ctx, { did, publicKey: newKey() }))).toBe("PROF002");
    const revoking = revokeKey(former.ctx, { did, keyId: keys[0]?.id ?? "" });
    expect(await refusal(revoking)).toBe("PROF002");
    expect(await keysOf(did)).toEqual(keys);
  });

  test("an agent that is not there: not found for an admin, forbidden for others", async () => {
    const owner = signedIn(engine, await mintOwner(engine));
    const key = { did: agentDid("local", newId("iris")), publicKey: newKey() };
    expect(await refusal(addKey(admin(), key))).toBe("PROF003");
    expect(await refusal(addKey(owner, key))).toBe("PROF002");
  });
});

describe("a key that an admin adds to an agent", () => {
  const dayMs = 24 * 60 * 60_000;
  const from = (days: number) => new Date(engine.now().getTime() + days * dayMs);
  const addedTo = async ({ profileId }: Owner) =>
    (await eventsOf(engine, profileId)).filter(({ verb }) => verb === "addAgentKey");
  const giveReceipt = ({ profileId }: Owner, agent: Did, expiresAt: Date) =>
    engine.db.receipt.create({
      data: {
        ...{ id: newId("rcpt"), profileId, agentDid: agent, grantedScopes: ["prof:health"] },
        ...{ purposeType: "personalization", grantedAt: from(-0.5), expiresAt },
      },
    });

  test("is in the log of each profile that gives the agent something or has met it, and no other", async () => {
    const registrant = await mintOwner(engine);
    const origin = { origin: "user", registeredBy: registrant.userId } as const;
    const agent = await mintAgent(engine, origin);
    const agentPattern = agent.did;
    const [rule, token, receipt, met] = await Promise.all(
      [1, 2, 3, 4].map(() => mintOwner(engine)),
    );
    const [stranger, ended, before] = await Promise.all([1, 2, 3].map(() => mintOwner(engine)));
    if (!rule || !token || !receipt || !met || !stranger || !ended || !before) throw new Error();
    await givePolicy(engine, rule.profileId, { agentPattern });
    await giveToken(engine, { owner: rule, agent });
    await giveToken(engine, { owner: token, agent });
    await giveReceipt(receipt, agent.did, from(0.5));
    await agent.client.getProfile({ did: met.did });
    await givePolicy(engine, stranger.profileId, {});
    const over = { createdAt: from(-1), expiresAt: engine.now() };
    await giveToken(engine, { owner: ended, agent, ...over });
    await giveReceipt(ended, agent.did, engine.now());
    const { profileId } = before;
    await giveEvent(engine, { profileId, actorId: agent.did, at: from(-31) });

    const { id } = await addKey(admin(), { did: agent.did, publicKey: newKey() });
    const logs = await Promise.all([rule, token, receipt, met, registrant].map(addedTo));
    for (const events of logs) {
      expect(events).toEqual([
        expect.objectContaining({
          ...{ id: expect.stringMatching(/^evt_[0-9A-Za-z]{22}$/), at: engine.now() },
          ...{ actor: "admin", actorId: root.userId, outcome: "ok" },
          ...{ subjectId: agent.did, detail: { key: id }, requestId: root.ctx.requestId },
        }),
      ]);
    }
    expect(new Set(logs.flat().map((one) => one.id)).size).toBe(logs.length);
    expect((await Promise.all([stranger, ended, before].map(addedTo))).flat()).toEqual([]);
    await sealEvents(engine.db, engine.now());
    expect(await verifyActivity(signedIn(engine, rule), rule.did)).toMatchObject({
      intact: true,
      sealed: 1,
    });
  });

  test("is logged for owners also by the admin who registered the agent", async () => {
    const owner = await mintOwner(engine);
    const agent = await mintAgent(engine, { origin: "admin", registeredBy: root.userId });
    await givePolicy(engine, owner.profileId, { agentPattern: agent.did });
    await addKey(admin(), { did: agent.did, publicKey: newKey() });
    expect(await addedTo(owner)).toHaveLength(1);
  });

  test("is in no log if it was refused, was revoked, or came from the user who registered it", async () => {
    const owner = await mintOwner(engine);
    const origin = { origin: "user", registeredBy: owner.userId } as const;
    const agent = await mintAgent(engine, origin);
    await givePolicy(engine, owner.profileId, { agentPattern: agent.did });
    const key = { did: agent.did, publicKey: newKey() };
    const { id: keyId } = await addKey(signedIn(engine, owner), key);
    expect(await refusal(addKey(admin(), key))).toBe("PROF006");
    await revokeKey(admin(), { did: agent.did, keyId });
    expect(await addedTo(owner)).toEqual([]);
  });
});

describe("an agent's key remembers which admin added it", () => {
  const addedBy = async (did: Did, ctx: Ctx) => {
    const { id } = await addKey(ctx, { did, publicKey: newKey() });
    return (await engine.db.key.findUniqueOrThrow({ where: { id } })).addedBy;
  };

  test("to an agent of a user's, of nobody's, or that an admin registered", async () => {
    const { userId } = await mintOwner(engine);
    const theirs = await mintAgent(engine, { origin: "user", registeredBy: userId });
    const itself = await mintAgent(engine, { origin: "itself" });
    expect(await addedBy(theirs.did, admin())).toBe(root.userId);
    expect(await addedBy(itself.did, admin())).toBe(root.userId);
    const registered = await mintAgent(engine, { origin: "admin", registeredBy: root.userId });
    expect(await addedBy(registered.did, admin())).toBe(root.userId);
  });

  test("but not to an agent of their own as a user, nor an owner's key", async () => {
    const owner = await mintOwner(engine);
    const ctx = signedIn(engine, owner);
    const theirs = await mintAgent(engine, { origin: "user", registeredBy: owner.userId });
    const own = await mintAgent(engine, { origin: "user", registeredBy: root.userId });
    expect(await addedBy(theirs.did, ctx)).toBeNull();
    expect(await addedBy(own.did, admin())).toBeNull();
    expect(await addedBy(owner.did, ctx)).toBeNull();
  });

  test("in all that is recorded of its signer, also where the profile never met the agent", async () => {
    const owner = await mintOwner(engine, {
      policies: [{ verifiedOnly: true, permissions: ["read", "propose"], origin: "template" }],
    });
    const agent = await mintAgent(engine, { verified: true });
    const { privateKey, publicKey } = mintKeyPair();
    const { did } = owner;
    const key = { did: agent.did, publicKey: Buffer.from(publicKey) };
    const { id: keyId } = await addKey(admin(), key);
    for (const client of [agent.client, clientOf(engine, { did: agent.did, privateKey })]) {
      await client.getProfile({ did });
      await client.listMemories({ did });
      await client.requestAccess({ did, scopes: ["prof:interests"], purpose });
      await client.proposeMemory({ did, ...proposal, content: newId("Walks") });
    }
    await revokeKey(admin(), { did: agent.did, keyId });
    const marked = new Map<string, unknown[]>();
    for (const { verb, detail } of await eventsOf(engine, owner.profileId)) {
      const { keyByAdmin } = detail as { keyByAdmin?: boolean };
      marked.set(verb, [...(marked.get(verb) ?? []), keyByAdmin]);
    }
    expect([...marked.keys()].sort()).toEqual([
      ...["getProfile", "listMemories", "proposeMemory", "requestAccess"],
    ]);
    for (const found of marked.values()) {
      expect(found).toHaveLength(2);
      expect(found).toEqual(expect.arrayContaining([true, undefined]));
    }
    await sealEvents(engine.db, engine.now());
    const verified = await verifyActivity(signedIn(engine, owner), did);
    expect(verified).toMatchObject({ intact: true });
  });
});

describe("registering an agent, signed in", () => {
  const draft = () => ({
    did: agentDid("local", newId("iris")),
    name: "Iris",
    publicKey: newKey(),
  });

  test("an admin's is active at once, whatever the mode", async () => {
    const agent = draft();
    const registered = await registerAgent(admin(), { ...agent, mode: "closed" });
    expect(registered).toEqual({ did: agent.did, status: "active", isNew: true });
    expect(await adminEventsOf(agent.did)).toMatchObject([
      { adminId: root.userId, verb: "registerAgent", after: { origin: "admin", state: "active" } },
    ]);
  });

  test.each([
    ["open", "active"],
    ["approval", "pending"],
  ] as const)("a user's, where the mode is %s, is %s", async (mode, status) => {
    const owner = await mintOwner(engine);
    const { userId } = owner;
    const agent = draft();
    const registered = await registerAgent(signedIn(engine, owner), { ...agent, mode });
    expect(registered.status).toBe(status);
    const row = await engine.db.agent.findUnique({ where: { did: agent.did } });
    expect(row).toMatchObject({ origin: "user", registeredBy: userId });
  });

  test("a user registers none where the mode is closed", async () => {
    const owner = await mintOwner(engine);
    const agent = draft();
    const registering = registerAgent(signedIn(engine, owner), { ...agent, mode: "closed" });
    expect(await refusal(registering)).toBe("PROF002");
    expect(await engine.db.agent.count({ where: { did: agent.did } })).toBe(0);
  });

  test("a user registers fifty, however many come at once", async () => {
    const owner = await mintOwner(engine);
    const { userId } = owner;
    const agents = Array.from({ length: agentsPerUserMax - 2 }, () => ({
      ...{ did: draft().did, name: "Iris" },
      ...{ origin: "user" as const, registeredBy: userId },
      ...{ createdAt: engine.now(), updatedAt: engine.now() },
    }));
    await engine.db.agent.createMany({ data: agents });
    const ctx = signedIn(engine, owner);
    const codes = await Promise.all(
      Array.from({ length: 6 }, () => refusal(registerAgent(ctx, { ...draft(), mode: "open" }))),
    );
    expect(codes.filter((code) => code === null)).toHaveLength(2);
    expect(codes.filter((code) => code === "PROF006")).toHaveLength(4);
  });

  test("an agent registers no other agent", async () => {
    const ctx: Ctx = {
      ...admin(),
      caller: { kind: "agent", did: draft().did, publicKey: new Uint8Array(32) },
    };
    expect(await refusal(registerAgent(ctx, { ...draft(), mode: "open" }))).toBe("PROF002");
  });
});

test("an owner's keys are listed for the owner, and for nobody else", async () => {
  const owner = await mintOwner(engine);
  const ctx = signedIn(engine, owner);
  const { id } = await addKey(ctx, { did: owner.did, publicKey: newKey(), label: "Laptop" });
  await revokeKey(ctx, { did: owner.did, keyId: id });
  expect(await listKeys(ctx, owner)).toMatchObject([
    { revokedAt: null },
    { id, label: "Laptop", revokedAt: ctx.now },
  ]);
  const stranger = signedIn(engine, await mintOwner(engine));
  await expect(listKeys(stranger, owner)).rejects.toMatchObject({ code: "PROF002" });
});
