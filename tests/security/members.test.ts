import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Registration } from "@/lib/auth/registration";
import { newId } from "@/lib/engine/random";
import type { ApiEndpoint } from "@/lib/http/api/endpoint";
import { adminApi, ownerApi } from "@/lib/http/api/tables";
import { type Endpoint, endpoints } from "@/lib/protocol/endpoints";
import { exportProfile } from "@/lib/services/archive/export";
import { importProfile } from "@/lib/services/archive/import";
import { packArchive } from "@/lib/services/archive/pack-archive";
import { answerOf, ask, signedInCookie } from "@/tests/support/dashboard-api";
import { gatewayUrl, testEngine } from "@/tests/support/harness";
import { mintAdmin, mintAgent, mintKeyPair, mintOwner, signedIn } from "@/tests/support/personas";
import { call, profilePath, type Reply } from "@/tests/support/wire";
import { exampleOf } from "./testing/example";
import { registerItself } from "./testing/register-itself";
import { type Deed, deedOf, stolenFrom } from "./testing/stolen";
import { mintWorld, type World } from "./testing/world";

// Members of a body that are not the sender's to choose, at every endpoint that takes a body.
const limits = ["ACCESS", "PROPOSE", "REVIEW", "SESSION", "REGISTER"];
const engine = await testEngine({
  PEER_LIMIT: "1000000",
  PUBLIC_URL: gatewayUrl,
  AGENT_REGISTRATION: "approval",
  ...Object.fromEntries(limits.map((name) => [`LIMIT_${name}`, "1000000"])),
});
const adminsCookie = await signedInCookie(engine, await mintAdmin(engine));
const victim = await mintWorld(engine);
const stolen = stolenFrom(victim);

type Change = (own: object) => object;
type Send = (world: World, change: Change) => Promise<Reply>;

const forOwners = Object.entries<ApiEndpoint>(ownerApi);
const forAdmins = Object.entries<ApiEndpoint>(adminApi);
const forAgents: Endpoint[] = Object.values(endpoints);
const all: [name: string, body: z.ZodType | null, send: Send][] = [
  ...forOwners.map((row) => sessionWrite(row, ({ cookie }) => cookie)),
  ...forAdmins.map((row) => sessionWrite(row, () => adminsCookie)),
  ...forAgents.map(protocolWrite),
  ["POST /api/agents", Registration, (_world, change) => registerItself(engine, change)],
];
const writes = all.filter((one): one is [string, z.ZodType, Send] => one[1] !== null);

// Where the body that the documentation shows is about things that are not this world's.
const bodies: Record<string, (world: World) => object> = {
  changeMemory: ({ memoryAt: updatedAt }) => ({ updatedAt, content: "Prefers aisle seats." }),
  editPolicy: ({ policyAt: updatedAt }) => ({ ...exampleOf(addPolicy.body), updatedAt }),
  reviewProposals: ({ ids }) => ({ action: "reject", proposalIds: [ids.proposalId] }),
  decideConsent: () => ({ scopes: ["prof:health"], choice: "1d" }),
  issueToken: ({ agent }) => ({ ...exampleOf(issueToken.body), agentDid: agent.did }),
  registerAgent: () => ({ did: `did:prof:agent:local:${newId("new")}`, name: "New", ...newKey() }),
  addKey: newKey,
  createProfile: ({ heir: { userId } }) => ({ userId, handle: newId("new"), name: "New" }),
  setProfileFormat: () => ({ profileType: "entity", version: "2.0" }),
  transferProfile: ({ heir: { email } }) => ({ email }),
  inviteUser: () => ({ email: `${newId("new")}@example.com`.toLowerCase() }),
};
const { addPolicy, issueToken } = ownerApi;

function newKey(): object {
  return { publicKey: Buffer.from(mintKeyPair().publicKey).toString("base64") };
}

function bodyOf([name, { body }]: [string, { body: z.ZodType | null }], world: World): object {
  return bodies[name]?.(world) ?? exampleOf(body);
}

