import { randomBytes, X509Certificate } from "node:crypto";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createPlainServer, type RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeEach, describe, expect, inject, test } from "vitest";
import { targetOf } from "@/lib/engine/backup/target/open-target";
import { createEngine } from "@/lib/engine/engine";
import { loadEnv } from "@/lib/engine/env";
import { createLog } from "@/lib/engine/log";
import { newId } from "@/lib/engine/random";
import { copyGone } from "@/lib/services/gone/copy-gone";
import { goneTargets } from "@/lib/services/gone/gone-targets";
import { startMailServer } from "@/tests/support/connecting/mail-server";
import { strangersCertificate, strangersKey } from "@/tests/support/connecting/stranger";
import { cloneDatabase } from "@/tests/support/database";
import { testEngine } from "@/tests/support/harness";
import { run } from "@/tests/support/processes";
import { startS3Server } from "@/tests/support/storage/s3-server";
import { storeBackup } from "../backup/back-up";
import { withClient } from "../restore/client";
import { type Check, type Finding, problem, runChecks } from "./check";
import { checkSchema, databaseChecks } from "./database";
import { keptChecks } from "./kept";
import { checkDisk, checkFiles, checkNode } from "./machine";
import { checkAddress, checkClient, checkMail, checkProxy } from "./reach";

const root = await mkdtemp(path.join(tmpdir(), "gateway-doctor-"));
afterAll(() => rm(root, { recursive: true }));
const made = await testEngine();
const { db, pool, env: given } = made;
const url = given.DATABASE_URL ?? "";

let folders = 0;
let folder: string;
let engine: typeof made;
beforeEach(async () => {
  folder = path.join(root, `${++folders}`);
  await mkdir(folder, { mode: 0o700 });
  engine = { ...made, env: { ...given, DATA_FOLDER: folder, BACKUP_URL: undefined } };
  made.setNow(new Date());
});

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function found(check: Check | undefined): Promise<Finding> {
  const [line] = await runChecks(check === undefined ? [] : [check], messageOf);
  if (line === undefined) throw new Error("no such check");
  const { state, text } = line;
  return { state, text };
}

const kept = (name: string) => found(keptChecks(engine).find((one) => one.name === name));
const inDatabase = (name: string, of = url) =>
  found(databaseChecks(of, false).find((one) => one.name === name));

test("a check that never ends is a problem at its deadline", async () => {
  const hanging = { name: "Hanging", run: () => new Promise<Finding>(() => {}), msMax: 10 };
  expect(await found(hanging)).toEqual(problem("No answer within 0.01 s."));
});

test.each([
  ["18.20.0", "2026-01-01", "problem"],
  ["20.18.9", "2026-01-01", "problem"],
  ["20.19.0", "2026-04-30", "ok"],
  ["20.19.0", "2026-05-01T01:00:00Z", "note"],
  ["24.1.0", "2026-11-01", "ok"],
] as const)("Node.js %s on %s: %s", async (version, day, state) => {
  expect(await found(checkNode(version, new Date(day)))).toMatchObject({ state });
});

test("files that others may read are named with what closes them", async () => {
  expect(await found(checkFiles(engine.env))).toMatchObject({ state: "ok" });
  await chmod(folder, 0o755);
  expect(await found(checkFiles(engine.env))).toEqual(
    problem(`Other users of this machine may read secrets: chmod 700 ${folder}`),
  );
});

test("a disk without room for a restore is a problem", async () => {
  const own = { ...engine.env, DATABASE_URL: undefined };
  expect(await found(checkDisk(own, 1_000))).toMatchObject({ state: "ok" });
  expect(await found(checkDisk(own, 1e15))).toMatchObject({ state: "problem" });
});

