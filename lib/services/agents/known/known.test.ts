import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { agentDid } from "@/lib/protocol/did";
import { testEngine, testNow } from "@/tests/support/harness";
import {
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
import { type KnownQuery, listProfileAgents } from "./list-known";

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
  listProfileAgents(ctx(), { did: owner.did, limit: 20, ...input });
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

  test("are not the owner, whose own key proposes too", async () => {
    await giveProposal(engine, { profileId: owner.profileId, agentDid: owner.did });
    expect(await didsOf()).toEqual([]);
  });

  test("are listed with when they were seen, and what waits", async () => {
    await iris.client.getProfile({ did: owner.did });
    later(5);
    await iris.client.getProfile({ did: owner.did });
    await giveProposal(engine, { profileId: owner.profileId, agentDid: iris.did });
    const [known] = (await list()).agents;
    expect(known).toMatchObject({
      standing: "seen",
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

  test("one that is blocked is listed as removed, seen here or not", async () => {
    await revokeAgent(ctx(), { did: owner.did, agentDid: iris.did, blocks: true });
    expect((await list()).agents).toMatchObject([{ standing: "disconnected", blocked: true }]);
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

  test("are found by a part of their name, of who runs them, or of their DID, in which no character has a power", async () => {
    const nova = await mintAgent(engine, { name: "100% Nova_" });
    await nova.client.getProfile({ did: owner.did });
    await iris.client.getProfile({ did: owner.did });
    expect(await didsOf({ search: "0% nova_" })).toEqual([nova.did]);
    expect(await didsOf({ search: "%_%" })).toEqual([]);
    expect(await didsOf({ search: iris.did.slice(-8) })).toEqual([iris.did]);
    const run = { name: "Quill", operator: "Nova & Sons" };
    const quill = await mintAgent(engine, run);
    await quill.client.getProfile({ did: owner.did });
    expect(await didsOf({ search: "a & sons" })).toEqual([quill.did]);
  });

  test("are the owner's to know", async () => {
    const stranger = signedIn(engine, await mintOwner(engine));
    expect(await refusal(listProfileAgents(stranger, { did: owner.did, limit: 1 }))).toBe(
      "PROF002",
    );
    const finding = findKnownAgent(stranger, { did: owner.did, agentDid: iris.did });
    expect(await refusal(finding)).toBe("PROF002");
  });
});

describe("one agent", () => {
  test("is told with what it has of its own, and what came of its proposals", async () => {
    const { profileId } = owner;
    await givePolicy(engine, profileId, {});
    const until = new Date(testNow.getTime() + 60_000);
    const own = { agentPattern: iris.did, origin: "consent" as const, allow: ["prof:interests"] };
    await givePolicy(engine, profileId, { ...own, expiresAt: until });
    await givePolicy(engine, profileId, { ...own, expiresAt: testNow });
    await givePolicy(engine, profileId, { ...own, enabled: false });
    await giveToken(engine, { owner, agent: iris, label: "Laptop" });
    const given = { profileId, agentDid: iris.did };
    await giveProposal(engine, given);
    const lastWeek = new Date(testNow.getTime() - 7 * 24 * 60 * 60_000);
    await giveProposal(engine, { ...given, proposedAt: lastWeek, expiresAt: testNow });
    const rejected = { ...given, status: "rejected", reviewedAt: testNow } as const;
    await giveProposal(engine, { ...rejected, reviewedBy: owner.did });
    await giveProposal(engine, { ...rejected, reason: "expired" });
    await giveProposal(engine, { ...rejected, reason: "withdrawn" });
    expect(await find()).toMatchObject({
      state: "active",
      registered: { by: "an_admin" },
      grants: [{ scopes: ["prof:interests"], expiresAt: until }],
      blockedBy: null,
      tokens: [{ label: "Laptop", lastUsedAt: null }],
      proposals: { pending: 1, approved: 0, rejected: 1, expired: 2, takenBack: 1 },
    });
    await revokeAgent(ctx(), { did: owner.did, agentDid: iris.did, blocks: true });
    expect(await find()).toMatchObject({
      grants: [],
      blockedBy: expect.stringMatching(/^pol_/),
      tokens: [],
      proposals: { pending: 0, rejected: 2 },
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
