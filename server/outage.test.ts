import { expect, test } from "vitest";
import { createClient } from "@/lib/protocol/client";
import { startRelay } from "@/tests/faults/kinds/relay";
import { randomOf } from "@/tests/fuzz/random";
import { callAt, connectClient, redirectUri } from "@/tests/support/connecting/clients";
import { signedInCookie } from "@/tests/support/dashboard-api";
import { emptyDatabase } from "@/tests/support/database";
import { testEngine } from "@/tests/support/harness";
import { mintAgent, mintOwner } from "@/tests/support/personas";
import { addressOf, startGateway } from "@/tests/support/processes";
import { profilePath } from "@/tests/support/wire";

// A database that goes away and comes back, under a gateway that runs on.
const database = new URL(await emptyDatabase());
const relay = await startRelay(() => Number(database.port), randomOf(1, 1));
const relayed = new URL(database);
relayed.port = `${relay.port}`;
const gateway = startGateway({ DATABASE_URL: relayed.href });
const address = await addressOf(gateway);
const engine = await testEngine({ DATABASE_URL: database.href });
engine.setNow(new Date());
const owner = await mintOwner(engine, { policies: [{}] });
const agent = await mintAgent(engine);
const Cookie = await signedInCookie(engine, owner);
const connected = await connectClient({ engine, issuer: address, owner });

async function askAll(): Promise<Response[]> {
  const { did, privateKey } = agent;
  const client = createClient({ did, privateKey, baseUrl: address });
  const target = profilePath(owner.did);
  return [
    await client.send(await client.signedRequest({ method: "GET", target })),
    await fetch(`${address}/api/profiles`, { headers: { Cookie } }),
    await fetch(`${address}/dashboard`, { headers: { Cookie } }),
    await fetch(`${address}/dashboard/proposals`, { headers: { Cookie } }),
    await fetch(`${address}/oauth/register`, {
      method: "POST",
      body: JSON.stringify({ redirect_uris: [redirectUri] }),
    }),
    await callAt(address, { token: connected.access_token, method: "tools/list" }),
  ];
}

test("every door says 503 and when to come back, and answers again without a restart", async () => {
  const statuses = async () => (await askAll()).map(({ status }) => status);
  const well = [200, 200, 200, 200, 201, 200];
  expect(await statuses()).toEqual(well);
  relay.reset(1);
  const answers = await askAll();
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(503));
  for (const { headers } of answers) expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
  for (const answer of answers.slice(0, 2)) {
    expect(await answer.json()).toMatchObject({ success: false, error: { code: "PROF503" } });
  }
  relay.reset(0);
  expect(await statuses()).toEqual(well);
});

test("page failures are logged like every other error", async () => {
  await gateway.stop();
  relay.stop();
  const [, ...lines] = gateway
    .output()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  const failures = lines.map((line) => JSON.parse(line)).filter(({ msg }) => /page/.test(msg));
  expect(failures.length).toBeGreaterThan(0);
  for (const { error, requestId } of failures) {
    expect(Object.keys(error).sort()).toEqual(expect.arrayContaining(["at", "name"]));
    expect(error).not.toHaveProperty("message");
    expect(requestId).toMatch(/^\d+/);
  }
  expect(gateway.output()).not.toMatch(/⨯|Exception/);
});
