import { describe, expect, test } from "vitest";
import type { Did } from "@/lib/protocol/did";
import { activeTokensMax } from "@/lib/rules/consent";
import { testEngine, testNow, tokenClient } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  giveNamedValue,
  givePolicy,
  giveToken,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { restoreAccess } from "../access/restore";
import type { Lens } from "../access/sight/lens";
import { listTokens } from "./list-tokens";
import { seeToken } from "./see-token";
import { listTokenAgents } from "./token-choices";
import { issueToken, revokeToken } from "./tokens";

const engine = await testEngine();
const me = (owner: Owner) => signedIn(engine, owner);

function wish(owner: Owner, agentDid: Did) {
  const scopes = ["prof:interests"];
  return { did: owner.did, agentDid, scopes, permissions: ["read" as const], days: 7 };
}

describe("issuing", () => {
  test("is consent for its scopes, and leaves one event without the token", async () => {
    const [owner, iris] = [await mintOwner(engine), await mintAgent(engine)];
    await giveMemory(engine, owner.profileId);
    const { id, token, expiresAt } = await issueToken(me(owner), wish(owner, iris.did));
    expect(expiresAt.getTime() - testNow.getTime()).toBe(7 * 24 * 60 * 60_000);
    const { data } = await tokenClient(engine, token).getOwnProfile({});
    expect(Object.keys(data.memories)).toEqual(["prof:interests"]);
    const events = await eventsOf(engine, owner.profileId);
    expect(events.find(({ verb }) => verb === "editTokens")).toMatchObject({
      outcome: "ok",
      subjectId: id,
    });
    expect(JSON.stringify(events)).not.toContain(token);
  });

  test("is for active agents only", async () => {
    const owner = await mintOwner(engine);
    for (const state of ["pending", "suspended"] as const) {
      const agent = await mintAgent(engine, { state });
      const issuing = issueToken(me(owner), wish(owner, agent.did));
      await expect(issuing).rejects.toMatchObject({ code: "PROF006" });
      const seeing = seeToken(me(owner), wish(owner, agent.did));
      await expect(seeing).rejects.toMatchObject({ code: "PROF006" });
    }
    expect(await engine.db.policy.count({ where: { profileId: owner.profileId } })).toBe(0);
  });

  test("is refused to all but the owner", async () => {
    const [owner, other] = [await mintOwner(engine), await mintOwner(engine)];
    const iris = await mintAgent(engine);
    const issuing = issueToken(me(other), wish(owner, iris.did));
    await expect(issuing).rejects.toMatchObject({ code: "PROF002" });
    expect(await eventsOf(engine, owner.profileId)).toMatchObject([{ outcome: "PROF002" }]);
  });

  test("ends at the most active tokens a profile may have, however many ask at once", async () => {
    const [owner, iris] = [await mintOwner(engine), await mintAgent(engine)];
    const given = { owner, agent: iris };
    for (let count = 0; count < activeTokensMax - 2; count++) await giveToken(engine, given);
    await giveToken(engine, { ...given, revokedAt: testNow });
    const input = Array.from({ length: 6 }, () => issueToken(me(owner), wish(owner, iris.did)));
    const settled = await Promise.allSettled(input);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    await expect(issueToken(me(owner), wish(owner, iris.did))).rejects.toMatchObject({
      details: { issues: [{ path: "tokens" }] },
    });
    const { tokens } = await listTokens(me(owner), {
      did: owner.did,
      state: "active",
      limit: 1,
    });
    const { did } = owner;
    const { eventId } = await revokeToken(me(owner), { did, tokenId: tokens[0]?.id ?? "" });
    await issueToken(me(owner), wish(owner, iris.did));
    await expect(restoreAccess(me(owner), { did, eventId })).rejects.toMatchObject({
      details: { issues: [{ path: "tokens" }] },
    });
  });
});

/** Everything a client gets: each value by its path, each memory by its id, through all pages. */
async function allOf(client: Minted["client"], did: Did): Promise<string[]> {
  const { data: profile } = await client.getProfile({ did });
  const found = leavesOf("common", profile.common);
  for (let offset = 0; ; offset += 2) {
    const { data, meta } = await client.listMemories({ did, limit: 2, offset });
    for (const [category, held] of Object.entries(data)) {
      const { memories = [], ...named } = Array.isArray(held) ? { memories: held } : held;
      if (Array.isArray(memories)) found.push(...memories.map(({ id }) => id));
      found.push(...Object.keys(named).map((name) => `${category}.${name}`));
    }
    if (offset + 2 >= meta.total) return [...new Set(found)].sort();
  }
}

function leavesOf(path: string, value: unknown): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [path];
  return Object.entries(value).flatMap(([name, one]) => leavesOf(`${path}.${name}`, one));
}

function countOf({ items, memories }: Lens): number {
  const values = items.filter(({ kind }) => kind !== "memory").length;
  return memories.reduce((sum, { count }) => sum + count, values);
}