function sessionWrite(
  [name, row]: [string, ApiEndpoint],
  cookieOf: (world: World) => string,
): [string, z.ZodType | null, Send] {
  const send: Send = (world, change) => {
    const agentDid = name === "refuseAgent" ? world.ids.waitingDid : world.ids.agentDid;
    const params = { ...world.ids, agentDid: agentDid ?? "" };
    return ask(row, { cookie: cookieOf(world), params, body: change(bodyOf([name, row], world)) });
  };
  return [`${row.method} ${row.path}`, row.body, send];
}

function protocolWrite(row: Endpoint): [string, z.ZodType | null, Send] {
  const send: Send = (world, change) => {
    const { owner, agent, token, ids } = world;
    const signer = row.name === "reviewProposal" ? owner.client : agent.client;
    const client = row.credentials.includes("signature") ? signer : token;
    const target = row.path.replace(/\{(\w+)\}/g, (_all, name: string) =>
      encodeURIComponent(ids[name] ?? ""),
    );
    const body = JSON.stringify(change(bodyOf([row.name, row], world)));
    return call(client, { method: row.method, target, body });
  };
  return [`${row.method} ${row.path}`, row.body, send];
}

const Schema = z.looseObject({
  properties: z.record(z.string(), z.looseObject({ type: z.unknown().optional() })).default({}),
  additionalProperties: z.unknown().optional(),
});

function schemaOf(body: z.ZodType) {
  return Schema.parse(z.toJSONSchema(body, { io: "input", unrepresentable: "any" }));
}

function declaredBy(body: z.ZodType) {
  return schemaOf(body).properties;
}

const refused = { status: 400, changes: [], answer: expect.stringContaining("PROF006") };

async function deed(send: Send, change: Change): Promise<Deed & { status: number }> {
  // What an admin has set is there for all.
  await engine.db.setting.deleteMany();
  const world = await mintWorld(engine);
  let status = 0;
  const done = await deedOf(engine.pool, victim, async () => {
    const { body, ...reply } = await send(world, change);
    status = reply.status;
    return [body.data, body.error];
  });
  return { ...done, status };
}

test("every write is tried", () => {
  expect(writes.length).toBeGreaterThan(20);
});

test.each(writes)(
  "%s does with members that it does not name what it does without them, or refuses all of it",
  async (_name, body, send) => {
    const declared = declaredBy(body);
    const loot = Object.fromEntries(Object.entries(stolen).filter(([name]) => !(name in declared)));
    const honest = await deed(send, (own) => own);
    expect(honest).toMatchObject({ status: expect.toBeOneOf([200, 201]) });
    expect(honest.changes).not.toEqual([]);
    // Protocol 8: what grants takes no member that it does not name.
    const isStrict = schemaOf(body).additionalProperties === false;
    expect(await deed(send, (own) => ({ ...loot, ...own }))).toEqual(isStrict ? refused : honest);
  },
);

const nested = writes.filter(([, body]) =>
  Object.values(declaredBy(body)).some(({ type }) => type === "object"),
);

test.each(nested)(
  "%s does so with such members deeper in its body, or refuses all of it",
  async (_name, _body, send) => {
    const within: Change = (own) =>
      Object.fromEntries(
        Object.entries(own).map(([name, value]) => [
          name,
          value?.constructor === Object ? { ...stolen, ...value } : value,
        ]),
      );
    const done = await deed(send, within);
    expect(done).toEqual(done.status === 400 ? refused : await deed(send, (own) => own));
  },
);

test("an import does so with such members anywhere in its file, and takes no key of it", async () => {
  const world = await mintWorld(engine);
  let text = "";
  for await (const piece of await exportProfile(signedIn(engine, world.owner), world.owner)) {
    text += piece;
  }
  const honest = await imported(text);
  expect(honest.changes).toEqual(expect.arrayContaining([expect.stringMatching(/^\+ Memory /)]));
  expect(honest.changes).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^\+ (Key|ConnectionToken) /)]),
  );
  expect(JSON.parse(text).keys.length).toBeGreaterThan(0);
  expect(await imported(JSON.stringify(withLoot(JSON.parse(text))))).toEqual(honest);
});

