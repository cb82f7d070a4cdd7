import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createEngine } from "@/lib/engine/engine";
import { loadEnv } from "@/lib/engine/env";
import { createLog } from "@/lib/engine/log";
import { migrate } from "@/lib/engine/migrate";
import { sweepNonces } from "@/lib/engine/sweep";
import { createClient, type SignedRequest } from "@/lib/protocol/client";
import { sealEvents } from "@/lib/services/audit/seal-events";
import { verifyLog } from "@/lib/services/audit/verify-log";
import { startEmbeddedPostgres } from "@/server/embedded-postgres/start";
import { startInstance } from "@/tests/support/instances";
import { giveToken, type Minted, mintAgent, mintOwner } from "@/tests/support/personas";
import { profilePath } from "@/tests/support/wire";
import { jumpingClock } from "./testing/jumping-clock";

// A gateway and a database, each with a time of day of its own, which an operator or a time server sets
// while they run.
const folder = await mkdtemp(path.join(tmpdir(), "gateway-clock-"));
// The database runs as somebody else, who reads its clock here.
await chmod(folder, 0o755);
const [gateways, databases] = [jumpingClock(folder, "gateway"), jumpingClock(folder, "database")];
const postgres = await startEmbeddedPostgres({
  dataFolder: path.join(folder, "postgres"),
  settings: { fsync: "off", full_page_writes: "off" },
  environment: databases.environment,
});
const env = loadEnv({ NODE_ENV: "test", DATABASE_URL: postgres.url });
const engine = createEngine(env, createLog({ level: "silent" }));
await migrate(engine.pool, path.resolve("prisma"));
const PUBLIC_URL = "https://gateway.example";
const gateway = await startInstance({
  DATABASE_URL: postgres.url,
  PUBLIC_URL,
  LIMIT_ACCESS: "3",
  ...gateways.environment,
});

afterAll(async () => {
  await gateway.end();
  await engine.stop();
  await postgres.stop();
  await rm(folder, { recursive: true });
});

let owner: Awaited<ReturnType<typeof mintOwner>>;
beforeAll(async () => {
  owner = await mintOwner(engine, { policies: [{}] });
});

async function answerTo(signed: SignedRequest): Promise<string> {
  const { status, body } = await gateway.deliver(signed);
  const { error } = JSON.parse(body);
  return error === undefined ? `${status}` : `${status} ${error.code}`;
}

/** Signed by a clock that is as far from ours. */
function signer({ did, privateKey }: Minted, seconds = 0) {
  const now = () => new Date(Date.now() + seconds * 1_000);
  return createClient({ did, privateKey, baseUrl: PUBLIC_URL, now });
}

const read = (agent: Minted, seconds = 0) =>
  signer(agent, seconds).signedRequest({ method: "GET", target: profilePath(owner.did) });
const ask = (agent: Minted, seconds = 0) =>
  signer(agent, seconds).signedRequest({
    method: "POST",
    target: profilePath(owner.did, "/access"),
    body: '{"scopes":["prof:interests"],"purpose":{"type":"research"}}',
  });

const both = [gateways, databases];
const jumps = [-240, -30, 30, 240].flatMap((seconds) => [
  ["the gateway's", seconds, [gateways]] as const,
  ["the database's", seconds, [databases]] as const,
  ["both", seconds, both] as const,
]);

test("the clocks of these tests jump", async () => {
  const agent = await mintAgent(engine);
  for (const clock of both) clock.jump(600);
  const { rows } = await engine.pool.query<{ at: Date }>("SELECT clock_timestamp() AS at");
  expect(Math.round(((rows[0]?.at.getTime() ?? 0) - Date.now()) / 10_000)).toBe(60);
  expect(await answerTo(await read(agent))).toBe("401 PROF007");
  expect(await answerTo(await read(agent, 600))).toBe("200");
  for (const clock of both) clock.jump(0);
  expect(await answerTo(await read(agent))).toBe("200");
});

test("used nonces stay used if the database's clock is hours ahead, sweeps, and comes back", async () => {
  const used = await read(await mintAgent(engine));
  expect(await answerTo(used)).toBe("200");
  databases.jump(12_000);
  await sweepNonces(engine.db, new Date());
  expect(await answerTo(used)).toBe("401 PROF008");
  databases.jump(0);
  expect(await answerTo(used)).toBe("401 PROF008");
});

describe.each(jumps)("%s jumps by %d seconds, and back", (_whose, seconds, jumping) => {
  const ofGateway = jumping[0] === gateways ? seconds : 0;
  const jump = (by: number) => {
    for (const clock of jumping) clock.jump(by);
  };

  test("nonces used before and in between stay used", async () => {
    const agent = await mintAgent(engine);
    const early = await read(agent);
    expect(await answerTo(early)).toBe("200");
    jump(seconds);
    const between = await read(agent, ofGateway);
    expect(await answerTo(between)).toBe("200");
    for (const used of [early, between]) expect(await answerTo(used)).toBe("401 PROF008");
    jump(0);
    for (const used of [early, between]) expect(await answerTo(used)).toBe("401 PROF008");
  });

  test("a limit that is used up stays used up", async () => {
    const agent = await mintAgent(engine);
    for (let count = 0; count < 3; count++) expect(await answerTo(await ask(agent))).toBe("200");
    jump(seconds);
    expect(await answerTo(await ask(agent, ofGateway))).toBe("429 PROF005");
    jump(0);
    expect(await answerTo(await ask(agent))).toBe("429 PROF005");
  });

  test("a limit that is used up in between is used up after it", async () => {
    const agent = await mintAgent(engine);
    jump(seconds);
    for (let count = 0; count < 3; count++) {
      expect(await answerTo(await ask(agent, ofGateway))).toBe("200");
    }
    jump(0);
    expect(await answerTo(await ask(agent))).toBe("429 PROF005");
  });

  test("a token that was revoked stays revoked", async () => {
    const { token, id } = await giveToken(engine, { owner, agent: await mintAgent(engine) });
    const client = createClient({ token, baseUrl: PUBLIC_URL });
    const input = () => client.signedRequest({ method: "GET", target: "/prof/v1/profile" });
    expect(await answerTo(await input())).toBe("200");
    const data = { revokedAt: new Date() };
    await engine.db.connectionToken.update({ where: { id }, data });
    expect(await answerTo(await input())).toBe("401 PROF001");
    jump(seconds);
    expect(await answerTo(await input())).toBe("401 PROF001");
    jump(0);
    expect(await answerTo(await input())).toBe("401 PROF001");
  });

  test("the access log is sealed in one chain, which verifies", async () => {
    const agent = await mintAgent(engine);
    const logged = await mintOwner(engine, { policies: [{}] });
    const target = profilePath(logged.did);
    const look = async (by: number) =>
      answerTo(await signer(agent, by).signedRequest({ method: "GET", target }));
    const seal = async () => {
      while ((await sealEvents(engine.db, new Date())) > 0);
    };
    for (const by of [0, seconds, 0]) {
      jump(by);
      expect(await look(by === 0 ? 0 : ofGateway)).toBe("200");
      await seal();
    }
    expect(await verifyLog(engine, logged.profileId)).toMatchObject({
      intact: true,
      sealed: 3,
      unsealed: 0,
    });
  });
});
