import { expect, test } from "vitest";
import {
  callAt,
  openConnectDoor,
  redirectUri,
  registerAt,
} from "@/tests/support/connecting/clients";
import { testEngine } from "@/tests/support/harness";

// What strangers, and pages in the browser of an owner, may use up in a network.

const engine = await testEngine({ LIMIT_REGISTER: "2", PEER_LIMIT: "3" });
const issuer = await openConnectDoor(engine);

async function statusesOf(count: number, ask: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n++) statuses.push((await ask()).status);
  return statuses;
}

test("programs can register, however many a page has", async () => {
  const headers = { Origin: "https://evil.example", "Content-Type": "text/plain" };
  const body = JSON.stringify({ redirect_uris: [redirectUri] });
  const fromPage = () => fetch(`${issuer}/oauth/register`, { method: "POST", headers, body });
  expect(await statusesOf(3, fromPage)).toEqual([201, 201, 429]);
  expect(await registerAt(issuer)).toMatch(/^oauth-/);
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