/** Into a profile that holds nothing. */
async function imported(text: string): Promise<Deed> {
  const { did, ...owner } = await mintOwner(engine);
  const archive = packArchive(JSON.parse(text));
  const input = { did, archive, switchPoliciesOn: true };
  return deedOf(engine.pool, victim, () => importProfile(signedIn(engine, owner), input));
}

/** In all that an archive has; but not in what its owner may write as they like, nor in events. */
function withLoot(archive: Record<string, unknown>): object {
  const spoilt = Object.entries(archive).map(([name, value]) => {
    if (name === "events") return [name, value];
    if (Array.isArray(value)) return [name, value.map((item) => ({ ...stolen, ...item }))];
    return [name, value?.constructor === Object ? { ...stolen, ...value } : value];
  });
  return { ...stolen, ...Object.fromEntries(spoilt) };
}

const policies = [{}, { permissions: ["propose" as const] }];
const owner = await mintOwner(engine, { policies });
const agent = await mintAgent(engine);
const cookie = await signedInCookie(engine, owner);

describe("values that the gateway sets", () => {
  const sent = {
    ...{
      id: "mine",
      profileId: 1,
      did: "did:prof:user:local:bob",
      ownerId: "usr_1",
      userId: "usr_1",
    },
    ...{ role: "admin", state: "active", status: "approved", verified: true, origin: "admin" },
    ...{
      source: "owner",
      memoryId: "mem_1",
      reviewedAt: "2026-01-01T00:00:00Z",
      registeredBy: "usr_1",
    },
    ...{
      createdAt: "2000-01-01T00:00:00Z",
      expiresAt: "2999-01-01T00:00:00Z",
      limits: { profile: 1e6 },
    },
    ...{ ceiling: ["prof:*"], grantedScopes: ["prof:*"], tokenHash: "x", lastFour: "0000" },
  };
  const post = (path: string, body: object) =>
    call(agent.client, {
      method: "POST",
      target: profilePath(owner.did, path),
      body: JSON.stringify(body),
    });

  test("of a proposal are left out", async () => {
    const own = {
      content: "Proposed.",
      category: "prof:interests",
      agentDid: "did:prof:agent:local:x",
    };
    const { status, body } = await post("/memories/propose", { ...sent, ...own });
    expect(status).toBe(201);
    const { proposalId } = z.object({ proposalId: z.string() }).parse(body.data);
    const row = await engine.db.proposal.findUniqueOrThrow({ where: { id: proposalId } });
    expect(row).toMatchObject({
      ...{ profileId: owner.profileId, agentDid: agent.did, status: "pending" },
      reviewedAt: null,
    });
    expect(row.expiresAt.getTime() - engine.now().getTime()).toBe(7 * 86_400_000);
  });

  test("of a request for access are left out", async () => {
    const own = { scopes: ["prof:health"], purpose: { type: "research", status: "granted" } };
    const { status, body } = await post("/access", { ...sent, ...own });
    expect([status, body.error?.code]).toEqual([200, undefined]);
    const [receipt] = await engine.db.receipt.findMany({ where: { profileId: owner.profileId } });
    expect(receipt).toMatchObject({ agentDid: agent.did, grantedScopes: ["prof:health"] });
    expect(receipt?.expiresAt.getTime()).toBe(engine.now().getTime() + 86_400_000);
  });

  test("of a memory are left out", async () => {
    const body = { ...sent, content: "Added.", category: "prof:interests" };
    const params = { did: owner.did };
    const { data } = await answerOf(ownerApi.addMemory, { cookie, params, body });
    const row = await engine.db.memory.findUniqueOrThrow({ where: { id: data.id } });
    expect(row).toMatchObject({ profileId: owner.profileId, source: "owner", deletedAt: null });
    expect(row.createdAt).toEqual(engine.now());
  });

  test("of an agent that registers itself are left out", async () => {
    const { did, status } = await registerItself(engine, (own) => ({ ...sent, ...own }));
    expect(status).toBe(201);
    expect(await engine.db.agent.findUniqueOrThrow({ where: { did } })).toMatchObject({
      ...{ state: "pending", verified: false, origin: "itself", registeredBy: null, limits: {} },
    });
  });
});
