import { beforeEach, expect, test, vi } from "vitest";
import { installEngine } from "@/lib/engine/engine";
import {
  authorizeAt,
  callAt,
  challenge,
  connectClient,
  consent,
  nameOfQuestion,
  openConnectDoor,
  question,
  redirectUri,
  refreshAt,
  registerAt,
  tokenAt,
  verifier,
} from "@/tests/support/connecting/clients";
import { testEngine, testNow } from "@/tests/support/harness";
import { mintOwner, type Owner } from "@/tests/support/personas";

// A gateway with two addresses: each is an issuer with a resource of its own.

const engine = await testEngine({ LIMIT_REGISTER: "1000" });
const one = await openConnectDoor(engine);
const two = one.replace("127.0.0.1", "localhost");
engine.env.PUBLIC_URL.push(one, two);

const documentUrl = "https://iris.example/client.json";
const document = { client_id: documentUrl, client_name: "Iris", redirect_uris: [redirectUri] };
installEngine({
  ...engine,
  fetchJson: async () => ({ text: JSON.stringify(document), maxAgeSeconds: 600 }),
});

let owner: Owner;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
});

const ofServer = "/.well-known/oauth-authorization-server";
const ofResource = "/.well-known/oauth-protected-resource/mcp";
const readAt = async (issuer: string, path: string) => (await fetch(issuer + path)).json();

test.each([
  [one, two],
  [two, one],
])("%s names itself alone, and takes nothing that %s gave", async (own, other) => {
  for (const path of [ofServer, ofResource]) {
    const text = JSON.stringify(await readAt(own, path));
    expect(text).toContain(own);
    expect(text).not.toContain(other);
  }
  const clientId = await registerAt(own);
  const name = await nameOfQuestion(await authorizeAt(own, question(clientId)));
  const answer = await consent(engine, owner, { name });
  expect(answer.get("iss")).toBe(own);
  const redeeming = {
    grant_type: "authorization_code",
    code: answer.get("code") ?? "",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  expect((await tokenAt(other, redeeming)).status).toBe(400);
  const pair = await (await tokenAt(own, redeeming)).json();
  const token = pair.access_token;
  expect((await callAt(other, { token, method: "tools/list" })).status).toBe(401);
  expect((await callAt(own, { token, method: "tools/list" })).status).toBe(200);
  const client = { clientId, refresh_token: pair.refresh_token };
  expect((await refreshAt(other, client)).status).toBe(400);
  expect((await refreshAt(own, client)).status).toBe(200);
  const elsewhere = await authorizeAt(own, question(clientId, { resource: `${other}/mcp` }));
  expect(elsewhere.headers.get("location")).toContain("error=invalid_target");
});

test("each member of the resource's document is true", async () => {
  const {
    resource,
    authorization_servers,
    scopes_supported,
    bearer_methods_supported,
    resource_name,
    ...others
  } = await readAt(one, ofResource);
  expect(others).toEqual({});
  expect((await readAt(authorization_servers[0], ofServer)).issuer).toBe(authorization_servers[0]);
  expect((await fetch(resource, { method: "POST" })).status).toBe(401);
  expect(bearer_methods_supported).toEqual(["header"]);
  const client = await connectClient({ engine, issuer: one, owner });
  const answered = await callAt(one, { token: client.access_token, method: "server/discover" });
  expect(answered.status).toBe(200);
  const pairs = question(client.clientId, { scope: scopes_supported.join(" "), resource });
  const name = await nameOfQuestion(await authorizeAt(one, pairs));
  expect(name).toMatch(/^\w{43}$/);
  expect(resource_name).toBe("Profile Access Gateway");
});

test("each member of the server's document is true", async () => {
  const {
    issuer,
    authorization_endpoint,
    token_endpoint,
    registration_endpoint,
    revocation_endpoint,
    response_types_supported,
    response_modes_supported,
    grant_types_supported,
    token_endpoint_auth_methods_supported,
    revocation_endpoint_auth_methods_supported,
    code_challenge_methods_supported,
    scopes_supported,
    authorization_response_iss_parameter_supported,
    client_id_metadata_document_supported,
    ...others
  } = await readAt(two, ofServer);
  expect(others).toEqual({});
  const post = (url: string, form: Record<string, string>) =>
    fetch(url, { method: "POST", body: new URLSearchParams(form) });

  const redirect_uris = [redirectUri];
  const registered = await fetch(registration_endpoint, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ redirect_uris }),
  });
  const ways = [
    (await registered.json()).client_id,
    ...(client_id_metadata_document_supported ? [documentUrl] : []),
  ];
  expect(ways).toHaveLength(2);
  for (const clientId of ways) {
    const form = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: response_types_supported[0],
      response_mode: response_modes_supported[0],
      code_challenge: challenge,
      code_challenge_method: code_challenge_methods_supported[0],
      scope: scopes_supported.join(" "),
    });
    const begun = await fetch(`${authorization_endpoint}?${form}`, { redirect: "manual" });
    const name = await nameOfQuestion(begun);
    const answer = await consent(engine, owner, { name, scopes: ["prof:preferences"] });
    expect(authorization_response_iss_parameter_supported && answer.get("iss")).toBe(issuer);
    const bound = { client_id: clientId, redirect_uri: redirectUri, code_verifier: verifier };
    const [first, next, ...more] = grant_types_supported;
    expect(more).toEqual([]);
    const code = answer.get("code") ?? "";
    const redeemed = await post(token_endpoint, { grant_type: first, code, ...bound });
    const { refresh_token } = await redeemed.json();
    const again = await post(token_endpoint, { grant_type: next, refresh_token, ...bound });
    const { access_token: token } = await again.json();
    expect((await callAt(two, { token, method: "tools/list" })).status).toBe(200);
    const revoked = await post(revocation_endpoint, { token, client_id: clientId });
    expect(revoked.status).toBe(200);
    expect((await callAt(two, { token, method: "tools/list" })).status).toBe(401);
  }
  for (const methods of [
    token_endpoint_auth_methods_supported,
    revocation_endpoint_auth_methods_supported,
  ]) {
    expect(methods).toEqual(["none"]);
  }
});

test("the documents cost no statement, and a list of the tools one: the token's", async () => {
  const { access_token: token } = await connectClient({ engine, issuer: one, owner });
  const query = vi.spyOn(engine.pool, "query");
  // The engine asks for its settings now and then, and announces what has changed.
  const statements = () =>
    query.mock.calls.filter((call) => !/"Setting"|pg_notify/.test(JSON.stringify(call)));
  await readAt(one, ofServer);
  await readAt(one, ofResource);
  expect(statements()).toEqual([]);
  expect((await callAt(one, { token, method: "tools/list" })).status).toBe(200);
  expect(statements()).toMatchObject([[{ name: "token-holders" }]]);
});
