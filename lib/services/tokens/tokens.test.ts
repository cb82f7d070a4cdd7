import { describe, expect, test } from "vitest";
import type { Did } from "@/lib/protocol/did";
import { activeTokensMax } from "@/lib/rules/consent";
import { testEngine, testNow, tokenClient } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  giveToken,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { restoreAccess } from "../access/restore";
import { listTokens } from "./list-tokens";
import { seeToken } from "./see-token";
import { findTokenAgent, listOwnCategories, listTokenAgents } from "./token-choices";
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

describe("the preview of a token", () => {
  test("is what it sees once it is issued, and no more", async () => {
    const [owner, iris] = [await mintOwner(engine), await mintAgent(engine)];
    for (const category of ["prof:interests", "prof:interests.music", "prof:health"]) {
      await giveMemory(engine, owner.profileId, { category, content: category });
    }
    const input = wish(owner, iris.did);
    const lens = await seeToken(me(owner), input);
    const { token } = await issueToken(me(owner), input);
    const { data } = await tokenClient(engine, token).getOwnProfile({});
    const categories = [...new Set(lens.items.map(({ category }) => category))].sort();
    expect(categories).toEqual(Object.keys(data.memories).sort());
    expect(categories).toEqual(["prof:interests", "prof:interests.music"]);
  });

  test("is nothing where it may not read", async () => {
    const [owner, iris] = [await mintOwner(engine), await mintAgent(engine)];
    await giveMemory(engine, owner.profileId);
    const input = { ...wish(owner, iris.did), permissions: ["propose" as const] };
    expect((await seeToken(me(owner), input)).items).toEqual([]);
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

describe("the choices", () => {
  test("agents: active ones, found by name, operator or DID, first those that were met", async () => {
    const owner = await mintOwner(engine);
    const mark = owner.userId.slice(-8).toLowerCase();
    const zoe = await mintAgent(engine, { name: `Zoe ${mark}` });
    const amy = await mintAgent(engine, { name: "Amy", operator: `100% ${mark}` });
    await mintAgent(engine, { name: `Bob ${mark}`, state: "pending" });
    await giveToken(engine, { owner, agent: zoe });
    const search = async (text: string, limit = 10) => {
      const found = await listTokenAgents(me(owner), { did: owner.did, text, limit });
      return { ...found, agents: found.agents.map(({ did }) => did) };
    };
    expect((await search(mark.toUpperCase())).agents).toEqual([zoe.did, amy.did]);
    expect((await search(`100% ${mark}`)).agents).toEqual([amy.did]);
    expect((await search(amy.did)).agents).toEqual([amy.did]);
    expect(await search(mark, 1)).toEqual({ agents: [zoe.did], hasMore: true });
    const find = (agentDid: Did) => findTokenAgent(me(owner), { did: owner.did, agentDid });
    expect(await find(zoe.did)).toMatchObject({ did: zoe.did });
    expect(await find(owner.did)).toBeNull();
  });

  test("categories: those that something of the profile lies in", async () => {
    const owner = await mintOwner(engine, { common: { identity: { displayName: "Alice" } } });
    await giveMemory(engine, owner.profileId, { category: "prof:a.b" });
    await giveMemory(engine, owner.profileId, { category: "prof:c", archivedAt: testNow });
    expect(await listOwnCategories(me(owner), owner.did)).toEqual(["prof:a.b", "prof:identity"]);
  });
});
