import { beforeEach, describe, expect, test } from "vitest";
import { restoreAccess } from "@/lib/services/access/restore";
import { listActivity } from "@/lib/services/activity/list-activity";
import { sweepAuthorizations } from "@/lib/services/connect/authorizations";
import { sweepClients } from "@/lib/services/connect/clients";
import { endUnusedConnections, sweepSecrets } from "@/lib/services/connect/end-connection";
import { revokeToken } from "@/lib/services/tokens/tokens";
import {
  authorizeAt,
  callAt,
  connectClient,
  consent,
  nameOfQuestion,
  openConnectDoor,
  question,
  redirectUri,
  refreshAt,
  registerAt,
  tokenAt,
  toolAt,
  verifier,
} from "@/tests/support/connecting/clients";
import { testEngine, testNow } from "@/tests/support/harness";
import { giveToken, mintAgent, mintOwner, type Owner, signedIn } from "@/tests/support/personas";

const engine = await testEngine({ LIMIT_REGISTER: "1000", PEER_LIMIT: "100000" });
const issuer = await openConnectDoor(engine);
const dayMs = 24 * 60 * 60_000;

let owner: Owner;
let clientId: string;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  clientId = await registerAt(issuer);
});

const pass = (ms: number) => engine.setNow(new Date(testNow.getTime() + ms));
const reads = async (token: string) => (await toolAt(issuer, { token, name: "whoami" })).status;
const longText = "x".repeat(9_000);

/** What a client learns at its own address; null where it learns nothing. */
function learntBy(response: Response): Record<string, string> | null {
  const location = response.headers.get("location");
  return location === null ? null : Object.fromEntries(new URL(location).searchParams);
}

describe("a request whose client or address is wrong is refused on a page of ours, and sent nowhere", () => {
  test.each<[string, Record<string, string | null>]>([
    ["an unknown client", { client_id: "oauth-x" }],
    ["no client", { client_id: null }],
    ["too long a client", { client_id: longText }],
    ["no address", { redirect_uri: null }],
    ["another address", { redirect_uri: "https://evil.example/callback" }],
    ["another path", { redirect_uri: "http://localhost:4711/other" }],
    ["another host of loopback", { redirect_uri: "http://127.0.0.1:4711/callback" }],
    ["a host that hides", { redirect_uri: "http://localhost:80@evil.example/callback" }],
    ["a scheme that runs", { redirect_uri: "javascript://localhost/callback" }],
    ["a port that is none", { redirect_uri: "http://localhost:99999/callback" }],
    ["too long an address", { redirect_uri: `${redirectUri}?${longText}` }],
    ["what no text has", { client_id: "\u0000" }],
  ])("%s", async (_what, changed) => {
    const response = await authorizeAt(issuer, question(clientId, changed));
    expect([response.status, learntBy(response)]).toEqual([400, null]);
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(await response.text()).toContain("This program could not be connected");
  });

  test.each(["client_id", "redirect_uri"])("a %s that comes twice", async (name) => {
    const pairs = question(clientId);
    const again = pairs.filter(([one]) => one === name);
    const response = await authorizeAt(issuer, [...pairs, ...again]);
    expect([response.status, learntBy(response)]).toEqual([400, null]);
  });
});

test("a client on another machine is told what is wrong by a link alone, connected or not", async () => {
  const redirect_uri = "https://evil.example/callback";
  const theirs = await registerAt(issuer, { redirect_uris: [redirect_uri] });
  const name = await nameOfQuestion(await authorizeAt(issuer, question(theirs, { redirect_uri })));
  await consent(engine, owner, { name });
  const wrong = question(theirs, { redirect_uri, response_type: "token" });
  const refused = await authorizeAt(issuer, wrong);
  expect([refused.status, learntBy(refused)]).toEqual([400, null]);
  expect(await refused.text()).toContain('href="https://evil.example/callback?error=');
});

test("a picture or a frame of a page starts no connection", async () => {
  const url = `${issuer}/oauth/authorize?${new URLSearchParams(question(clientId))}`;
  const status = async (part: string) => {
    const headers = { "Sec-Fetch-Dest": part };
    return (await fetch(url, { headers, redirect: "manual" })).status;
  };
  expect([await status("image"), await status("iframe"), await status("document")]).toEqual([
    ...[400, 400, 303],
  ]);
});