describe("the preview of a token", () => {
  test.each<[string, { scopes: string[]; allow: string[] }]>([
    ["carries less than the key reads", { scopes: ["prof:interests.music"], allow: ["prof:*"] }],
    ["carries more than the key reads", { scopes: ["prof:*"], allow: ["prof:episodic"] }],
    ["carries some of both", { scopes: ["prof:interests"], allow: ["prof:interests.music"] }],
    ["carries what another rule denies", { scopes: ["prof:health"], allow: ["prof:preferences"] }],
  ])("counts what token and key read through the API: it %s", async (_title, { scopes, allow }) => {
    const common = { preferences: { language: "en", food: { diet: "vegetarian" } } };
    const [owner, iris] = [await mintOwner(engine, { common }), await mintAgent(engine)];
    const { did, profileId } = owner;
    for (const category of ["prof:interests", "prof:interests", "prof:interests.music"]) {
      await giveMemory(engine, profileId, { category });
    }
    for (const category of ["prof:health", "prof:health.teeth", "prof:episodic"]) {
      await giveMemory(engine, profileId, { category });
    }
    const likes = { category: "prof:interests", name: "likes", value: ["tea"] };
    await giveNamedValue(engine, profileId, likes);
    await givePolicy(engine, profileId, { agentPattern: iris.did, allow });
    await givePolicy(engine, profileId, { allow: [], deny: ["prof:health.teeth"] });
    const before = await allOf(iris.client, did);
    const input = { ...wish(owner, iris.did), scopes };
    const { token: seen, besides } = await seeToken(me(owner), input);
    const { token } = await issueToken(me(owner), input);
    const byToken = await allOf(tokenClient(engine, token), did);
    const byKey = await allOf(iris.client, did);
    expect(countOf(seen)).toBe(byToken.length);
    expect(countOf(besides)).toBe(byKey.filter((one) => !byToken.includes(one)).length);
    const isNew = <T extends { isNew: boolean }>(all: T[]) => all.filter((one) => one.isNew);
    const added = { ...seen, items: isNew(seen.items), memories: isNew(seen.memories) };
    expect(countOf(added)).toBe(byKey.length - before.length);
    expect(before.every((one) => byKey.includes(one))).toBe(true);
  });

  test("is nothing where it may not read, and the key keeps all it has", async () => {
    const [owner, iris] = [await mintOwner(engine), await mintAgent(engine)];
    await giveMemory(engine, owner.profileId);
    await givePolicy(engine, owner.profileId, { agentPattern: iris.did });
    const input = { ...wish(owner, iris.did), permissions: ["propose" as const] };
    const { token, besides } = await seeToken(me(owner), input);
    expect([countOf(token), countOf(besides)]).toEqual([0, 1]);
  });

  test("stays hidden from all but the owner", async () => {
    const [owner, other] = [await mintOwner(engine), await mintOwner(engine)];
    const iris = await mintAgent(engine);
    const seeing = seeToken(me(other), wish(owner, iris.did));
    await expect(seeing).rejects.toMatchObject({ code: "PROF002" });
  });
});

describe("the list", () => {
  test("shows each token once, page by page, by the state of this instant", async () => {
    const [owner, iris] = [await mintOwner(engine), await mintAgent(engine)];
    const given = { owner, agent: iris };
    const active = await giveToken(engine, { ...given, label: "One" });
    const createdAt = new Date(testNow.getTime() - 1_000);
    const expired = await giveToken(engine, { ...given, createdAt, expiresAt: testNow });
    const revoked = await giveToken(engine, { ...given, revokedAt: testNow });
    const list = (state?: "active" | "expired" | "revoked") =>
      listTokens(me(owner), { did: owner.did, state, limit: 10 });
    for (const [state, { id }] of Object.entries({ active, expired, revoked })) {
      const { tokens } = await list(state as "active");
      expect(tokens).toMatchObject([{ id, state, agent: { name: "Iris" } }]);
    }
    const first = await listTokens(me(owner), { did: owner.did, limit: 2 });
    const after = first.next ?? undefined;
    const second = await listTokens(me(owner), { did: owner.did, after, limit: 2 });
    const seen = [...first.tokens, ...second.tokens].map(({ id }) => id);
    expect(new Set(seen)).toEqual(new Set([active.id, expired.id, revoked.id]));
    expect(second.next).toBeNull();
  });

  test("is for the owner", async () => {
    const [owner, other] = [await mintOwner(engine), await mintOwner(engine)];
    const listing = listTokens(me(other), { did: owner.did, limit: 10 });
    await expect(listing).rejects.toMatchObject({ code: "PROF002" });
  });
});

test("the agents to choose from are active ones, first those that were met", async () => {
  const owner = await mintOwner(engine);
  const zoe = await mintAgent(engine, { name: "Zoe" });
  const amy = await mintAgent(engine, { name: "Amy" });
  const bob = await mintAgent(engine, { name: "Bob", state: "pending" });
  await giveToken(engine, { owner, agent: zoe });
  const agents = await listTokenAgents(me(owner), { did: owner.did, limit: 100 });
  const dids = agents.map(({ did }) => did);
  expect(dids[0]).toBe(zoe.did);
  expect(dids).toContain(amy.did);
  expect(dids).not.toContain(bob.did);
  expect(await listTokenAgents(me(owner), { did: owner.did, limit: 1 })).toHaveLength(1);
});
