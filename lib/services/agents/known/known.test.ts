import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { agentDid } from "@/lib/protocol/did";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  giveMemory,
  givePolicy,
  giveProposal,
  giveToken,
  type Minted,
  mintAdmin,
  mintAgent,
  mintKeyPair,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { restoreAccess } from "../../access/restore";
import { revokeAgent } from "../../access/revoke-agent";
import type { Ctx } from "../../context";
import { addKey, revokeKey } from "../keys";
import { findKnownAgent } from "./find-known";
import { type KnownQuery, listKnownAgents } from "./list-known";

const engine = await testEngine({ LIMIT_PROFILE: "1000" });
let owner: Owner;
let iris: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  iris = await mintAgent(engine);
});

const ctx = () => signedIn(engine, owner);
const refusal = (work: Promise<unknown>) => work.then(() => null).catch(({ code }) => code);
const later = (minutes: number) => engine.setNow(new Date(testNow.getTime() + minutes * 60_000));
const list = (input: Partial<KnownQuery> = {}) =>
  listKnownAgents(ctx(), { did: owner.did, limit: 20, ...input });
const find = (did = iris.did) => findKnownAgent(ctx(), { did: owner.did, agentDid: did });
const didsOf = async (input?: Partial<KnownQuery>) =>
  (await list(input)).agents.map(({ agent }) => agent.did);

describe("the agents of a profile", () => {
  test("are none at first, whatever other agents are registered", async () => {
    expect(await list()).toEqual({ agents: [], next: null });
  });

  test("are those that called, hold, propose, or were registered by the owner", async () => {
    await iris.client.getProfile({ did: owner.did });
    const [holds, proposes, own] = await Promise.all([
      mintAgent(engine),
      mintAgent(engine),
      mintAgent(engine, { origin: "user", registeredBy: owner.userId, state: "pending" }),
    ]);
    await giveToken(engine, { owner, agent: holds });
    await giveProposal(engine, { profileId: owner.profileId, agentDid: proposes.did });
    await mintAgent(engine);
    expect((await didsOf()).toSorted()).toEqual(
      [iris, holds, proposes, own].map(({ did }) => did).toSorted(),
    );
    expect(await didsOf({ standing: "connected" })).toEqual([holds.did]);
  });

  test("are told with what they may, when they were seen, and what waits", async () => {
    await givePolicy(engine, owner.profileId, { allow: ["prof:interests"] });
    await iris.client.getProfile({ did: owner.did });
    later(5);
    await iris.client.getProfile({ did: owner.did });
    await giveProposal(engine, { profileId: owner.profileId, agentDid: iris.did });
    const [known] = (await list()).agents;
    expect(known).toMatchObject({
      standing: "seen",
      reads: { scopes: ["prof:interests"], except: [] },
      proposes: { scopes: [], except: [] },
      firstSeenAt: testNow,
      lastSeenAt: engine.now(),
      proposals: 1,
    });
  });

  test("one that was disconnected says so until it is given something again", async () => {
    await givePolicy(engine, owner.profileId, { agentPattern: iris.did, origin: "consent" });
    expect(await didsOf({ standing: "connected" })).toEqual([iris.did]);
    const { eventId } = await revokeAgent(ctx(), { did: owner.did, agentDid: iris.did });
    expect(await didsOf({ standing: "connected" })).toEqual([]);
    expect(await didsOf()).toEqual([]);
    await iris.client.getProfile({ did: owner.did });
    expect(await didsOf({ standing: "disconnected" })).toEqual([iris.did]);
    await restoreAccess(ctx(), { did: owner.did, eventId });
    expect(await didsOf({ standing: "connected" })).toEqual([iris.did]);
  });

  test("come in pages, latest first, none twice and none left out", async () => {
    const agents = [iris];
    for (const _ of Array.from({ length: 6 })) agents.push(await mintAgent(engine));
    for (const [minute, { client }] of agents.entries()) {
      later(minute);
      await client.getProfile({ did: owner.did });
    }
    const seen: string[] = [];
    let after: KnownQuery["after"];
    do {
      const page = await list({ after, limit: 3 });
      seen.push(...page.agents.map(({ agent }) => agent.did));
      after = page.next ?? undefined;
    } while (after !== undefined);
    expect(seen).toEqual(agents.map(({ did }) => did).reverse());
  });

  test("are found by a part of their name or DID, in which no character has a power", async () => {
    const nova = await mintAgent(engine, { name: "100% Nova_" });
    await nova.client.getProfile({ did: owner.did });
    await iris.client.getProfile({ did: owner.did });
    expect(await didsOf({ search: "0% nova_" })).toEqual([nova.did]);
    expect(await didsOf({ search: "%_%" })).toEqual([]);
    expect(await didsOf({ search: iris.did.slice(-8) })).toEqual([iris.did]);
  });

  test("are the owner's to know", async () => {
    const stranger = signedIn(engine, await mintOwner(engine));
    expect(await refusal(listKnownAgents(stranger, { did: owner.did, limit: 1 }))).toBe("PROF002");
    const finding = findKnownAgent(stranger, { did: owner.did, agentDid: iris.did });
    expect(await refusal(finding)).toBe("PROF002");
  });
});

