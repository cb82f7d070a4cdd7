import * as oauth from "oauth4webapi";
import { beforeEach, expect, test } from "vitest";
import { mcpPath } from "@/lib/oauth/metadata";
import {
  callAt,
  consent,
  nameOfQuestion,
  openConnectDoor,
  redirectUri,
} from "@/tests/support/connecting/clients";
import { testEngine } from "@/tests/support/harness";
import { mintOwner, type Owner } from "@/tests/support/personas";

// A client that takes every document and every answer by the letter of its RFC. It goes where the documents send it,
// so that nothing in them is named in vain.

const engine = await testEngine({ LIMIT_REGISTER: "1000" });
const issuer = await openConnectDoor(engine);
const address = new URL(issuer + mcpPath);
const plain = { [oauth.allowInsecureRequests]: true };

let owner: Owner;
beforeEach(async () => {
  owner = await mintOwner(engine);
});

test("from the address alone to a pair of tokens, the next pair, and the end of both", async () => {
  const resource = await oauth.processResourceDiscoveryResponse(
    address,
    await oauth.resourceDiscoveryRequest(address, plain),
  );
  const [server = ""] = resource.authorization_servers ?? [];
  const as = await oauth.processDiscoveryResponse(
    new URL(server),
    await oauth.discoveryRequest(new URL(server), { ...plain, algorithm: "oauth2" }),
  );
  expect(as).toMatchObject({
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
  });
  const client = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      as,
      { client_name: "Iris", redirect_uris: [redirectUri], token_endpoint_auth_method: "none" },
      plain,
    ),
  );
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(as.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    ...{ response_type: "code", client_id: client.client_id, redirect_uri: redirectUri, state },
    ...{ scope: resource.scopes_supported?.join(" ") ?? "", resource: resource.resource },
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  const name = await nameOfQuestion(await fetch(url, { redirect: "manual" }));
  const answer = await consent(engine, owner, { name, scopes: ["prof:preferences"] });
  const given = oauth.validateAuthResponse(as, client, answer, state);
  const nothing = oauth.None();
  const inResource = { ...plain, additionalParameters: { resource: resource.resource } };
  const first = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(
      ...([as, client, nothing, given, redirectUri, verifier, inResource] as const),
    ),
  );
  expect(first).toMatchObject({ token_type: "bearer", scope: "prof:preferences propose" });
  const next = await oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(
      ...([as, client, nothing, first.refresh_token ?? "", inResource] as const),
    ),
  );
  const list = (token: string) => callAt(issuer, { token, method: "tools/list" });
  for (const { access_token } of [first, next]) expect((await list(access_token)).status).toBe(200);
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(as, client, nothing, next.refresh_token ?? "", plain),
  );
  for (const { access_token } of [first, next]) expect((await list(access_token)).status).toBe(401);
});
