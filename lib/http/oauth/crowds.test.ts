import { beforeEach, expect, test } from "vitest";
import {
  callAt,
  connectClient,
  openConnectDoor,
  redirectUri,
  registerAt,
  tokenAt,
} from "@/tests/support/connecting/clients";
import { testEngine } from "@/tests/support/harness";
import { mintOwner } from "@/tests/support/personas";
import { inTransaction } from "@/tests/support/transaction";

// What strangers, and pages in the browser of an owner, may use up in a network.

const engine = await testEngine({ LIMIT_REGISTER: "2", PEER_LIMIT: "3" });
const issuer = await openConnectDoor(engine);

// The failures of a network count for a minute.
beforeEach(() => engine.setNow(new Date(engine.now().getTime() + 60_000)));

async function statusesOf(count: number, ask: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await ask()).status);
  return statuses;
}

test("registrations from web pages leave programs their own", async () => {
  const headers = { Origin: "https://evil.example", "Content-Type": "text/plain" };
  const body = JSON.stringify({ redirect_uris: [redirectUri] });
  const fromPage = () => fetch(`${issuer}/oauth/register`, { method: "POST", headers, body });
  expect(await statusesOf(3, fromPage)).toEqual([201, 201, 429]);
  expect(await registerAt(issuer)).toMatch(/^oauth-/);
});

test("whether a client with a document is known here, its id does not tell", async () => {
  const client_id = "https://iris.example/client.json";
  const guess = { grant_type: "refresh_token", refresh_token: "guessed", client_id };
  const answered = await tokenAt(issuer, guess);
  expect([answered.status, (await answered.json()).error]).toEqual([400, "invalid_grant"]);
});

test("a client that revokes what has ended is charged for it, and takes no lock of its owner's", async () => {
  const owner = await mintOwner(engine);
  const { clientId: client_id, refresh_token: token } = await connectClient({
    engine,
    issuer,
    owner,
  });
  const body = new URLSearchParams({ token, client_id });
  const revoke = () => fetch(`${issuer}/oauth/revoke`, { method: "POST", body });
  expect((await revoke()).status).toBe(200);
  await inTransaction(engine.pool, async (tx) => {
    await tx.query(`SELECT FROM "Profile" WHERE id = $1 FOR UPDATE`, [owner.profileId]);
    expect(await statusesOf(4, revoke)).toEqual([200, 200, 200, 429]);
  });
});

test("guesses at tokens to revoke are charged, and a new program still learns where to begin", async () => {
  const form = new URLSearchParams({ token: "guessed", client_id: "oauth-guessed" });
  const guess = () => fetch(`${issuer}/oauth/revoke`, { method: "POST", body: form });
  expect(await statusesOf(4, guess)).toEqual([200, 200, 200, 429]);
  const first = await callAt(issuer, { method: "tools/list" });
  expect([first.status, first.headers.get("www-authenticate")]).toEqual([
    401,
    expect.stringContaining("resource_metadata="),
  ]);
});
