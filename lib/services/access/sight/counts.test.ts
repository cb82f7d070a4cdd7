import { beforeEach, describe, expect, inject, test } from "vitest";
import { matrixOf } from "@/app/dashboard/overview/matrix";
import { newId } from "@/lib/engine/random";
import type { Scope } from "@/lib/protocol/scope";
import type { Counts } from "@/lib/rules/effect/seen";
import { everyAgent } from "@/lib/rules/facts";
import { testEngine, testNow, tokenClient } from "@/tests/support/harness";
import {
  giveNamedValue,
  givePolicy,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { effectOfPolicies } from "../../policies/effect";
import { listPolicies } from "../../policies/list";
import { addPolicy } from "../../policies/policies";
import { seeToken } from "../../tokens/see-token";
import { issueToken } from "../../tokens/tokens";
import { decideConsent, findConsent } from "../consents";
import { audienceOf } from "./audience";
import { type Lens, seeAsAgent } from "./lens";
import { lookThrough, previewRequest } from "./preview";
import { reachOf } from "./reach";

// Whatever a page says that an agent gets, it gets: all pages of List Memories, and the values.
const engine = await testEngine({
  ...{ LIMIT_ACCESS: "10000", LIMIT_PROFILE: "10000", LIMIT_MEMORIES: "10000" },
});
const [interests, music, health] = ["prof:interests", "prof:interests.music", "prof:health"];
const requested: Scope[] = [interests, "prof:preferences", "prof:episodic"];
const pageLimit = 200;
let owner: Owner;
let agent: Minted;

describe.each(inject("memoryCounts"))("of %d memories", (count) => {
  beforeEach(async () => {
    engine.setNow(testNow);
    owner = await mintOwner(engine, {
      common: { preferences: { language: "en", food: { diet: "vegetarian" } } },
      policies: [{ agentPattern: everyAgent, allow: [], deny: ["prof:interests.secret"] }],
    });
    agent = await mintAgent(engine);
    const categories = [interests, music, health, "prof:identity"];
    const at = { createdAt: testNow, updatedAt: testNow };
    await engine.db.memory.createMany({
      data: Array.from({ length: count }, (_, nth) => ({
        ...{ id: newId("mem"), profileId: owner.profileId, content: `Number ${nth}.` },
        ...{ category: categories[nth % 4] ?? health, confidence: 1, source: "owner", ...at },
        ...(nth % 9 === 8 ? { archivedAt: testNow } : {}),
      })),
    });
    for (const name of ["likes", "secret", "home"]) {
      const value = { street: "Main Street" };
      await giveNamedValue(engine, owner.profileId, { category: interests, name, value });
    }
  }, 300_000);

  test("the request, the lens, the matrix and the readers say what is then read, until the grant ends", async () => {
    const request = await ask();
    const query = { did: owner.did, request };
    const { scopes } = await previewRequest(ctx(), query);
    for (const { scope, memories, values } of scopes) {
      expect(await lookedThrough(query, scope)).toBe(memories + values);
    }
    await grant(request.id, "1d");
    const got = await allOf(agent.client);
    expect(sumOf(scopes)).toEqual(got);
    expect(got.memories).toBeGreaterThan(count / 3);
    expect(got.values).toBe(4);
    expect(await onScreens()).toEqual(saying(got, [interests, music]));
    await aDayLater();
    expect(await allOf(agent.client)).toEqual(nothing);
    expect(await onScreens()).toEqual(saying(nothing, []));
  }, 300_000);

  test("the matrix says what may be taken without asking, and just that is then taken", async () => {
    const request = await ask();
    await grant(request.id, "7d");
    const got = await allOf(agent.client);
    await aDayLater();
    expect(await allOf(agent.client)).toEqual(nothing);
    const screens = await onScreens();
    expect(screens).toEqual({ ...saying(got, []), lens: nothing, cells: 0, takes: allIn(got) });
    await agent.client.requestAccess({ did: owner.did, scopes: requested, purpose });
    expect(await allOf(agent.client)).toEqual(got);
    expect(await onScreens()).toEqual(saying(got, [interests, music]));
  }, 300_000);

  test("the form of a token says what is then read with it, and the matrix what by signature, until it ends", async () => {
    const reach = { scopes: [interests, health], permissions: ["read" as const] };
    const wanted = { did: owner.did, agentDid: agent.did, ...reach };
    const shown = countsIn((await seeToken(ctx(), wanted)).token);
    const { token } = await issueToken(ctx(), { ...wanted, days: 1 });
    const holder = tokenClient(engine, token);
    const got = await allOf(holder);
    expect(shown).toEqual(got);
    expect(got.memories).toBeGreaterThan(count / 3);
    const bySignature = await allOf(agent.client);
    expect(await onScreens()).toEqual(saying(bySignature, [health, interests, music]));
    await aDayLater();
    await expect(allOf(holder)).rejects.toMatchObject({ status: 401 });
    expect(await allOf(agent.client)).toEqual(nothing);
    expect(await onScreens()).toEqual(saying(nothing, []));
  }, 300_000);

  test("the effect of a rule and its row say what is then read more, until it ends", async () => {
    await agent.client.getProfile({ did: owner.did });
    const policy = {
      ...{ agentPattern: agent.did, verifiedOnly: false, allow: [interests, "prof:preferences"] },
      ...{ deny: [music], permissions: ["read" as const], purposes: [], maxRetention: null },
      ...{ receiptSeconds: null, expiresAt: new Date(testNow.getTime() + dayMs) },
      origin: "owner" as const,
    };
    const change = { kind: "put", policy: { ...policy, id: "draft", enabled: true } } as const;
    const { atOnce, opens } = await effectOfPolicies(ctx(), { did: owner.did, change });
    const gains = atOnce.affected.find(({ agent: { did } }) => did === agent.did)?.effect.gains;
    const id = await addPolicy(ctx(), { did: owner.did, policy });
    const got = await allOf(agent.client);
    expect({ memories: gains?.memories, values: gains?.values }).toEqual(got);
    expect(opens.reduce((sum, { items }) => sum + items, 0)).toBe(allIn(got));
    const { standing, behind } = await listPolicies(ctx(), owner.did);
    const row = standing.find((one) => one.id === id);
    expect(row && behind(row)).toEqual({ ...got, closedBy: null });
    expect(await onScreens()).toEqual(saying(got, [interests]));
    await aDayLater();
    expect(await allOf(agent.client)).toEqual(nothing);
    expect(await onScreens()).toEqual(saying(nothing, []));
  }, 300_000);

  test("the matrix says what is read below a category that an admin's limit closes", async () => {
    const ceiling = [music, "prof:preferences.language"];
    await engine.db.agent.update({ where: { did: agent.did }, data: { ceiling } });
    const policy = { agentPattern: agent.did, allow: [interests, "prof:preferences"] };
    await givePolicy(engine, owner.profileId, policy);
    const got = await allOf(agent.client);
    expect(got.memories).toBeGreaterThan(0);
    expect(got.values).toBe(1);
    expect(await onScreens()).toEqual(saying(got, [music]));
  }, 300_000);
});

const dayMs = 24 * 60 * 60_000;
const nothing = { memories: 0, values: 0 };
const purpose = { type: "personalization", retention: "session_only" } as const;

/** What all screens say where the agent gets this. */
function saying(got: Counts, readable: string[]) {
  return { lens: got, matrix: got, cells: allIn(got), takes: 0, readable };
}

function allIn({ memories, values }: Counts): number {
  return memories + values;
}

async function aDayLater(): Promise<void> {
  engine.setNow(new Date(testNow.getTime() + dayMs));
  await engine.db.session.updateMany({ data: { lastSeenAt: engine.now() } });
}

async function grant(requestId: string, choice: "1d" | "7d"): Promise<void> {
  await decideConsent(ctx(), { did: owner.did, requestId, scopes: requested, choice });
}

function ctx() {
  return signedIn(engine, owner);
}

async function ask() {
  const asking = agent.client.requestAccess({ did: owner.did, scopes: requested, purpose });
  await expect(asking).rejects.toMatchObject({ code: "PROF004" });
  const { id: requestId } = await engine.db.consentRequest.findFirstOrThrow({
    where: { agentDid: agent.did },
  });
  const request = await findConsent(ctx(), { did: owner.did, requestId });
  if (request === null) throw new Error("the request is not there");
  return request;
}

type Looking = Omit<Parameters<typeof previewRequest>[1], "scope">;

/** How many things the pages show on which the owner looks through a scope. */
async function lookedThrough(query: Looking, scope: Scope): Promise<number> {
  const seen = new Set<string>();
  for (let offset = 0; ; ) {
    const size = { limit: pageLimit, bytesMax: 50_000 };
    const { items, total } = await lookThrough(ctx(), { ...query, scope, offset, size });
    for (const { id } of items) seen.add(id);
    offset += items.length;
    if (offset >= total) return seen.size;
  }
}

async function onScreens() {
  const lens = await seeAsAgent(ctx(), { did: owner.did, agentDid: agent.did });
  const reach = await reachOf(ctx(), { did: owner.did, agents: [agent.did] });
  const cells = matrixOf(reach).rows[0]?.cells ?? [];
  const categories = [health, interests, music];
  const readers = await audienceOf(ctx(), { did: owner.did, categories });
  const reads = (category: string) =>
    readers.get(category)?.agents.some(({ did }) => did === agent.did) ?? false;
  return {
    lens: countsIn(lens),
    matrix: sumOf(reach.agents[0]?.categories ?? []),
    cells: cells.reduce((sum, { items, isTaken }) => sum + (isTaken ? 0 : items), 0),
    takes: cells.reduce((sum, { items, isTaken, more }) => sum + (isTaken ? items : more), 0),
    readable: categories.filter(reads),
  };
}

function countsIn({ items, memories }: Lens): Counts {
  return {
    memories: memories.reduce((sum, one) => sum + one.count, 0),
    values: items.filter(({ kind }) => kind !== "memory").length,
  };
}

function sumOf(all: readonly Counts[]): Counts {
  return {
    memories: all.reduce((sum, { memories }) => sum + memories, 0),
    values: all.reduce((sum, { values }) => sum + values, 0),
  };
}

/** What the agent gets. */
async function allOf(
  client: Pick<Minted["client"], "getProfile" | "listMemories">,
): Promise<Counts> {
  const { data: profile } = await client.getProfile({ did: owner.did });
  const counts = { memories: 0, values: leavesOf(profile.common).length };
  for (let offset = 0; ; offset += pageLimit) {
    const { data, meta } = await client.listMemories({ did: owner.did, limit: pageLimit, offset });
    for (const held of Object.values(data)) {
      const { memories = [], ...named } = Array.isArray(held) ? { memories: held } : held;
      counts.memories += Array.isArray(memories) ? memories.length : 0;
      counts.values += Object.keys(named).length;
    }
    if (offset + pageLimit >= meta.total) return counts;
  }
}

function leavesOf(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [value];
  return Object.values(value).flatMap(leavesOf);
}