describe("an address", () => {
  async function serve(listener: RequestListener, secure = false): Promise<string> {
    const tls = { key: strangersKey, cert: strangersCertificate };
    const server: Server = secure ? createServer(tls, listener) : createPlainServer(listener);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    afterAll(() => {
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    return `${secure ? "https" : "http"}://localhost:${port}`;
  }
  const healthy: RequestListener = (_request, response) => response.end('{"status":"ok"}');
  const at = async (listener: RequestListener, now = new Date()) =>
    found(checkAddress(await serve(listener), now));

  test("where the gateway answers is fine", async () => {
    expect(await at(healthy)).toEqual({ state: "ok", text: "It answers." });
  });

  test("where something else, or nothing, answers is a problem", async () => {
    const other = await at((_request, response) => response.writeHead(404).end("<h1>nginx</h1>"));
    expect(other).toMatchObject({ state: "problem", text: expect.stringContaining("404") });
    const nothing = await found(checkAddress("http://localhost:1", new Date()));
    expect(nothing).toMatchObject({ state: "problem", text: expect.stringMatching(/^It is not/) });
  });

  test("with another clock is a problem", async () => {
    const listener: RequestListener = (_request, response) =>
      response.setHeader("Date", "Sun, 01 Mar 2026 12:01:00 GMT").end('{"status":"ok"}');
    const answer = await at(listener, new Date("2026-03-01T12:00:00Z"));
    expect(answer.text).toMatch(/^Its clock differs by 60 s/);
  });

  test("has a certificate that is known, and valid for two weeks more", async () => {
    const address = await serve(healthy, true);
    const end = Date.parse(new X509Certificate(strangersCertificate).validTo);
    const soon = new Date(end - 10.5 * 86_400_000);
    expect(await found(checkAddress(address, soon, strangersCertificate))).toEqual(
      problem("Its certificate is valid for 10 more days: renew it."),
    );
    const fine = await found(checkAddress(address, new Date(), strangersCertificate));
    expect(fine).toMatchObject({ state: "ok", text: expect.stringContaining("certificate") });
    expect((await found(checkAddress(address, new Date()))).text).toContain("self-signed");
  });
});

test.each([
  [{ PUBLIC_URL: "https://gateway.test" }, "problem"],
  [{ PUBLIC_URL: "https://gateway.test", TRUST_PROXY_HOPS: "1" }, "ok"],
  [{ PUBLIC_URL: "https://gateway.test", TRUST_PROXY_HOPS: "1", HOST: "0.0.0.0" }, "note"],
  [{}, "note"],
] as const)("the proxy of %o: %s", async (settings, state) => {
  expect(await found(checkProxy(loadEnv(settings)))).toMatchObject({ state });
});

test("a mail server is signed in at, and sends a mail where one is wished", async () => {
  const server = await startMailServer({ secure: false, allowInsecureAuth: true });
  const settings = (password: string, more: Record<string, string> = {}) =>
    loadEnv({
      ...more,
      SMTP_URL: `smtp://gateway:${password}@localhost:${server.port}`,
      MAIL_FROM: "gateway@gateway.test",
    });
  const reached = settings("secret", { PUBLIC_URL: "https://gateway.test" });
  expect(await found(checkMail(reached, undefined))).toMatchObject({ state: "ok" });
  expect((await found(checkMail(settings("secret"), undefined))).text).toContain("PUBLIC_URL");
  await found(checkMail(settings("secret"), "root@example.com"));
  expect(server.received).toMatchObject([{ to: ["root@example.com"] }]);
  const refused = await found(checkMail(settings("wrong-password"), undefined));
  expect(refused).toMatchObject({ state: "problem", text: expect.stringContaining("SMTP_URL") });
  expect(refused.text).not.toContain("wrong-password");
  expect(await found(checkMail(loadEnv({}), undefined))).toMatchObject({ state: "note" });
});

test("a program's document that is not on the public internet is a problem", async () => {
  const address = "https://localhost/client.json";
  expect(await found(checkClient(engine.env, address))).toMatchObject({ state: "problem" });
  expect(await found(checkClient(engine.env, undefined))).toMatchObject({ state: "note" });
});

describe("the database", () => {
  test.each(["PostgreSQL", "Role", "Extensions", "Restores", "Notices"])(
    "%s is fine where it is",
    async (name) => {
      expect(await inDatabase(name)).toMatchObject({ state: "ok" });
    },
  );

  test("a role that does not own it is told how to", async () => {
    const name = newId("role").toLowerCase();
    const other = new URL(url);
    await withClient(inject("superuserUrl"), (client) =>
      client.query(`CREATE ROLE "${name}" LOGIN PASSWORD 'secret'`),
    );
    [other.username, other.password] = [name, "secret"];
    expect((await inDatabase("Role", other.href)).text).toContain("ALTER DATABASE");
  });

  test("what an interrupted restore left is named", async () => {
    const copy = await cloneDatabase();
    const name = `${new URL(copy).pathname.slice(1)}_restoring_1`;
    await withClient(inject("superuserUrl"), (client) => client.query(`CREATE DATABASE "${name}"`));
    expect((await inDatabase("Restores", copy)).text).toContain(name);
  });

  test("a table that is not the gateway's is named", async () => {
    const copy = await cloneDatabase();
    await withClient(copy, (client) => client.query("CREATE TABLE mine (n int)"));
    const { state, text } = await inDatabase("Restores", copy);
    expect([state, text]).toEqual(["problem", expect.stringContaining("public has mine,")]);
  });

  test("a schema that is not of this version is named", async () => {
    const other = await testEngine({ DATABASE_URL: await cloneDatabase() });
    other.setNow(new Date());
    expect(await found(checkSchema(other))).toMatchObject({ state: "ok" });
    await other.pool.query(`DELETE FROM "_prisma_migrations" WHERE migration_name = '0005_gone'`);
    expect((await found(checkSchema(other))).text).toBe(
      "Migration 0005_gone is not applied. npm start does it.",
    );
  });
});

describe("backups", () => {
  const store = (madeAt: Date) =>
    storeBackup({ env: engine.env, url, madeAt, target: targetOf(engine.env) });

  test("none, an old one and a damaged one are problems, a whole one of today is not", async () => {
    expect((await kept("Backup")).text).toMatch(/^None in .*npm run backup makes one/);
    await store(new Date(made.now().getTime() - 2 * 86_400_000));
    expect((await kept("Backup")).text).toContain("48 hours old");
    const { file, bytes } = await store(made.now());
    const whole = await kept("Backup");
    expect(whole).toMatchObject({ state: "note", text: expect.stringContaining("BACKUP_URL") });
    await writeFile(path.join(folder, "backups", file), randomBytes(bytes));
    expect(await kept("Backup")).toMatchObject({ state: "problem" });
  });
});

test("a list of what is gone that lags, has gaps or is missing is a problem", async () => {
  const note = () =>
    pool.query(
      `INSERT INTO "Gone" (at, kind, key) VALUES (now() - interval '1 hour', 'key.revoked', sha256(gen_random_uuid()::text::bytea))`,
    );
  await note();
  expect((await kept("Erasures")).text).toContain("is missing");
  await copyGone(db, goneTargets(engine.env, db));
  expect(await kept("Erasures")).toMatchObject({ state: "ok" });
  await note();
  expect((await kept("Erasures")).text).toContain("lacks what was erased last");
  await writeFile(path.join(folder, "gone.jsonl"), "torn\nmore\n");
  expect((await kept("Erasures")).text).toContain("has gaps");
});

test("a list of what is gone that is deleted from S3 is written again by the next start", async () => {
  const storage = await startS3Server();
  const { env } = engine;
  engine = { ...engine, env: { ...env, BACKUP_URL: storage.url } };
  await pool.query(
    `INSERT INTO "Gone" (at, kind, key) VALUES (now() - interval '1 hour', 'key.revoked', sha256('1'))`,
  );
  await copyGone(db, goneTargets(engine.env, db));
  expect(await kept("Erasures")).toMatchObject({ state: "ok" });
  storage.objects.clear();
  const { text } = await kept("Erasures");
  expect(text).toMatch(/prefix\/gone\/ is missing: start the gateway again, which writes it\.$/);
  const next = createEngine(engine.env, createLog({ level: "silent" }));
  await copyGone(next.db, goneTargets(engine.env, next.db));
  await next.stop();
  expect(await kept("Erasures")).toMatchObject({ state: "ok" });
  await storage.stop();
});

test("messages that wait for long or were given up, and jobs that fail, are problems", async () => {
  expect(await kept("Outbox")).toMatchObject({ state: "ok" });
  const [now, past] = [new Date(), new Date(Date.now() - 3_600_000)];
  const message = {
    sink: "mail",
    kind: "digest",
    recipient: "usr_1",
    body: {},
    dueAt: now,
  } as const;
  const { seq } = await db.delivery.create({
    data: { id: newId("msg"), madeAt: past, ...message },
    select: { seq: true },
  });
  expect((await kept("Outbox")).text).toMatch(/^1 wait, the oldest for (59|60) minutes/);
  await db.delivery.update({ where: { seq }, data: { state: "given_up", endedAt: now } });
  expect((await kept("Outbox")).text).toContain("1 were given up");
  expect(await kept("Jobs")).toMatchObject({ state: "ok" });
  await db.job.create({ data: { name: "seal-events", startedAt: now, failure: "disk full" } });
  expect((await kept("Jobs")).text).toBe("seal-events: disk full");
});

test("npm run doctor ends with 1 where there is something to do, and prints the same for programs", async () => {
  const { DATABASE_URL = "" } = { DATABASE_URL: await cloneDatabase() };
  const password = decodeURIComponent(new URL(DATABASE_URL).password);
  const settings = { DATABASE_URL, DATA_FOLDER: folder, PUBLIC_URL: "" };
  const doctor = async (...flags: string[]) => {
    const program = run(["server/run.mjs", "server/doctor/main.ts", ...flags], settings);
    return { code: await program.ended, output: program.output() };
  };
  const before = await doctor("--json");
  expect(before.code).toBe(1);
  const lines: { name: string; state: string }[] = JSON.parse(before.output);
  expect(lines.filter(({ state }) => state === "problem")).toMatchObject([{ name: "Backup" }]);
  await storeBackup({
    ...{ env: engine.env, url: DATABASE_URL, madeAt: new Date() },
    target: targetOf(engine.env),
  });
  const after = await doctor();
  expect([after.code, after.output.includes("✗")]).toEqual([0, false]);
  expect(before.output + after.output).not.toContain(password || "secret");
});
