import { beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { ProfileArchive } from "@/lib/protocol/archive/profile-archive";
import { redirectUri } from "@/tests/support/connecting/clients";
import { giveQuestion } from "@/tests/support/connecting/question";
import { gatewayUrl, testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  giveNamedValue,
  givePolicy,
  giveProposal,
  giveToken,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { contextOf } from "../context";
import { answerWhy } from "../requests/inquiry";
import { exportProfile } from "./export";
import { importProfile } from "./import";
import { packArchive } from "./pack-archive";

const engine = await testEngine({ LIMIT_PROFILE: "1000", LIMIT_ACCESS: "1000" });
const common = { identity: { displayName: "Alice" }, preferences: { language: "en", big: 1e21 } };
let owner: Owner;
let agent: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine, { common });
  agent = await mintAgent(engine);
  const { profileId } = owner;
  await givePolicy(engine, profileId, { agentPattern: agent.did, purposes: ["personalization"] });
  const value = { list: [1, "two", null], "0": false };
  await giveNamedValue(engine, profileId, { category: "prof:professional", name: "job", value });
  const proposal = await giveProposal(engine, { profileId, agentDid: agent.did });
  const decided = { status: "approved", reviewedAt: testNow, reviewedBy: owner.did } as const;
  const kept = await giveProposal(engine, { profileId, agentDid: agent.did, ...decided });
  await giveMemory(engine, profileId, { archivedAt: testNow, content: "“Zwölf” 🦆\n\ttabs" });
  const memory = await giveMemory(engine, profileId, {
    source: "agent",
    agentDid: agent.did,
    proposalId: kept.id,
    content: kept.content,
  });
  await engine.db.memoryRevision.create({
    data: {
      createdAt: testNow,
      memoryId: memory.id,
      category: "prof:x",
      content: "before",
      confidence: 0.1,
      cause: "edited",
    },
  });
  expect(proposal.status).toBe("pending");
  const requestId = newId("creq");
  const request = { profileId, agentDid: agent.did, scopes: ["prof:x"], purposeType: "research" };
  await engine.db.consentRequest.create({
    data: { ...request, id: requestId, requestedAt: testNow },
  });
  const inquiry = { profileId, agentDid: agent.did, question: "Why?", askedAt: testNow };
  await engine.db.inquiry.createMany({
    data: [
      { ...inquiry, subjectId: kept.id, answer: "To suggest “trains”.", answeredAt: testNow },
      { ...inquiry, subjectId: requestId },
    ],
  });
  await giveToken(engine, { owner, agent });
  await agent.client.requestAccess({
    did: owner.did,
    scopes: ["prof:interests"],
    purpose: { type: "personalization" },
  });
});

async function exported(of: Owner): Promise<ProfileArchive> {
  let text = "";
  for await (const piece of await exportProfile(signedIn(engine, of), of)) text += piece;
  return ProfileArchive.parse(JSON.parse(text));
}

const byDeny = (one: { deny: string[] }, other: { deny: string[] }) =>
  String(one.deny).localeCompare(String(other.deny));

function importing(into: Owner, archive: ProfileArchive, switchPoliciesOn = false) {
  const packed = packArchive(archive);
  return importProfile(signedIn(engine, into), {
    did: into.did,
    archive: packed,
    switchPoliciesOn,
  });
}

// The same things, whatever their ids: what an import brings.
function contents(archive: ProfileArchive) {
  const bare = <T extends object>(items: T[]) =>
    items.map((item) => JSON.stringify({ ...item, id: 0, proposalId: 0, reviewedBy: 0 })).sort();
  const { profile, namedValues, memories, proposals, policies, consentRequests } = archive;
  return {
    common: profile.common,
    namedValues,
    memories: bare(memories),
    proposals: bare(proposals),
    policies: bare(policies.map((policy) => ({ ...policy, consentRequestId: 0 }))),
    consentRequests: bare(consentRequests),
    receipts: archive.receipts.length,
  };
}

