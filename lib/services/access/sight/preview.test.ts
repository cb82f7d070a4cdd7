import { beforeEach, describe, expect, test } from "vitest";
import type { Scope } from "@/lib/protocol/scope";
import { testEngine } from "@/tests/support/harness";
import {
  giveMemory,
  giveNamedValue,
  givePolicy,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { decideConsent, findConsent } from "../consents";
import { lookThrough, previewRequest, type ScopePreview } from "./preview";

const engine = await testEngine({ LIMIT_ACCESS: "1000", LIMIT_PROFILE: "1000" });
const [interests, health] = ["prof:interests", "prof:health"];
let owner: Owner;
let agent: Minted;

beforeEach(async () => {
  owner = await mintOwner(engine, {
    common: { preferences: { language: "en" } },
    policies: [{ agentPattern: "did:prof:agent:*:*", allow: [], deny: ["prof:health.teeth"] }],
  });
  agent = await mintAgent(engine);
  const { profileId } = owner;
  for (const nth of [1, 2, 3, 4]) {
    const createdAt = new Date(engine.now().getTime() - nth * 1_000);
    await giveMemory(engine, profileId, { content: `Number ${nth}.`, createdAt });
  }
  await giveMemory(engine, profileId, { category: health, content: "Sleeps badly." });
  await giveMemory(engine, profileId, { category: "prof:health.teeth", content: "canary" });
  await giveMemory(engine, profileId, { category: "prof:identity" });
  await giveNamedValue(engine, profileId, { category: interests, name: "likes", value: ["tea"] });
});

async function ask(scopes: Scope[]) {
  const purpose = { type: "personalization", retention: "session_only" } as const;
  const asking = agent.client.requestAccess({ did: owner.did, scopes, purpose });
  await expect(asking).rejects.toMatchObject({ code: "PROF004" });
  const { id: requestId } = await engine.db.consentRequest.findFirstOrThrow({
    where: { agentDid: agent.did, status: "pending" },
  });
  const request = await findConsent(signedIn(engine, owner), { did: owner.did, requestId });
  if (request === null) throw new Error("the request is not there");
  return request;
}

async function preview(scopes: Scope[]) {
  const request = await ask(scopes);
  return previewRequest(signedIn(engine, owner), { did: owner.did, request });
}

const inShort = ({ scope, memories, values }: ScopePreview) => [scope, memories, values];

describe("what each scope of a request would open", () => {
  test("is counted whole, with the newest memories first and then the values", async () => {
    const { scopes } = await preview([interests, health, "prof:episodic"]);
    expect(scopes.map(inShort)).toEqual([
      [interests, 4, 1],
      [health, 1, 0],
      ["prof:episodic", 0, 0],
    ]);
    const [first] = scopes;
    expect(first?.first.map(({ value }) => value)).toEqual(["Number 1.", "Number 2.", "Number 3."]);
  });

  test("tells what stays closed in it, by which rule, and never its contents", async () => {
    const { scopes, policies } = await preview([health]);
    const [closed] = scopes[0]?.closed ?? [];
    expect(closed).toMatchObject({ category: "prof:health.teeth", items: 1 });
    expect(policies.map(({ id }) => id)).toContain(closed?.decision.reason.policyId);
    expect(JSON.stringify(scopes)).not.toContain("canary");
  });

  test("tells what the agent reads of it already", async () => {
    const expiresAt = new Date(engine.now().getTime() + 60_000);
    const request = await ask([interests]);
    await givePolicy(engine, owner.profileId, { allow: ["prof:interests"], expiresAt });
    const { scopes } = await previewRequest(signedIn(engine, owner), { did: owner.did, request });
    expect(scopes[0]?.already).toEqual({ memories: 4, values: 1 });
  });

  test("names the scopes that open all of it too, of two alike the first", async () => {
    const { scopes } = await preview([interests, "prof:interests.*", "prof:interests.likes"]);
    expect(scopes.map(({ within }) => within)).toEqual([
      [],
      [interests],
      [interests, "prof:interests.*"],
    ]);
    // A scope that names a single value cannot open it: only its category can.
    expect(scopes.map(inShort)[2]).toEqual(["prof:interests.likes", 0, 0]);
  });

  test("leaves the rest closed, but for what the agent has without this request", async () => {
    const { rest, restCounts } = await preview([interests]);
    const categories = rest.map(({ category }) => category);
    expect(new Set(categories)).toEqual(
      new Set([health, "prof:health.teeth", "prof:identity", "prof:preferences"]),
    );
    expect(restCounts).toEqual({ memories: 3, values: 1 });
    await givePolicy(engine, owner.profileId, { allow: [health], purposes: ["analysis"] });
    const after = await preview(["prof:episodic"]);
    expect(after.rest.map(({ category }) => category)).not.toContain(health);
  });

  test("is locked where a later rule keeps all of it closed, not where a part could open", async () => {
    const request = await ask([interests, health]);
    await givePolicy(engine, owner.profileId, { allow: [], deny: [health] });
    await engine.db.agent.update({
      where: { did: agent.did },
      data: { ceiling: ["prof:interests.music", health] },
    });
    const { scopes } = await previewRequest(signedIn(engine, owner), { did: owner.did, request });
    expect(scopes.map(({ scope, isLocked }) => [scope, isLocked])).toEqual([
      [interests, false],
      [health, true],
    ]);
  });

  test("is nothing for an agent that was deleted since", async () => {
    const request = await ask([interests]);
    await engine.db.key.deleteMany({ where: { did: agent.did } });
    await engine.db.agent.delete({ where: { did: agent.did } });
    const { scopes } = await previewRequest(signedIn(engine, owner), { did: owner.did, request });
    expect(scopes.map(inShort)).toEqual([[interests, 0, 0]]);
    expect(scopes[0]?.isLocked).toBe(true);
  });
});

describe("looking through a scope", () => {
  test("pages through all of it, in the words that the agent then gets", async () => {
    const request = await ask([interests]);
    const ctx = signedIn(engine, owner);
    const seen: unknown[] = [];
    for (let offset = 0, total = 1; offset < total; ) {
      const size = { limit: 2, bytesMax: 50_000 };
      const page = await lookThrough(ctx, {
        ...{ did: owner.did, request, scope: interests, offset, size },
      });
      seen.push(...page.items.map(({ value }) => value));
      offset += page.items.length;
      total = page.total;
    }
    expect(seen).toEqual([["tea"], "Number 1.", "Number 2.", "Number 3.", "Number 4."]);
    const now = async () => {
      const look = { did: owner.did, request: { agentDid: agent.did }, scope: interests };
      const size = { limit: 50, bytesMax: 50_000 };
      const { items } = await lookThrough(ctx, { ...look, offset: 0, size });
      return items.map(({ value }) => value);
    };
    expect(await now()).toEqual([]);
    const granted = { did: owner.did, requestId: request.id, scopes: [interests] };
    await decideConsent(ctx, { ...granted, choice: "once" });
    expect(await now()).toEqual(seen);
    const { data } = await agent.client.listMemories({ did: owner.did, category: interests });
    expect(data).toMatchObject({
      [interests]: { likes: ["tea"], memories: seen.slice(1).map((content) => ({ content })) },
    });
  });
});

test("only the owner looks", async () => {
  const request = await ask([interests]);
  const stranger = signedIn(engine, await mintOwner(engine));
  const query = { did: owner.did, request };
  await expect(previewRequest(stranger, query)).rejects.toMatchObject({ code: "PROF002" });
  const size = { limit: 2, bytesMax: 50_000 };
  await expect(
    lookThrough(stranger, { ...query, scope: interests, offset: 0, size }),
  ).rejects.toMatchObject({ code: "PROF002" });
});
