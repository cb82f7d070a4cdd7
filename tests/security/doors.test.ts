import { beforeAll, describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { type Client, createClient } from "@/lib/protocol/client";
import { giveQuestion } from "@/tests/support/connecting/question";
import { signedInCookie } from "@/tests/support/dashboard-api";
import { testEngine } from "@/tests/support/harness";
import {
  giveMemory,
  givePolicy,
  giveProposal,
  giveToken,
  mintAdmin,
  mintAgent,
  mintOwner,
} from "@/tests/support/personas";
import { addressOf, startGateway } from "@/tests/support/processes";
import { digest } from "./testing/digest";
import { giveReviewing } from "./testing/reviewed";
import { addressWith, type Door, doors, type Method, methods } from "./testing/tree";

// Every page and route of the file tree, by every method, for everybody there is: a new one that has no
// row below fails, and one that has is held to it.

const engine = await testEngine();
const raised = [
  "PEER_LIMIT",
  "LIMIT_SESSION",
  "LIMIT_PROFILE",
  "LIMIT_MEMORIES",
  "LIMIT_PROPOSALS",
];
const limits = [...raised, "LIMIT_ACCESS", "LIMIT_PROPOSE", "LIMIT_REVIEW"];
const gateway = await addressOf(
  startGateway({
    DATABASE_URL: engine.env.DATABASE_URL ?? "",
    LOG_LEVEL: "warn",
    ...Object.fromEntries(limits.map((name) => [name, "1000000"])),
  }),
);
engine.setNow(new Date());

type Kind =
  | "open"
  | "sign-in"
  | "owner's page"
  | "admin's page"
  | "owner's file"
  | "admin's file"
  | "owner's script"
  | "owner's API"
  | "admin's API"
  | "protocol"
  | "operator"
  | "nothing";

// The first that fits; what fits none is a door that nobody has thought about.
const kinds: [address: RegExp, kind: Kind][] = [
  [/^\/$|^\/sign-(in|up)$|^\/link\/\[token\](\/restore)?$/, "sign-in"],
  [/^\/confirm$/, "owner's page"],
  // With the key of a mail they end a kind of them; opened, they change nothing.
  [/^\/(api\/)?mail\/stop\/\[what\]\/\[key\]$|^\/forgot$/, "open"],
  [/^\/goodbye$|^\/docs(\/|$)|^\/openapi\.json$/, "open"],
  [/^\/api\/(health|agents|did\/\[did\]|\[\.\.\.path\])$/, "open"],
  [/^\/api\/auth\/\[\.\.\.nextauth\]$/, "open"],
  [/^\/dashboard\/activity\/export\/\[format\]$/, "owner's file"],
  [/^\/admin\/activity\/export\/\[format\]$/, "admin's file"],
  [/^\/(dashboard|admin)\/\[\.\.\.missing\]$/, "nothing"],
  [/^\/dashboard(\/|$)/, "owner's page"],
  [/^\/admin(\/|$)/, "admin's page"],
  [
    /^\/api\/(profile\/(export|import|memories\/import)|live|dashboard\/matches)$/,
    "owner's script",
  ],
  [/^\/api\/(profiles|session)(\/|$)/, "owner's API"],
  [/^\/api\/admin\//, "admin's API"],
  [/^\/api\/(metrics|health\/ready)$/, "operator"],
  [/^\/prof\/|^\/api\/(access-requests|proposals)\/|^\/api\/webhook(\/|$)/, "protocol"],
];

function kindOf({ address }: Door): Kind | undefined {
  return kinds.find(([pattern]) => pattern.test(address))?.[1];
}

type Role =
  | "nobody"
  | "another user"
  | "a demoted admin"
  | "a suspended user"
  | "a session for a token"
  | "a token for a session"
  | "a link for a session"
  | "a token"
  | "an agent"
  | "the owner's key"
  | "an admin"
  | "the owner";

const signedIn: Role[] = ["another user", "a demoted admin", "an admin", "the owner"];
// A page looks at nothing but the cookie.
const sentByBrowsers: Role[] = [
  "nobody",
  "another user",
  "a suspended user",
  "a token for a session",
  "an admin",
  "the owner",
];
const withCredential: Role[] = ["a token", "an agent", "the owner's key"];

// What each may be answered; everything else is a hole.
const answers: Record<Kind, (role: Role) => number[]> = {
  open: () => [200, 302, 307, 400, 401, 404],
  "sign-in": (role) => (signedIn.includes(role) ? [200, 307] : [200]),
  "owner's page": (role) =>
    role === "the owner" ? [200, 307] : signedIn.includes(role) ? [200, 307, 404] : [307],
  "admin's page": (role) =>
    role === "an admin" ? [200, 307] : signedIn.includes(role) ? [404] : [307],
  "owner's file": (role) => (signedIn.includes(role) ? [200, 307] : [307]),
  "admin's file": (role) => (role === "an admin" ? [200] : signedIn.includes(role) ? [404] : [307]),
  "owner's script": (role) => (signedIn.includes(role) ? [200, 303, 404] : [303, 401]),
  "owner's API": (role) =>
    role === "the owner" ? [200] : signedIn.includes(role) ? [200, 400, 404] : [401],
  "admin's API": (role) => (role === "an admin" ? [200] : signedIn.includes(role) ? [403] : [401]),
  // Its files export every method, so that Next.js answers none of them in its own words.
  protocol: (role) => [404, 405, ...(withCredential.includes(role) ? [200, 400, 403] : [401])],
  operator: () => [403],
  // Signed out, one is led to sign in by the side that stands around it.
  nothing: () => [307, 404],
};

// Whose doors these are, for whom a change would be one: theirs comes as if another site had sent it.
const ownDoors: Partial<Record<Role, Kind>> = {
  "an admin": "admin's API",
  "the owner": "owner's API",
};

// What a profile holds, and what its owner is called: the one is for no admin, the other is.
const secret = newId("canary");
const name = newId("name");
const hiddenFrom: Partial<Record<Role, string[]>> = {
  ...{ "the owner": [], "the owner's key": [], "a token": [] },
  "an admin": [secret],
};
let ids: Record<string, string> = {};
let roles: [role: Role, headers: Headers][] = [];
let before = "";
type Headers = (method: Method, target: string) => Promise<Record<string, string>>;

beforeAll(async () => {
  const owner = await mintOwner(engine, { common: { identity: { displayName: secret } } });
  const own = { registeredBy: owner.userId, origin: "user" } as const;
  const [agent, other] = [await mintAgent(engine, own), await mintAgent(engine)];
  await engine.db.user.update({ where: { id: owner.userId }, data: { name } });
  const { profileId } = owner;
  const input = { profileId, agentDid: agent.did };
  const request = { ...input, id: newId("creq"), scopes: ["prof:health"] };
  await engine.db.consentRequest.create({
    data: { ...request, purposeType: "personalization", requestedAt: engine.now() },
  });
  ids = {
    ...{ "access/requestId": request.id, "requests/id": request.id },
    ...{ "ask/id": request.id, "proposals/id": "prop_1" },
    "reviewers/id": (await giveReviewing(engine, owner.userId)).reviewerId,
    "connect/name": (await giveQuestion(engine)).question,
    ...{ did: owner.did, "agents/did": agent.did, agentDid: agent.did, userId: owner.userId },
    ...{ "users/id": owner.userId, keyId: "key_1", name: "SIGN_UP", changeId: "evt_1" },
    ...{ receiptId: "rcpt_1", requestId: "creq_1", revisionId: "rev_1", format: "json" },
    "deliveries/id": "msg_1",
    policyId: (await givePolicy(engine, profileId, { agentPattern: agent.did })).id,
    memoryId: (await giveMemory(engine, profileId, { content: secret })).id,
    proposalId: (await giveProposal(engine, { ...input, content: secret })).id,
    ...{ token: "x".repeat(43), "...nextauth": "session", "[...path]": "x", "...path": "nothing" },
    "...missing": "nothing",
    page: "signing",
  };
  Object.assign(ids, { "policies/id": ids.policyId, "memories/id": ids.memoryId });
  const issued = await giveToken(engine, { owner, agent: other });
  ids.tokenId = issued.id;
  const stranger = await mintOwner(engine);
  const [suspended, demoted] = [await mintOwner(engine), await mintAdmin(engine)];
  const cookie = async (of: { userId: string }) => ({ Cookie: await signedInCookie(engine, of) });
  const [strangers, suspendeds, demoteds] = [
    await cookie(stranger),
    await cookie(suspended),
    await cookie(demoted),
  ];
  const change = (id: string, data: object) => engine.db.user.update({ where: { id }, data });
  await change(suspended.userId, { state: "suspended" });
  await change(demoted.userId, { role: "user" });
  const owners = await cookie(owner);
  const session = owners.Cookie.split("=")[1] ?? "";
  const admin = await mintAdmin(engine);
  // With a profile of their own, so that every page has something to show them.
  await engine.db.profile.create({
    data: {
      createdAt: engine.now(),
      updatedAt: engine.now(),
      did: `${stranger.did}-admin`,
      ownerId: admin.userId,
    },
  });
  const admins = await cookie(admin);
  const always = (headers: Record<string, string>) => async () => headers;
  const signed = (client: Client) => async (method: Method, target: string) =>
    (await client.signedRequest({ method, target, body: bodyOf(method) })).headers;
  const of = (one: typeof other) =>
    createClient({ did: one.did, privateKey: one.privateKey, baseUrl: gateway });
  roles = [
    ["nobody", always({})],
    ["another user", always(strangers)],
    ["a demoted admin", always(demoteds)],
    ["a suspended user", always(suspendeds)],
    ["a session for a token", always({ Authorization: `Bearer ${session}` })],
    ["a token for a session", always({ Cookie: `gateway-session=${issued.token}` })],
    ["a link for a session", always({ Cookie: `gateway-session=${ids.token}` })],
    ["a token", always({ Authorization: `Bearer ${issued.token}` })],
    ["an agent", signed(of(other))],
    ["the owner's key", signed(of(owner))],
    ["an admin", always(admins)],
    ["the owner", always(owners)],
  ];
  before = await digest(engine.pool);
});

function bodyOf(method: Method): string | undefined {
  return method === "GET" || method === "HEAD" ? undefined : "{}";
}

async function answer(door: Door, method: Method, headers: Headers) {
  const target = addressWith(ids, door);
  const response = await fetch(gateway + target, {
    method,
    redirect: "manual",
    body: bodyOf(method),
    headers: {
      "Content-Type": "application/json",
      // Not from this machine, or it would count as the one who runs it.
      "X-Forwarded-For": "203.0.113.9",
      ...(await headers(method, target)),
    },
  });
  return { status: response.status, headers: response.headers, text: await textOf(response) };
}

// A stream of events has no end.
async function textOf(response: Response): Promise<string> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream"))
    return response.text();
  await response.body?.cancel();
  return "";
}

const all = doors();

test("each door has a kind, and each kind a door", () => {
  expect(all.filter((door) => kindOf(door) === undefined)).toEqual([]);
  expect(all.length).toBeGreaterThan(100);
  expect(new Set(all.map(kindOf)).size).toBe(Object.keys(answers).length);
});

describe.each(all.map((door) => [door.address, door] as const))("%s", (_address, door) => {
  const kind = kindOf(door) ?? "open";
  const input = () => roles.filter(([role]) => !door.isPage || sentByBrowsers.includes(role));
  const isOwn = (role: Role) => ownDoors[role] === kind;

  test("answers each what they may be answered, and tells nobody more", async () => {
    const sent = input().map(([role, headers]) =>
      isOwn(role) ? ([role, fromElsewhere(headers)] as const) : ([role, headers] as const),
    );
    const right = (role: Role, method: Method) =>
      isOwn(role) && isChange(method) ? [403] : answers[kind](role);
    await expectOf({ door, requests: sent, by: door.methods, right });
  });

  // Next.js shows a page whatever the method; a route has its methods, and HEAD where it has GET.
  test("does nothing more by any other method", async () => {
    const others = methods.filter((method) => !door.methods.includes(method));
    const refusals = [204, 400, 404, 405];
    const right = (role: Role) => [...(door.isPage ? answers[kind](role) : []), ...refusals];
    await expectOf({ door, requests: input(), by: others, right });
  });
});

function isChange(method: Method): boolean {
  return !["GET", "HEAD", "OPTIONS"].includes(method);
}

function fromElsewhere(headers: Headers): Headers {
  return async (method, target) => ({
    ...(await headers(method, target)),
    ...(isChange(method) ? { Origin: "https://evil.example" } : {}),
  });
}

interface Expected {
  door: Door;
  requests: (readonly [role: Role, headers: Headers])[];
  by: readonly Method[];
  right: (role: Role, method: Method) => number[];
}

// A method at a time: no more at once of one peer than the front door lets wait.
async function expectOf({ door, requests, by, right }: Expected): Promise<void> {
  const faults: string[] = [];
  for (const method of by) {
    const found = requests.map(async ([role, headers]) => {
      const { status, text, headers: got } = await answer(door, method, headers);
      const where = `${method} for ${role}: ${status}`;
      const hidden = hiddenFrom[role] ?? [secret, name];
      return [
        ...(right(role, method).includes(status) ? [] : [where]),
        ...(hidden.some((one) => text.includes(one)) ? [`${where} tells`] : []),
        ...undressed(got).map((fault) => `${where} ${fault}`),
      ];
    });
    faults.push(...(await Promise.all(found)).flat());
  }
  expect(faults).toEqual([]);
}

test.each<[Role, address: string, tells: string]>([
  ["the owner", "/api/profiles/[did]/memories", secret],
  ["the owner", "/dashboard/memories/[id]", secret],
  ["an admin", "/api/admin/users", name],
  ["an admin", "/admin/users", name],
])("while %s is told by %s what is theirs to know", async (role, address, tells) => {
  const door = all.find((one) => one.address === address);
  const headers = roles.find(([one]) => one === role)?.[1];
  if (door === undefined || headers === undefined) throw new Error(`no ${address} for ${role}`);
  expect((await answer(door, "GET", headers)).text).toContain(tells);
});

test("nothing of it has changed anything", async () => {
  expect(await digest(engine.pool)).toBe(before);
});

// Clickjacking, sniffing, leaking of addresses, other origins: what every answer says against it.
function undressed(headers: Response["headers"]): string[] {
  const faults: string[] = [];
  if (headers.get("x-frame-options") !== "DENY") faults.push("can be framed");
  if (!headers.get("content-security-policy")?.includes("frame-ancestors 'none'")) {
    faults.push("can be framed, its policy says");
  }
  if (headers.get("x-content-type-options") !== "nosniff") faults.push("can be sniffed");
  if (headers.get("referrer-policy") !== "no-referrer") faults.push("tells its address");
  if (headers.has("access-control-allow-credentials")) faults.push("is open to other origins");
  return faults;
}