describe("one agent", () => {
  test("is told with the rules that count for it, what it holds, and what came of its proposals", async () => {
    const { profileId } = owner;
    await giveMemory(engine, profileId);
    const general = await givePolicy(engine, profileId, { verifiedOnly: true });
    await givePolicy(engine, profileId, { agentPattern: "did:prof:agent:local:other" });
    await giveToken(engine, { owner, agent: iris, label: "Laptop" });
    await giveProposal(engine, { profileId, agentDid: iris.did });
    await giveProposal(engine, {
      profileId,
      agentDid: iris.did,
      status: "rejected",
      reviewedAt: testNow,
    });
    const known = await find();
    expect(known).toMatchObject({
      state: "active",
      registered: { by: "an_admin" },
      reads: { scopes: [] },
      policies: [{ id: general.id }],
      tokens: [{ label: "Laptop", lastUsedAt: null }],
      proposals: { pending: 1, approved: 0, rejected: 1 },
    });
  });

  test("lists its keys, and for thirty days a revoked one that an admin added", async () => {
    const registeredBy = owner.userId;
    const agent = await mintAgent(engine, { origin: "user", registeredBy });
    const root = await mintAdmin(engine);
    const { did } = agent;
    const add = (by: Ctx) => addKey(by, { did, publicKey: Buffer.from(mintKeyPair().publicKey) });
    const [own, byAdmin] = [await add(ctx()), await add(root.ctx)];
    const keysOf = async () =>
      (await find(did))?.keys.map((key) => [key.id, key.isByAdmin, key.addedAt, key.revokedAt]);
    const first = await engine.db.key.findFirstOrThrow({ where: { did, slot: 1 } });
    const kept = [
      [first.id, false, first.createdAt, null],
      [own.id, false, testNow, null],
    ];
    const added = (revokedAt: Date | null) => [byAdmin.id, true, testNow, revokedAt];
    const sorted = (keys: unknown[][] | undefined) => keys?.map((key) => key.map(String)).sort();
    expect(sorted(await keysOf())).toEqual(sorted([...kept, added(null)]));
    await revokeKey(root.ctx, { did, keyId: byAdmin.id });
    const dayMinutes = 24 * 60;
    const onDay = async (days: number) => {
      later(days * dayMinutes);
      await engine.db.session.updateMany({ data: { lastSeenAt: engine.now() } });
      return sorted(await keysOf());
    };
    expect(await onDay(29)).toEqual(sorted([...kept, added(testNow)]));
    expect(await onDay(30)).toEqual(sorted(kept));
    await revokeKey(root.ctx, { did, keyId: own.id });
    expect(await onDay(0)).toEqual(sorted([kept[0] ?? [], added(testNow)]));
  });

  test("that is not active reads nothing, whatever the rules say", async () => {
    await givePolicy(engine, owner.profileId, {});
    const suspended = await mintAgent(engine, { state: "suspended" });
    await giveProposal(engine, { profileId: owner.profileId, agentDid: suspended.did });
    expect((await find(suspended.did))?.reads.scopes).toEqual([]);
  });

  test("of which nobody knows here, or that waits for approval elsewhere, is not told of", async () => {
    const pending = await mintAgent(engine, { state: "pending" });
    expect(await find(pending.did)).toBeNull();
    await givePolicy(engine, owner.profileId, { agentPattern: pending.did });
    const named = { state: "unknown", registered: null, operator: null, keys: [] };
    expect(await find(pending.did)).toMatchObject({ ...named, agent: { name: null } });
    expect(await find(agentDid("local", newId("nobody")))).toBeNull();
    const { userId: registeredBy } = owner;
    const own = await mintAgent(engine, { state: "pending", origin: "user", registeredBy });
    expect(await find(own.did)).toMatchObject({ registered: { by: "you" }, state: "pending" });
  });
});
