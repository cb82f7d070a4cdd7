import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { Client } from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { emptyDatabase } from "@/tests/support/database";
import { addressOf, run, startGateway } from "@/tests/support/processes";

const folder = await mkdtemp(path.join(tmpdir(), "gateway-process-"));
afterAll(() => rm(folder, { recursive: true }));

const env = { DATA_FOLDER: folder };
const gateway = startGateway(env, "--demo");
const address = await addressOf(gateway);

function portOf(url: string): number {
  return Number(new URL(url).port);
}

describe("a first start with --demo", () => {
  test("tells where it is, what it runs on, and how to sign in", () => {
    const said = gateway.output();
    expect(said).toMatch(/Database +embedded PostgreSQL/);
    expect(said).toMatch(/Limits +PostgreSQL/);
    expect(said).toMatch(/Sign in +alice@example\.com +\S{15,}/);
    expect(said).toMatch(/Sign in +root@example\.com +\S{15,}/);
  });

  test("leaves the agents' keys for nobody else to read", async () => {
    const demo = JSON.parse(await readFile(path.join(folder, "demo/demo.json"), "utf8"));
    expect(demo.address).toBe(address);
    expect(demo.agents).toHaveLength(3);
    for (const file of ["demo.json", ...demo.agents.map((a: { keyFile: string }) => a.keyFile)]) {
      const { mode } = await stat(path.join(folder, "demo", file));
      expect(mode & 0o777).toBe(0o600);
    }
  });

  test("is alive and ready, and tells numbers to its own machine only", async () => {
    expect((await fetch(`${address}/api/health`)).status).toBe(200);
    const ready = await fetch(`${address}/api/health/ready`);
    expect(await ready.json()).toMatchObject({
      ready: true,
      migrations: { pending: [] },
      limits: { engine: "PostgreSQL", healthy: true },
    });
    const metrics = await fetch(`${address}/api/metrics`);
    expect(await metrics.text()).toContain("gateway_pool_connections");
    const forwarded = { headers: { "X-Forwarded-For": "127.0.0.1" } };
    expect((await fetch(`${address}/api/metrics`, forwarded)).status).toBe(403);
    expect((await fetch(`${address}/api/health/ready`, forwarded)).status).toBe(403);
  });
});

test("a database of an earlier version stops the start, and is left as it was", async () => {
  const url = await emptyDatabase();
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`CREATE TABLE _prisma_migrations AS SELECT '0001_init' AS migration_name, 'another' AS checksum,
    now() AS finished_at, NULL::timestamptz AS rolled_back_at, now() AS started_at`);
  const starting = run(["server/run.mjs", "server/main.ts"], { ...env, DATABASE_URL: url });
  expect(await starting.ended).toBe(1);
  expect(starting.output()).toMatch(
    /The database \(PostgreSQL at \S+\) was made by an earlier version.*Move it aside.*stay on the version before/,
  );
  const tables = "SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = 'public'";
  expect((await client.query(tables)).rows).toEqual([{ n: 1 }]);
  await client.end();
});

test("npm run admin reaches its database while it runs", async () => {
  const promoting = run(
    ["server/run.mjs", "server/admin/main.ts", "promote", "alice@example.com"],
    env,
  );
  expect(await promoting.ended).toBe(0);
  expect(promoting.output()).toBe("  alice@example.com is an admin now.\n");
});

describe("a request to change the protocol", () => {
  test.each(["/prof/v1/x", "/nowhere", "/sign-in"])(
    "%s is answered as if it had not asked",
    async (target) => {
      const socket = connect(portOf(address), "127.0.0.1");
      const asking = "Connection: Upgrade, close\r\nUpgrade: h2c";
      socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${asking}\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 (404|200) /);
    },
  );
});

