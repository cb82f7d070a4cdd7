import { expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { adminApi, ownerApi as at } from "@/lib/http/api/tables";
import { ProfileArchive } from "@/lib/protocol/archive/profile-archive";
import { answerOf, ask, send, signedInCookie } from "@/tests/support/dashboard-api";
import { testEngine, tokenClient } from "@/tests/support/harness";
import {
  eventsOf,
  giveMemory,
  giveProposal,
  mintAdmin,
  mintAgent,
  mintOwner,
  type Owner,
} from "@/tests/support/personas";
import { issuePaths } from "@/tests/support/wire";

// What each endpoint does for the owner of the profile; owner-endpoints.test.ts has the refusals.
const engine = await testEngine();

async function alice() {
  const owner = await mintOwner(engine, { policies: [{ permissions: ["read", "propose"] }] });
  const cookie = await signedInCookie(engine, owner);
  const with_ = (more: Record<string, string> = {}) => ({
    cookie,
    params: { did: owner.did, ...more },
  });
  return { owner, cookie, with_ };
}

async function verbsOf({ profileId }: Owner) {
  return (await eventsOf(engine, profileId)).map(({ verb, outcome }) => `${verb} ${outcome}`);
}

test("Profiles are listed, and one is read whole", async () => {
  const { owner, cookie, with_ } = await alice();
  const list = await answerOf(at.listProfiles, { cookie });
  expect(list.data).toEqual([{ did: owner.did }]);
  expect(list.meta.count).toBe(1);
  await giveMemory(engine, owner.profileId, { category: "prof:health" });
  const { data } = await answerOf(at.getProfile, with_());
  expect(data).toMatchObject({ id: owner.did, memories: { "prof:health": [{}] } });
});

test("Proposals are listed page by page, narrowed, and reviewed", async () => {
  const { owner, with_ } = await alice();
  const [iris, atlas] = [await mintAgent(engine), await mintAgent(engine)];
  const { profileId } = owner;
  const one = await giveProposal(engine, { profileId, agentDid: iris.did });
  const two = await giveProposal(engine, { profileId, agentDid: iris.did });
  const other = await giveProposal(engine, {
    profileId,
    agentDid: atlas.did,
    category: "prof:a.b",
  });
  const first = await answerOf(at.listProposals, { ...with_(), query: { limit: "2" } });
  const cursor = first.meta.next ?? "";
  const second = await answerOf(at.listProposals, { ...with_(), query: { limit: "2", cursor } });
  const seen = [...first.data, ...second.data].map(({ id }) => id);
  expect(seen.sort()).toEqual([one.id, two.id, other.id].sort());
  expect(second.meta).toMatchObject({ count: 1, next: null });
  const narrowings: Record<string, string>[] = [{ agent: atlas.did }, { category: "prof:a" }];
  for (const query of narrowings) {
    const { data } = await answerOf(at.listProposals, { ...with_(), query });
    expect(data.map(({ id }) => id)).toEqual([other.id]);
  }
  const body = { action: "approve", editedContent: "Likes green tea." };
  const reviewed = await answerOf(at.reviewProposal, { ...with_({ proposalId: one.id }), body });
  expect(reviewed.data).toMatchObject({ proposalId: one.id, status: "approved" });
  const rejection = { action: "reject", reason: "No." };
  await answerOf(at.reviewProposal, { ...with_({ proposalId: two.id }), body: rejection });
  const decided = await answerOf(at.listProposals, { ...with_(), query: { status: "decided" } });
  expect(decided.data.map(({ id, status }) => [id, status]).sort()).toEqual(
    [
      [one.id, "approved"],
      [two.id, "rejected"],
    ].sort(),
  );
  const again = await ask(at.reviewProposal, { ...with_({ proposalId: one.id }), body });
  expect([again.status, issuePaths(again)]).toEqual([400, ["path.proposalId"]]);
  const events = await verbsOf(owner);
  expect(events.filter((verb) => verb === "reviewProposal ok")).toHaveLength(2);
});

test("Many proposals are decided at once, and what is sensitive is left", async () => {
  const { owner, with_ } = await alice();
  const { did: agentDid } = await mintAgent(engine);
  const give = (category: string) =>
    giveProposal(engine, { profileId: owner.profileId, agentDid, category });
  const [plain, sensitive] = [await give("prof:interests"), await give("prof:health")];
  const proposalIds = [plain.id, sensitive.id, "prop_unknown"];
  const body = { action: "approve", proposalIds };
  const { data } = await answerOf(at.reviewProposals, { ...with_(), body });
  expect(data).toMatchObject([
    { proposalId: plain.id, status: "approved" },
    { proposalId: sensitive.id, status: "left", why: "sensitive" },
    { proposalId: "prop_unknown", status: "left", why: "unknown" },
  ]);
  const none = await ask(at.reviewProposals, {
    ...with_(),
    body: { action: "reject", proposalIds: [] },
  });
  expect(none.status).toBe(400);
});

test("A token that is issued lets its agent in, is listed without itself, and ends when revoked", async () => {
  const { owner, with_ } = await alice();
  const iris = await mintAgent(engine);
  const body = { agentDid: iris.did, scopes: ["prof:health"], permissions: ["read"], days: 1 };
  const issued = await send(at.issueToken, { ...with_(), body });
  expect(issued.status).toBe(201);
  const { data } = await issued.json();
  expect(data.token).toMatch(/^profct_/);
  const client = tokenClient(engine, data.token);
  expect((await client.getOwnProfile({})).data.id).toBe(owner.did);
  const listed = await ask(at.listTokens, with_());
  expect(JSON.stringify(listed.body)).not.toContain(data.token);
  const { data: tokens } = await answerOf(at.listTokens, {
    ...with_(),
    query: { state: "active" },
  });
  expect(tokens).toMatchObject([
    { id: data.id, agent: { did: iris.did }, lastFour: data.token.slice(-4), label: null },
  ]);
  await answerOf(at.revokeToken, with_({ tokenId: data.id }));
  await expect(client.getOwnProfile({})).rejects.toThrow();
  expect((await ask(at.revokeToken, with_({ tokenId: data.id }))).status).toBe(404);
  expect((await answerOf(at.listTokens, { ...with_(), query: { state: "active" } })).data).toEqual(
    [],
  );
  const events = await eventsOf(engine, owner.profileId);
  expect(JSON.stringify(events)).not.toContain(data.token);
  const ends = events.filter(({ verb }) => verb === "editTokens").map(({ outcome }) => outcome);
  expect(ends.sort()).toEqual(["PROF003", "ok", "ok"]);
});

test("Requests for access are listed and decided, and what was granted has its receipt", async () => {
  const { owner, with_ } = await alice();
  const nova = await mintAgent(engine, { name: "Nova" });
  await engine.db.policy.deleteMany({ where: { profileId: owner.profileId } });
  const purpose = { type: "support" };
  const input = { did: owner.did, scopes: ["prof:health", "prof:interests"], purpose };
  await nova.client.requestAccess(input).catch(() => undefined);
  const { data } = await answerOf(at.listConsents, with_());
  expect(data).toMatchObject([{ agent: { name: "Nova" }, scopes: input.scopes }]);
  const requestId = data[0]?.id ?? "";
  const body = { scopes: ["prof:interests"], choice: "1d" };
  await answerOf(at.decideConsent, { ...with_({ requestId }), body });
  expect((await answerOf(at.listConsents, with_())).data).toEqual([]);
  const receipts = await answerOf(at.listReceipts, { ...with_(), query: { state: "active" } });
  expect(receipts.data).toMatchObject([{ grantedScopes: ["prof:interests"] }]);
  const receiptId = receipts.data[0]?.id ?? "";
  await answerOf(at.revokeReceipt, with_({ receiptId }));
  const { data: revoked } = await answerOf(at.listReceipts, {
    ...with_(),
    query: { state: "revoked" },
  });
  expect(revoked.map(({ id }) => id)).toEqual([receiptId]);
});

test("Memories are written, found, changed, taken back, deleted and restored", async () => {
  const { owner, with_ } = await alice();
  const content = `Keeps ${newId("bees")}.`;
  const { data: added } = await answerOf(at.addMemory, {
    ...with_(),
    body: { category: "prof:hobbies", content },
  });
  const params = with_({ memoryId: added.id });
  const found = await answerOf(at.listMemories, { ...with_(), query: { search: content } });
  expect(found.data).toMatchObject([{ id: added.id, source: "owner", state: "live" }]);
  const read = async () => (await answerOf(at.readMemory, params)).data;
  const edit = { updatedAt: (await read()).updatedAt, content: "Kept bees." };
  const { data: changed } = await answerOf(at.changeMemory, { ...params, body: edit });
  const late = await ask(at.changeMemory, {
    ...params,
    body: { ...edit, content: "Keeps wasps." },
  });
  expect(late.status).toBe(400);
  expect(await read()).toMatchObject({
    content: "Kept bees.",
    history: [{ revisionId: changed.revisionId, before: { content } }],
  });
  await answerOf(at.restoreRevision, with_({ revisionId: changed.revisionId ?? "" }));
  expect((await read()).content).toBe(content);
  for (const more of [{ category: "prof:bees" }, { archived: true }, { archived: false }]) {
    const { updatedAt } = await read();
    await answerOf(at.changeMemory, { ...params, body: { updatedAt, ...more } });
  }
  expect(await read()).toMatchObject({ category: "prof:bees", state: "live" });
  await answerOf(at.deleteMemory, params);
  expect((await read()).state).toBe("deleted");
  await answerOf(at.undeleteMemory, params);
  expect((await read()).state).toBe("live");
  expect((await verbsOf(owner)).filter((verb) => verb === "editMemories ok")).toHaveLength(8);
});

test("A memory is changed in one way at a time", async () => {
  const { owner, with_ } = await alice();
  const { id, updatedAt } = await giveMemory(engine, owner.profileId);
  for (const more of [{}, { content: "a", archived: true }, { confidence: 0.1 }]) {
    const body = { updatedAt, ...more };
    const reply = await ask(at.changeMemory, { ...with_({ memoryId: id }), body });
    expect([more, reply.status, issuePaths(reply)]).toEqual([more, 400, ["body.content"]]);
  }
});

test("Policies are listed, added, replaced, switched and removed", async () => {
  const { owner, with_ } = await alice();
  const body = {
    agentPattern: "did:prof:agent:*:*",
    allow: ["prof:hobbies"],
    permissions: ["read"],
    expiresAt: "2026-06-01T00:00:00.000Z",
  };
  const { data: added } = await answerOf(at.addPolicy, { ...with_(), body });
  const params = with_({ policyId: added.id });
  const find = async () =>
    (await answerOf(at.listPolicies, with_())).data.find(({ id }) => id === added.id);
  const first = await find();
  expect(first).toMatchObject({ ...body, origin: "owner", enabled: true });
  const edit = { ...body, updatedAt: first?.updatedAt, deny: ["prof:hobbies.bees"] };
  await answerOf(at.editPolicy, { ...params, body: edit });
  expect((await ask(at.editPolicy, { ...params, body: edit })).status).toBe(400);
  await answerOf(at.switchPolicy, { ...params, body: { enabled: false } });
  expect(await find()).toMatchObject({ enabled: false, deny: edit.deny });
  await answerOf(at.removePolicy, params);
  expect(await find()).toBeUndefined();
  const bad = await ask(at.addPolicy, { ...with_(), body: { ...body, permissions: [] } });
  expect([bad.status, issuePaths(bad)]).toEqual([400, ["body.permissions"]]);
  const events = await verbsOf(owner);
  expect(events.filter((verb) => verb === "editPolicies ok")).toHaveLength(4);
});

test("The access log is listed page by page and narrowed, and the whole profile is exported", async () => {
  const { owner, with_ } = await alice();
  const iris = await mintAgent(engine);
  for (let count = 0; count < 3; count++) await iris.client.getProfile({ did: owner.did });
  const first = await answerOf(at.listActivity, {
    ...with_(),
    query: { limit: "2", kind: "reads" },
  });
  expect(first.data).toHaveLength(2);
  expect(first.data[0]).toMatchObject({ agent: { did: iris.did }, outcome: "ok" });
  const cursor = first.meta.next ?? "";
  const rest = await answerOf(at.listActivity, { ...with_(), query: { kind: "reads", cursor } });
  expect(rest.data).toHaveLength(1);
  expect(rest.meta.next).toBeNull();
  const exported = await send(at.exportProfile, with_());
  expect(exported.status).toBe(200);
  expect(exported.headers.get("Content-Disposition")).toContain("attachment");
  expect(ProfileArchive.parse(await exported.json()).profile.did).toBe(owner.did);
  expect(await verbsOf(owner)).toContain("exportProfile ok");
});

test("What a query may hold is bounded", async () => {
  const { with_ } = await alice();
  for (const [row, query, path] of [
    [at.listTokens, { cursor: "2026-99-99T00:00:00.000Z~tok_1" }, "query.cursor"],
    [at.listTokens, { cursor: "nonsense" }, "query.cursor"],
    [at.listTokens, { limit: "0" }, "query.limit"],
    [at.listTokens, { state: "gone" }, "query.state"],
    [at.listProposals, { agent: "iris" }, "query.agent"],
    [at.listMemories, { search: "a".repeat(201) }, "query.search"],
    [at.listActivity, { from: "yesterday" }, "query.from"],
  ] as const) {
    const reply = await ask(row, { ...with_(), query });
    expect([reply.status, issuePaths(reply)]).toEqual([400, [path]]);
  }
  const { meta } = await answerOf(at.listTokens, { ...with_(), query: { limit: "100000" } });
  expect(meta.count).toBe(0);
});

test.each([
  [
    at.issueToken,
    { agentDid: "did:prof:agent:local:iris", scopes: ["prof:a"], permissions: ["read"] },
  ],
  [at.decideConsent, { scopes: ["prof:a"], choice: "1d" }],
  [adminApi.setCeiling, { ceiling: ["prof:a"] }],
  [adminApi.verifyAgent, { verified: true }],
  [adminApi.setLimits, { limits: {} }],
])(
  "A grant with a member that is not known is refused by name: $summary",
  async (endpoint, body) => {
    const cookie = await signedInCookie(engine, await mintAdmin(engine));
    const params = { agentDid: "did:prof:agent:local:iris", requestId: newId("creq") };
    const misspelt = { ...body, expires: "2026-12-01T00:00:00Z" };
    const owner = await mintOwner(engine);
    const own = await signedInCookie(engine, owner);
    const isAdmins = endpoint.path.startsWith("/api/admin/");
    const sent = {
      cookie: isAdmins ? cookie : own,
      params: { ...params, did: owner.did },
      body: misspelt,
    };
    const { status, body: answer } = await ask(endpoint, sent);
    expect([status, answer.error?.code]).toEqual([400, "PROF006"]);
    expect(answer.error?.message).toContain('"expires"');
  },
);