describe("what else is wrong goes to the client, with its state and who answers", () => {
  const cases: [string, Record<string, string | null>, string][] = [
    ["no response_type", { response_type: null }, "invalid_request"],
    ["another response_type", { response_type: "token" }, "unsupported_response_type"],
    ["no challenge", { code_challenge: null }, "invalid_request"],
    ["too short a challenge", { code_challenge: "x" }, "invalid_request"],
    ["a plain challenge", { code_challenge_method: "plain" }, "invalid_request"],
    ["no method of the challenge", { code_challenge_method: null }, "invalid_request"],
    ["too long a scope", { scope: longText }, "invalid_request"],
    ["a foreign resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["a resource beside ours", { resource: `${issuer}/prof` }, "invalid_target"],
    ["no look at what is asked", { prompt: "none" }, "interaction_required"],
  ];
  test.each(cases)("%s", async (_what, changed, error) => {
    const said = learntBy(
      await authorizeAt(issuer, question(clientId, { state: "s1", ...changed })),
    );
    expect(said).toMatchObject({ error, state: "s1", iss: issuer });
  });

  test.each(["response_type", "code_challenge", "state", "scope"])(
    "a %s that comes twice",
    async (name) => {
      const pairs = question(clientId, { state: "s1" });
      const again = pairs.filter(([one]) => one === name);
      const said = learntBy(await authorizeAt(issuer, [...pairs, ...again]));
      expect(said).toMatchObject({ error: "invalid_request", state: "s1", iss: issuer });
    },
  );

  test("scopes that are not ours are dropped, and without any the least is asked for", async () => {
    for (const scope of ["claudeai prof:Financial openid", null]) {
      const name = await nameOfQuestion(await authorizeAt(issuer, question(clientId, { scope })));
      const row = await engine.db.authorization.findFirstOrThrow({
        orderBy: { expiresAt: "desc" },
        where: { clientId, decidedAt: null },
      });
      expect(row).toMatchObject({ scopes: ["prof:preferences"], proposes: true });
      await consent(engine, owner, { name, scopes: [] });
    }
  });
});

describe("an owner's answer", () => {
  test("is given once, whatever a second tab or the back button sends", async () => {
    const name = await nameOfQuestion(await authorizeAt(issuer, question(clientId)));
    const answers = await Promise.allSettled([1, 2, 3].map(() => consent(engine, owner, { name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    await expect(consent(engine, owner, { name, scopes: [] })).rejects.toThrow("answered already");
  });

  test("comes too late after 15 minutes", async () => {
    const name = await nameOfQuestion(await authorizeAt(issuer, question(clientId)));
    pass(15 * 60_000);
    await expect(consent(engine, owner, { name })).rejects.toThrow("more than 15 minutes");
  });

  test("gives nothing that was not asked for", async () => {
    const name = await nameOfQuestion(await authorizeAt(issuer, question(clientId)));
    const given = consent(engine, owner, { name, scopes: ["prof:health"] });
    await expect(given).rejects.toMatchObject({ code: "PROF006" });
    expect(await engine.db.connectionToken.count({ where: { profileId: owner.profileId } })).toBe(
      0,
    );
  });

  test.each([
    ["closed", {}, "lets no new programs in"],
    ["approval", { origin: "client", state: "suspended" }, "suspended this agent"],
    ["open", { origin: "itself", state: "active" }, "An agent with a key has the name"],
    ["approval", { origin: "itself", state: "pending" }, "An agent with a key has the name"],
  ] as const)(
    "is refused where registration is %s and the agent is %j",
    async (mode, agent, why) => {
      const { agentDid: did } = await engine.db.client.findUniqueOrThrow({
        where: { id: clientId },
      });
      if ("state" in agent) await mintAgent(engine, { did, ...agent });
      const name = await nameOfQuestion(await authorizeAt(issuer, question(clientId)));
      await expect(consent(engine, owner, { name, mode })).rejects.toThrow(why);
    },
  );
});

describe("a code", () => {
  async function redeemable(changed: Record<string, string> = {}) {
    const begun = await authorizeAt(issuer, question(clientId));
    const answer = await consent(engine, owner, { name: await nameOfQuestion(begun) });
    return {
      grant_type: "authorization_code",
      code: answer.get("code") ?? "",
      client_id: clientId,
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...changed,
    };
  }
  const errorOf = async (response: Response) => [response.status, (await response.json()).error];

  test("is redeemed once by four at the same time, and what it gave ends", async () => {
    const form = await redeemable();
    const answers = await Promise.all([1, 2, 3, 4].map(() => tokenAt(issuer, form)));
    const pairs = await Promise.all(answers.map((response) => response.json()));
    const given = pairs.filter((pair) => pair.access_token !== undefined);
    expect(given).toHaveLength(1);
    expect(await reads(given[0].access_token)).toBe(401);
  });

  test.each<[string, Record<string, string>, string]>([
    ["another verifier", { code_verifier: "w".repeat(43) }, "invalid_grant"],
    ["another address", { redirect_uri: "http://localhost:4712/callback" }, "invalid_grant"],
    ["another code", { code: "x".repeat(43) }, "invalid_grant"],
    ["a foreign resource", { resource: "https://other.example/mcp" }, "invalid_target"],
    ["another way", { grant_type: "password" }, "unsupported_grant_type"],
    ["too short a verifier", { code_verifier: "short" }, "invalid_request"],
    ["too long a code", { code: longText }, "invalid_request"],
  ])("is refused with %s, and still redeemed by its client", async (_what, wrong, error) => {
    const form = await redeemable();
    expect(await errorOf(await tokenAt(issuer, { ...form, ...wrong }))).toEqual([400, error]);
    expect((await tokenAt(issuer, form)).status).toBe(200);
  });

  test("is refused to another client, and to one that is not known", async () => {
    const form = await redeemable();
    const other = await registerAt(issuer);
    const stolen = await tokenAt(issuer, { ...form, client_id: other });
    expect(await errorOf(stolen)).toEqual([400, "invalid_grant"]);
    const unknown = await tokenAt(issuer, { ...form, client_id: "oauth-x" });
    expect(await errorOf(unknown)).toEqual([401, "invalid_client"]);
  });

  test.each(["grant_type", "code", "redirect_uri", "code_verifier", "client_id"] as const)(
    "is refused with %s missing or doubled",
    async (name) => {
      const form = await redeemable();
      const pairs = Object.entries(form);
      const without = pairs.filter(([one]) => one !== name);
      const doubled: [string, string][] = [...pairs, [name, form[name]]];
      for (const wrong of [without, doubled]) {
        expect(await errorOf(await tokenAt(issuer, wrong))).toEqual([400, "invalid_request"]);
      }
    },
  );

  test("is refused after a minute", async () => {
    const form = await redeemable();
    pass(60_000);
    expect(await errorOf(await tokenAt(issuer, form))).toEqual([400, "invalid_grant"]);
  });

  test("is taken from a form alone, by Basic with an empty secret as well", async () => {
    const { client_id, ...form } = await redeemable();
    const url = `${issuer}/oauth/token`;
    const json = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ client_id, ...form }),
    });
    expect(await errorOf(json)).toEqual([400, "invalid_request"]);
    const basic = (secret: string) => `basic ${btoa(`${client_id}:${secret}`)}`;
    const sent = (secret: string) =>
      fetch(url, {
        method: "POST",
        headers: { Authorization: basic(secret) },
        body: new URLSearchParams(form),
      });
    expect((await sent("secret")).status).toBe(401);
    const response = await sent("");
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
  });
});

describe("a connection", () => {
  test("goes on where the same program is connected elsewhere", async () => {
    const first = await connectClient({ engine, issuer, owner, clientId });
    const second = await connectClient({ engine, issuer, owner, clientId });
    expect(await reads(first.access_token)).toBe(200);
    expect(await reads(second.access_token)).toBe(200);
    expect((await refreshAt(issuer, first)).status).toBe(200);
  });

  test("survives eight refreshes at once, each with a pair that works", async () => {
    const first = await connectClient({ engine, issuer, owner });
    const answers = await Promise.all(Array.from({ length: 8 }, () => refreshAt(issuer, first)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    const pairs = await Promise.all(answers.map((answer) => answer.json()));
    expect(new Set(pairs.map((pair) => pair.refresh_token)).size).toBe(8);
    for (const pair of pairs) expect(await reads(pair.access_token)).toBe(200);
    expect(await engine.db.connectionToken.count({ where: { clientId: first.clientId } })).toBe(1);
  });

  test("makes sixty pairs an hour at most, and learns when it may go on", async () => {
    const { clientId, refresh_token } = await connectClient({ engine, issuer, owner });
    const token = await engine.db.connectionToken.findFirstOrThrow({ where: { clientId } });
    const made = Array.from({ length: 118 }, (_, number) => ({
      secretHash: new Uint8Array(32).fill(number),
      ...{ tokenId: token.id, kind: "access" as const, createdAt: testNow },
      expiresAt: new Date(testNow.getTime() + dayMs),
    }));
    await engine.db.connectionSecret.createMany({ data: made });
    const response = await refreshAt(issuer, { clientId, refresh_token });
    expect([response.status, response.headers.has("retry-after")]).toEqual([429, true]);
    pass(60 * 60_000);
    expect((await refreshAt(issuer, { clientId, refresh_token })).status).toBe(200);
  });

  test("ends by its own client, with all of its tokens, and by nobody else's", async () => {
    const { clientId, access_token, refresh_token } = await connectClient({
      engine,
      issuer,
      owner,
    });
    const revoke = (form: Record<string, string>) =>
      fetch(`${issuer}/oauth/revoke`, { method: "POST", body: new URLSearchParams(form) });
    const other = await registerAt(issuer);
    for (const form of [
      { token: refresh_token, client_id: other },
      { token: "unknown", client_id: clientId },
    ]) {
      expect((await revoke(form)).status).toBe(200);
      expect(await reads(access_token)).toBe(200);
    }
    expect((await revoke({ token: refresh_token, client_id: clientId })).status).toBe(200);
    expect(await reads(access_token)).toBe(401);
    expect((await refreshAt(issuer, { clientId, refresh_token })).status).toBe(400);
  });

  test("that its client ended is brought back by no undo of the owner's", async () => {
    const { clientId: client_id, ...pair } = await connectClient({ engine, issuer, owner });
    const by = signedIn(engine, owner);
    const { id: tokenId } = await engine.db.connectionToken.findFirstOrThrow({
      where: { clientId: client_id },
    });
    const { eventId } = await revokeToken(by, { did: owner.did, tokenId });
    const body = new URLSearchParams({ token: pair.refresh_token, client_id });
    expect((await fetch(`${issuer}/oauth/revoke`, { method: "POST", body })).status).toBe(200);
    await restoreAccess(by, { did: owner.did, eventId });
    expect(await reads(pair.access_token)).toBe(401);
  });

  test("keeps its access tokens for a day, and its refresh tokens as long as the owner chose", async () => {
    const first = await connectClient({ engine, issuer, owner });
    pass(dayMs);
    expect(await reads(first.access_token)).toBe(401);
    const second = await (await refreshAt(issuer, first)).json();
    expect(await reads(second.access_token)).toBe(200);
    pass(30 * dayMs);
    const late = await refreshAt(issuer, { ...second, clientId: first.clientId });
    expect(late.status).toBe(400);
  });
});

describe("a token of one entry point is refused at the others", () => {
  const readAt = (authorization: string) =>
    fetch(`${issuer}/prof/v1/profile`, { headers: { Authorization: authorization } });

  test("each where it does not belong", async () => {
    const client = await connectClient({ engine, issuer, owner });
    const issued = await giveToken(engine, { owner, agent: await mintAgent(engine) });
    expect((await readAt(`Bearer ${client.access_token}`)).status).toBe(401);
    for (const token of [issued.token, client.refresh_token]) expect(await reads(token)).toBe(401);
    const { clientId, access_token: refresh_token } = client;
    expect((await refreshAt(issuer, { clientId, refresh_token })).status).toBe(400);
  });

  test("in a query or a body it is none", async () => {
    const { access_token: token } = await connectClient({ engine, issuer, owner });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping", access_token: token });
    const headers = {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    };
    const url = `${issuer}/mcp?access_token=${token}`;
    expect((await fetch(url, { method: "POST", headers, body })).status).toBe(401);
  });

  test("without one, a client learns where to find how to get it", async () => {
    const bare = await callAt(issuer, { method: "tools/list" });
    const metadata = `${issuer}/.well-known/oauth-protected-resource/mcp`;
    const scope = 'scope="prof:preferences propose"';
    expect(bare.status).toBe(401);
    expect(bare.headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${metadata}", ${scope}`,
    );
    const wrong = await callAt(issuer, { method: "tools/list", token: "profct_x" });
    expect(wrong.headers.get("www-authenticate")).toContain('Bearer error="invalid_token", ');
  });

  test("whatever the letters of its scheme", async () => {
    const { access_token: token } = await connectClient({ engine, issuer, owner });
    const headers = { Authorization: `bearer ${token}` };
    expect((await callAt(issuer, { method: "tools/list", headers })).status).toBe(200);
  });
});

describe("a registration", () => {
  const register = (body: unknown) =>
    fetch(`${issuer}/oauth/register`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

  test.each<[string, unknown, string]>([
    ["no addresses", {}, "invalid_redirect_uri"],
    ["no list of addresses", { redirect_uris: redirectUri }, "invalid_redirect_uri"],
    ["an empty list", { redirect_uris: [] }, "invalid_redirect_uri"],
    ["eleven addresses", { redirect_uris: Array(11).fill(redirectUri) }, "invalid_redirect_uri"],
    ["an address that runs", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    ["a name of another type", { redirect_uris: [redirectUri], client_name: 1 }, ""],
    ["too long a name", { redirect_uris: [redirectUri], client_name: "x".repeat(101) }, ""],
    ["no JSON", "{", ""],
    ["a member twice", '{"redirect_uris":[],"redirect_uris":[]}', ""],
    ["more than 5 KB", { redirect_uris: [redirectUri], more: "x".repeat(5_200) }, ""],
  ])("is refused with %s", async (_what, body, error) => {
    const response = await register(body);
    const expected = error || "invalid_client_metadata";
    expect([response.status, (await response.json()).error]).toEqual([400, expected]);
  });

  test("is answered with all that is in effect, whatever else was asked for", async () => {
    const response = await register({
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "device_code"],
      token_endpoint_auth_method: "client_secret_basic",
      software_id: "x",
    });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({
      client_id: expect.stringMatching(/^oauth-\w{22}$/),
      client_id_issued_at: testNow.getTime() / 1_000,
      client_name: "An agent without a name",
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    });
  });

  test("goes after a week without a connection, and the program learns to register again", async () => {
    const used = await connectClient({ engine, issuer, owner });
    pass(7 * dayMs);
    await sweepClients(engine.db, engine.now());
    await sweepAuthorizations(engine.db, engine.now());
    expect((await refreshAt(issuer, used)).status).toBe(200);
    const gone = await refreshAt(issuer, { clientId, refresh_token: "x" });
    expect([gone.status, (await gone.json()).error]).toEqual([401, "invalid_client"]);
  });
});

test("a connection whose code nobody redeemed ends by itself, and its owner reads why", async () => {
  const kept = await connectClient({ engine, issuer, owner });
  const name = await nameOfQuestion(await authorizeAt(issuer, question(clientId)));
  await consent(engine, owner, { name });
  pass(6 * 60_000);
  expect(await endUnusedConnections(engine)).toBeGreaterThan(0);
  expect(await endUnusedConnections(engine)).toBe(0);
  expect(await reads(kept.access_token)).toBe(200);
  const { events } = await listActivity(signedIn(engine, owner), { did: owner.did, limit: 1 });
  expect(events).toMatchObject([{ verb: "editTokens", detail: { because: "unused" } }]);
});

test("secrets, codes and questions are gone once they are over", async () => {
  const { clientId } = await connectClient({ engine, issuer, owner });
  await authorizeAt(issuer, question(clientId));
  pass(400 * dayMs);
  await sweepSecrets(engine.db, engine.now());
  await sweepAuthorizations(engine.db, engine.now());
  const where = { clientId };
  expect(await engine.db.connectionSecret.count({ where: { token: where } })).toBe(0);
  expect(await engine.db.authorization.count({ where })).toBe(0);
});

test("what is not there is JSON, never a page: also by another method, or a path that only looks like one", async () => {
  for (const [path, status] of [
    ["/.well-known/openid-configuration", 404],
    ["/oauth/nothing", 404],
    ["/oauth", 404],
    ["/mcp/", 404],
    ["/mcp/alice", 404],
    ["/oauth/authorize/", 404],
    ["//mcp", 400],
    ["/%6Dcp", 404],
    ["//oauth/token", 400],
    ["/%6Fauth/x", 404],
  ] as const) {
    const response = await fetch(issuer + path, { redirect: "manual" });
    expect([path, response.status]).toEqual([path, status]);
    expect(response.headers.get("content-type")).toContain("application/json");
  }
  const wrong = await fetch(`${issuer}/oauth/token`);
  expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST, OPTIONS"]);
});