describe("an export", () => {
  test("holds everything of the profile, and no secret", async () => {
    const archive = await exported(owner);
    expect(archive).toMatchObject({
      profile: { did: owner.did, common },
      namedValues: [{ name: "job" }],
      memories: [{}, {}],
      proposals: [{}, {}],
      policies: [{ agentPattern: agent.did }],
      receipts: [{ agentDid: agent.did }],
      tokens: [{ agentDid: agent.did }],
      keys: [{ publicKey: Buffer.from(owner.publicKey).toString("base64") }],
    });
    expect(archive.events.map(({ verb }) => verb)).toContain("requestAccess");
    expect(JSON.stringify(archive)).not.toMatch(/tokenHash|passwordHash|profileId/);
    const { revisions } = archive.memories.find(({ source }) => source === "agent") ?? {};
    expect(revisions).toMatchObject([{ content: "before", cause: "edited" }]);
  });

  test("holds what the owner asked about a proposal or a request, and the answer", async () => {
    const { proposals, consentRequests } = await exported(owner);
    const at = testNow.toISOString();
    const question = { question: "Why?", askedAt: at };
    const answer = { answer: "To suggest “trains”.", answeredAt: at };
    const byStatus = Object.fromEntries(proposals.map((one) => [one.status, one.inquiry]));
    expect(byStatus).toEqual({ pending: null, approved: { ...question, ...answer } });
    const inquiry = { ...question, answer: null, answeredAt: null };
    expect(consentRequests).toMatchObject([{ inquiry }]);
  });

  test("names the client of a connection, and none of its secrets", async () => {
    const { clientId } = await giveQuestion(engine, { name: "Claude" });
    const own = `com.example.app:/callback?${newId("x")}`;
    await engine.db.client.update({
      where: { id: clientId },
      data: { redirectUris: [redirectUri, "http://[::1]:33418/cb", own] },
    });
    const connected = { clientId, resource: gatewayUrl, tokenHash: null, lastFour: null };
    await giveToken(engine, { owner, agent, ...connected });
    const { tokens } = await exported(owner);
    const redirects = ["com.example.app:", "http://[::1]:33418", new URL(redirectUri).origin];
    expect(tokens.map(({ client }) => client)).toContainEqual(null);
    expect(tokens.map(({ client }) => client)).toContainEqual({
      ...{ id: clientId, name: "Claude" },
      redirects,
    });
    expect(JSON.stringify(tokens)).not.toMatch(/callback|secret|challenge/i);
  });

  test("holds each item once, page after page", async () => {
    for (let at = 0; at < 120; at++)
      await giveMemory(engine, owner.profileId, { content: `n${at}` });
    const { memories } = await exported(owner);
    expect(new Set(memories.map(({ id }) => id)).size).toBe(122);
    expect(memories).toHaveLength(122);
  });

  test("holds the last thousand revisions of a memory, and a page of them in memory at a time", async () => {
    const { id } = await giveMemory(engine, owner.profileId);
    await engine.pool.query(
      `INSERT INTO "MemoryRevision" ("memoryId", category, content, confidence, cause, "createdAt")
       SELECT $1, 'prof:x', n || repeat('x', 9000), 1, 'edited', now() FROM generate_series(1, 1200) n`,
      [id],
    );
    const pieces: string[] = [];
    for await (const piece of await exportProfile(signedIn(engine, owner), owner)) {
      pieces.push(piece);
    }
    const { memories } = ProfileArchive.parse(JSON.parse(pieces.join("")));
    const { revisions = [] } = memories.find((memory) => memory.id === id) ?? {};
    expect(revisions.map(({ content }) => Number.parseInt(content, 10))).toEqual(
      Array.from({ length: 1_000 }, (_none, at) => at + 201),
    );
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(1_000_000);
  });

  test("leaves one event, and is nobody else's", async () => {
    await exported(owner);
    const other = signedIn(engine, await mintOwner(engine));
    await expect(exportProfile(other, owner)).rejects.toMatchObject({ code: "PROF002" });
    const imported = (await eventsOf(engine, owner.profileId)).filter(
      ({ verb }) => verb === "exportProfile",
    );
    expect(imported.map(({ outcome }) => outcome).sort()).toEqual(["PROF002", "ok"]);
  });
});