describe("requests that no page sends", () => {
  const form = (head: string, body: string, ...headers: string[]) =>
    [`${head} HTTP/1.1`, "Host: localhost", "Connection: close", `Content-Length: ${body.length}`]
      .concat(headers)
      .join("\r\n")
      .concat("\r\n\r\n", body);
  const multipart = "Content-Type: multipart/form-data; boundary=x";
  const action = `Next-Action: ${"4".repeat(42)}`;
  const foreign = "Origin: https://evil.example";

  test.each([
    ["a form that breaks off", 400, form("POST /sign-in", "--x\r\ncanary", multipart)],
    ["a form without a boundary", 400, form("POST /", "x", "Content-Type: multipart/form-data")],
    ["an action id that is none", 400, form("POST /sign-in", "[]", "Next-Action: canary")],
    ["an action id that no action has", 404, form("POST /sign-in", "[]", action)],
    ["an action from another site", 403, form("POST /foo.bar", "[]", action, foreign)],
    ["a form from another site", 403, form("POST /foo.bar", "--x--", multipart, foreign)],
    ["TRACE", 405, form("TRACE /sign-in", "")],
  ])("%s is %i", async (_title, status, bytes) => {
    const socket = connect(portOf(address), "127.0.0.1");
    socket.write(bytes);
    expect(await text(socket)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  test("leaves no text of its own in the log, and no stack", () => {
    expect(gateway.output()).not.toMatch(/canary|"level":50|Server Action/);
  });
});

describe("a start that cannot go on ends with 1 and one sentence", () => {
  async function lastWords(given: Record<string, string>, ...flags: string[]) {
    const refused = startGateway(given, ...flags);
    expect(await refused.ended).toBe(1);
    return refused.output().trim().split("\n").at(-1);
  }

  test("on a data folder that another one uses", async () => {
    expect(await lastWords(env)).toMatch(/^The data folder .* is in use by another gateway/);
  });

  test("on a port that is taken", async () => {
    const elsewhere = { DATA_FOLDER: path.join(folder, "other"), PORT: `${portOf(address)}` };
    expect(await lastWords(elsewhere)).toMatch(/^Port \d+ is taken by another program/);
    // The database that it had started has ended before it.
    const left = await readdir(path.join(folder, "other/postgres"));
    expect(left).toContain("PG_VERSION");
    expect(left).not.toContain("postmaster.pid");
  });

  test("on a configuration with more than one mistake, and names them all", async () => {
    const open = { PORT: "x", HOST: "0.0.0.0", TRUST_PROXY_HOPS: "-1", METRICS_TOKEN: "short" };
    const refused = startGateway(open);
    expect(await refused.ended).toBe(1);
    for (const name of ["PORT", "HOST", "TRUST_PROXY_HOPS", "METRICS_TOKEN"]) {
      expect(refused.output()).toContain(`  ${name}`);
    }
  });

  test("on a database that nobody answers for", async () => {
    const url = "postgresql://gateway@127.0.0.1:1/gateway";
    expect(await lastWords({ DATABASE_URL: url })).toMatch(/does not answer/);
  });
});

// Last: from here on it does not run any more.
describe("SIGTERM", () => {
  test("lets a request that has begun finish, takes no other, and ends with 0", async () => {
    const socket = connect(portOf(address), "127.0.0.1");
    const answer = text(socket);
    const head =
      "POST /prof/v1/profile/did:prof:user:local:alice/access HTTP/1.1\r\nHost: localhost\r\n";
    socket.write(`${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{`);
    await fetch(`${address}/api/health`);
    const stopped = gateway.stop("SIGTERM");
    await gateway.says(/"msg":"stopping"/);
    socket.write("}");
    expect(await answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*PROF001/);
    expect(await stopped).toBe(0);
    expect(gateway.output()).not.toMatch(/"level":(40|50)/);
    await expect(fetch(`${address}/api/health`)).rejects.toThrow();
  });

  test("leaves a database that starts again at once, with all that was acknowledged", async () => {
    const again = startGateway(env);
    const { status } = await fetch(`${await addressOf(again)}/api/health/ready`);
    expect(status).toBe(200);
    expect(again.output()).not.toContain("First admin");
    const refused = startGateway({ ...env, DATA_FOLDER: folder }, "--demo");
    expect(await refused.ended).toBe(1);
    expect(await again.stop("SIGINT")).toBe(0);
    const onUsers = startGateway(env, "--demo");
    expect(await onUsers.ended).toBe(1);
    expect(onUsers.output()).toContain("--demo fills an empty database, and this one has users");
  });
});