describe("an import", () => {
  test("brings the same contents into an empty profile, beside the one they are from", async () => {
    const archive = await exported(owner);
    const empty = await mintOwner(engine);
    expect(await importing(empty, archive, true)).toEqual({
      namedValues: 1,
      memories: 2,
      proposals: 2,
      policies: 1,
    });
    const again = await exported(empty);
    expect(contents(again)).toEqual(contents(archive));
    expect(again.proposals.find(({ status }) => status === "approved")?.reviewedBy).toBe(empty.did);
    const from = again.memories.find(({ source }) => source === "agent");
    expect(again.proposals.map(({ id }) => id)).toContain(from?.proposalId);
    const marked = { profileId: empty.profileId, imported: true };
    expect(await engine.db.proposal.count({ where: marked })).toBe(2);
    const events = await eventsOf(engine, empty.profileId);
    expect(events.find(({ verb }) => verb === "importProfile")).toMatchObject({
      outcome: "ok",
      detail: { memories: 2, switchPoliciesOn: true },
    });
  });

  test("reads a file that was made before it had questions and clients", async () => {
    const archive = await exported(owner);
    const old = {
      ...archive,
      proposals: archive.proposals.map(({ inquiry: _, ...one }) => one),
      consentRequests: archive.consentRequests.map(({ inquiry: _, ...one }) => one),
      tokens: archive.tokens.map(({ client: _, ...one }) => one),
    };
    const empty = await mintOwner(engine);
    await importing(empty, old as ProfileArchive);
    const { proposals, consentRequests } = await exported(empty);
    expect([...proposals, ...consentRequests].map(({ inquiry }) => inquiry)).toEqual(
      Array(3).fill(null),
    );
  });

  test("keeps a question with the request that it is about, and its agent can answer it", async () => {
    const empty = await mintOwner(engine);
    await importing(empty, await exported(owner));
    const id = (await exported(empty)).consentRequests[0]?.id ?? "";
    const answer = { did: empty.did, id, answer: "To suggest trains." };
    const asAgent = contextOf(engine, { kind: "agent", ...agent });
    expect(await answerWhy(asAgent, answer)).toMatchObject({ question: "Why?" });
    expect((await exported(owner)).consentRequests).toMatchObject([{ inquiry: { answer: null } }]);
  });

  test("keeps the type of the profile, which only an admin sets", async () => {
    const archive = await exported(owner);
    const profile = { ...archive.profile, profileType: "entity" as const };
    const empty = await mintOwner(engine);
    expect(await importing(empty, { ...archive, profile })).toMatchObject({ memories: 2 });
    expect((await exported(empty)).profile).toMatchObject({ profileType: "human", common });
  });

  test("gives nobody access unless the owner says so", async () => {
    const archive = await exported(owner);
    const empty = await mintOwner(engine);
    await importing(empty, archive);
    const again = await exported(empty);
    expect(again.policies).toMatchObject([{ enabled: false }]);
    expect(again.receipts).toMatchObject([{ revokedAt: testNow.toISOString() }]);
    expect(again.tokens).toEqual([]);
    const { data } = await agent.client.getProfile({ did: empty.did });
    expect(data.memories).toEqual({});
    expect((await agent.client.getProfile({ did: owner.did })).data.memories).not.toEqual({});
  });

  test.each([false, true])(
    "leaves in force what the profile denies already, with its policies switched on: %s",
    async (switchPoliciesOn) => {
      const archive = await exported(owner);
      const template = { origin: "template" as const, permissions: ["read" as const] };
      const empty = await mintOwner(engine, {
        policies: [
          { ...template, allow: [], deny: ["prof:secret"] },
          { ...template, allow: ["prof:*"], deny: ["prof:diary"] },
        ],
      });
      await importing(empty, archive, switchPoliciesOn);
      const { policies } = await exported(empty);
      const denying = policies.filter(({ enabled, deny }) => enabled && deny.length > 0);
      expect(denying.map(({ allow, deny }) => ({ allow, deny })).sort(byDeny)).toEqual([
        { allow: [], deny: ["prof:diary"] },
        { allow: [], deny: ["prof:secret"] },
      ]);
    },
  );

  test("is refused where something is already, and by one of two at once", async () => {
    const archive = await exported(owner);
    await expect(importing(owner, archive)).rejects.toMatchObject({ code: "PROF006" });
    const empty = await mintOwner(engine);
    const settled = await Promise.allSettled([
      importing(empty, archive),
      importing(empty, archive),
    ]);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await exported(empty)).memories).toHaveLength(2);
  });

  test("is nobody else's", async () => {
    const archive = await exported(owner);
    const empty = await mintOwner(engine);
    const other = signedIn(engine, owner);
    const input = { did: empty.did, archive: packArchive(archive), switchPoliciesOn: true };
    const foreign = importProfile(other, input);
    await expect(foreign).rejects.toMatchObject({ code: "PROF002" });
    expect(await eventsOf(engine, empty.profileId)).toMatchObject([
      { verb: "importProfile", outcome: "PROF002" },
    ]);
  });

  test("lowers the case of categories and scopes; of two that are the same then, the last one stays", async () => {
    const archive = await exported(owner);
    const [value] = archive.namedValues;
    const [memory] = archive.memories;
    const waiting = archive.proposals.find(({ status }) => status === "pending");
    if (!value || !memory || !waiting) throw new Error("the archive lacks something");
    const later = new Date(Date.parse(waiting.proposedAt) + 1).toISOString();
    const old = {
      ...archive,
      namedValues: [value, { ...value, category: "prof:Professional", value: "newer" }],
      memories: [{ ...memory, category: "prof:Interests" }],
      proposals: [
        waiting,
        { ...waiting, id: "prop_2", category: "prof:INTERESTS", proposedAt: later },
      ],
      policies: archive.policies.map((one) => ({ ...one, deny: ["prof:Health", "prof:health"] })),
      receipts: archive.receipts.map((one) => ({
        ...one,
        deniedScopes: ["prof:Financial", "prof:financial"],
      })),
    };
    const empty = await mintOwner(engine);
    await importing(empty, old);
    expect(await exported(empty)).toMatchObject({
      namedValues: [{ category: "prof:professional", value: "newer" }],
      memories: [{ category: "prof:interests" }],
      proposals: [{ id: "prop_2", category: "prof:interests" }],
      policies: [{ deny: ["prof:health"] }],
      receipts: [{ deniedScopes: ["prof:financial"] }],
    });
  });

  test("takes the newest of an agent's pending requests that differ in their connection only", async () => {
    const archive = await exported(owner);
    const [request] = archive.consentRequests;
    if (!request) throw new Error("the archive lacks a request");
    const requestedAt = new Date(testNow.getTime() + 1).toISOString();
    const later = { ...request, id: newId("creq"), requestedAt, inquiry: null };
    const empty = await mintOwner(engine);
    await importing(empty, { ...archive, consentRequests: [later, request] });
    expect((await exported(empty)).consentRequests).toMatchObject([{ requestedAt }]);
  });

  const spoilt: [string, (archive: ProfileArchive) => void][] = [
    ["a proposal that is null", ({ proposals }) => proposals.push(null as never)],
    ["the same memory twice", ({ memories }) => memories.push(...memories)],
    [
      "a value that hides records",
      ({ namedValues: [one] }) => one && Object.assign(one, { name: "memories" }),
    ],
    [
      "a receipt without an end",
      ({ receipts: [one] }) => one && Object.assign(one, { expiresAt: "2999-01-01T00:00:00.000Z" }),
    ],
    [
      "a decided proposal that waits",
      ({ proposals: [one] }) => one && Object.assign(one, { status: "rejected", reviewedAt: null }),
    ],
    [
      "an answer without a time",
      ({ consentRequests: [one] }) => one?.inquiry && Object.assign(one.inquiry, { answer: "So." }),
    ],
    [
      "a memory of a user's",
      ({ memories: [one] }) => one && Object.assign(one, { agentDid: owner.did }),
    ],
    [
      "a pattern that is none",
      ({ policies: [one] }) => one && Object.assign(one, { agentPattern: "*" }),
    ],
    [
      "too large a profile",
      ({ profile }) => Object.assign(profile.common, { x: "x".repeat(70_000) }),
    ],
  ];
  test.each(spoilt)("refuses %s before anything is written", async (_fault, spoil) => {
    const archive = await exported(owner);
    spoil(archive);
    const empty = await mintOwner(engine);
    await expect(importing(empty, archive)).rejects.toMatchObject({ code: "PROF006" });
    const { memories, namedValues, profile } = await exported(empty);
    expect([memories, namedValues, profile.common]).toEqual([[], [], { preferences: {} }]);
  });
});
