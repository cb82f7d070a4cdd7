import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isAlive } from "./folder-lock";
import { readPasswords } from "./initialise";
import { StartRefused } from "./refusal";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./start";

const isLinux = process.platform === "linux";
const isRoot = process.getuid?.() === 0;
// A mount namespace of its own: what is mounted there is gone with its last process.
const privateMounts = isRoot
  ? ["unshare", "--mount"]
  : ["unshare", "--user", "--map-root-user", "--mount"];
const hasDeathSignal = runs(["setpriv", "--pdeathsig", "INT", "true"]);
const hasLocks = runs(["flock", "-n", "-s", "--no-fork", process.execPath, "true"]);
const canMount = isLinux && runs([...privateMounts, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]);

type Started = { url: string; pid: number; refused?: string };

let launcher = "";
let scratch = "";
let folder = "";
let cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  launcher = await bundleLauncher();
  scratch = await mkdtemp(join(tmpdir(), "embedded-postgres-"));
  // As root without user namespaces PostgreSQL runs as another user, who has to get here.
  await chmod(scratch, 0o711);
  folder = join(scratch, "shared", "postgres");
  const server = await startEmbeddedPostgres({ dataFolder: folder });
  await server.stop();
});

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  cleanups = [];
});

afterAll(() => rm(scratch, { recursive: true, force: true }));

describe("a start", () => {
  it("makes a database in UTF-8 and UTC that loses nothing it acknowledged", async () => {
    const server = await start(folder);
    const shown = async (name: string) => (await ask(server.url, `SHOW ${name}`))[0]?.[name];
    expect(new URL(server.url).pathname).toBe("/gateway");
    expect(await shown("server_encoding")).toBe("UTF8");
    expect(await shown("TimeZone")).toBe("UTC");
    expect(await shown("fsync")).toBe("on");
    expect(await shown("synchronous_commit")).toBe("on");
    expect(await shown("data_checksums")).toBe("on");
    const [locale] = await ask(
      server.url,
      "SELECT datlocprovider AS provider, datlocale AS name FROM pg_database WHERE datname = 'gateway'",
    );
    expect(locale).toEqual({ provider: "b", name: "C.UTF-8" });
  });

  it("lets the gateway's role see how long its own statements took, and nobody's password", async () => {
    const server = await start(folder);
    for (let turn = 0; turn < 3; turn++) await ask(server.url, "SELECT 'canary' AS said");
    await ask(server.url, `ALTER ROLE gateway PASSWORD '${new URL(server.url).password}'`);
    const counted = await ask(
      server.url,
      "SELECT query, calls::int FROM statistics.pg_stat_statements WHERE query ~* 'said|role|canary'",
    );
    expect(counted).toEqual([{ query: "SELECT $1 AS said", calls: 3 }]);
  });

  it("takes the right to create databases from the role of an older installation", async () => {
    const server = await start(folder);
    const hasRight = "SELECT rolcreatedb AS has FROM pg_roles WHERE rolname = 'gateway'";
    expect(await ask(server.url, hasRight)).toEqual([{ has: false }]);
    await expect(ask(server.url, "CREATE DATABASE another")).rejects.toThrow(/permission denied/);
    const { superuser } = await readPasswords(folder);
    const url = new URL(server.url);
    url.username = "postgres";
    url.password = superuser;
    await ask(url.href, "ALTER ROLE gateway CREATEDB");
    await server.stop();
    expect(await ask((await start(folder)).url, hasRight)).toEqual([{ has: false }]);
  });

  it("is reachable on the loopback address only, with the password only, and not as superuser", async () => {
    const server = await start(folder);
    const url = new URL(server.url);
    const lock = (await readFile(join(folder, "postmaster.pid"), "utf8")).split("\n");
    const [socketFolder, address] = lock.slice(4, 6);
    expect({ socketFolder, address }).toEqual({ socketFolder: "", address: "127.0.0.1" });
    expect(url.hostname).toBe("127.0.0.1");
    expect(url.password).toHaveLength(32);
    const { mode } = await stat(join(folder, "gateway.password"));
    expect(mode & 0o777).toBe(0o600);
    await expect(ask(server.url, "COPY (SELECT 1) TO PROGRAM 'true'")).rejects.toMatchObject({
      code: "42501",
    });
    url.password = "guessed";
    await expect(ask(url.href, "SELECT 1")).rejects.toMatchObject({ code: "28P01" });
  });

  it("keeps data and password over a stop, and adds the settings of its caller", async () => {
    const first = await start(folder);
    const table = await keepRow(first.url);
    await first.stop();
    await first.stop();
    expect(await first.exited).toEqual({ code: 0, signal: null, wasRequested: true });
    expect(isAlive(first.pid)).toBe(false);
    const second = await start(folder, { work_mem: "8MB" });
    expect(await rowsOf(second.url, table)).toEqual([{ n: 1 }]);
    expect(await ask(second.url, "SHOW work_mem")).toEqual([{ work_mem: "8MB" }]);
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
  });

  it("hands on the lines of the server, but neither statements nor values", async () => {
    const lines: string[] = [];
    const server = await startEmbeddedPostgres({
      dataFolder: folder,
      log: (level, line) => lines.push(`${level} ${line}`),
    });
    cleanups.push(() => server.stop());
    await expect(ask(server.url, "SELECT 'a private word'::int")).rejects.toThrow();
    await server.stop();
    const log = lines.join("\n");
    expect(log).toContain("info LOG:  database system is ready to accept connections");
    expect(log).not.toContain("private");
    expect(log).not.toContain(new URL(server.url).password);
  });
});

describe("a start is refused in one sentence", () => {
  it("while another gateway runs on the folder, which goes on", async () => {
    const first = await launch(folder);
    const refused = await refusalOf(folder);
    expect(refused).toMatch(/^The data folder .* is in use by another gateway \(process \d+\)/);
    expect(refused).toContain(`process ${first.started.pid}`);
    await ask(first.started.url, "SELECT 1");
  });

  it("to one of two first starts that come at once", async () => {
    const folder = await newFolder();
    const outcomes = await Promise.all([launch(folder), launch(folder)]);
    const loser = outcomes.find(({ started }) => started.refused);
    const winner = outcomes.find(({ started }) => !started.refused);
    expect(loser?.started.refused).toContain("is in use by another gateway");
    await ask(winner?.started.url ?? "", "SELECT 1");
  });

  it("on a folder of another major version, which stays as it was", async () => {
    const folder = await newFolder();
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "PG_VERSION"), "17\n");
    expect(await refusalOf(folder)).toMatch(
      /is of PostgreSQL 17, this version brings PostgreSQL \d+, and it was left as it is: .*npm run backup/,
    );
    expect(await readdir(folder)).toEqual(["PG_VERSION"]);
  });

  it("on a folder with other files, and on a file", async () => {
    const folder = await newFolder();
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "letter.txt"), "hello");
    expect(await refusalOf(folder)).toContain("holds files but no database");
    expect(await refusalOf(join(folder, "letter.txt"))).toContain("a file is in its place");
    expect(await refusalOf(join(folder, "letter.txt", "postgres"))).toContain("a file is in");
  });

  // Root reads and writes whatever it likes: then there is nothing to refuse.
  it.runIf(!isRoot && isLinux)("on a folder that cannot be read, or written", async () => {
    const folder = await newFolder();
    const parent = join(folder, "..");
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o000);
    expect(await refusalOf(folder)).toContain("cannot be read and written");
    await rm(folder, { recursive: true });
    await chmod(parent, 0o500);
    expect(await refusalOf(folder)).toContain("cannot be read and written");
    await chmod(parent, 0o700);
  });

  it.runIf(canMount)("on a disk too small for a new database", async () => {
    const disk = await mkdtemp(join(scratch, "disk-"));
    const mount = `mount -t tmpfs -o size=20m tmpfs ${disk}`;
    const { started } = await launch(join(disk, "postgres"), mount);
    expect(started.refused).toMatch(/^The disk that holds .* is full;/);
  });

  it.runIf(canMount)("on a disk that filled up since", async () => {
    const disk = await mkdtemp(join(scratch, "disk-"));
    const mount = `mount -t tmpfs -o size=128m tmpfs ${disk}`;
    const fill = `{ cat /dev/zero > ${disk}/filler || true; } 2>/dev/null`;
    const prepare = `${mount} && cp -a ${folder} ${disk}/postgres && ${fill}`;
    const { started } = await launch(join(disk, "postgres"), prepare);
    expect(started.refused).toMatch(/^The disk that holds .* is full;/);
  });
});

describe("after kill -9", () => {
  it.runIf(hasDeathSignal)(
    "of the launcher PostgreSQL ends too, and the next start has all rows",
    async () => {
      const { child, started } = await launch(folder);
      const table = await keepRow(started.url);
      child.kill("SIGKILL");
      await gone(started.pid);
      const server = await start(folder);
      expect(await rowsOf(server.url, table)).toEqual([{ n: 1 }]);
    },
  );

  it("of the launcher an immediate start waits for the end of the old server", async () => {
    const { child, started } = await launch(folder);
    const table = await keepRow(started.url);
    child.kill("SIGKILL");
    await once(child, "exit");
    const server = await start(folder);
    await gone(started.pid);
    expect(await rowsOf(server.url, table)).toEqual([{ n: 1 }]);
  });

  it("of everything an immediate start recovers every acknowledged row", async () => {
    const { child, started } = await launch(folder);
    await ask(started.url, "CREATE TABLE counted (n int)");
    const acknowledged = await insertUntilKilled(started.url, async () => {
      const others = await ask(started.url, "SELECT pid FROM pg_stat_activity");
      for (const pid of [child.pid, started.pid, ...others.map(({ pid }) => Number(pid))])
        kill(pid);
      await once(child, "exit");
    });
    const server = await start(folder);
    const [row] = await ask(server.url, "SELECT count(*)::int AS n FROM counted");
    expect(acknowledged).toBeGreaterThan(0);
    expect(row?.n).toBeGreaterThanOrEqual(acknowledged);
  });

  it.runIf(hasLocks)(
    "a lock file whose pid now belongs to somebody else is no obstacle",
    async () => {
      const { child, started } = await launch(folder);
      kill(started.pid);
      kill(child.pid);
      await gone(started.pid);
      const bystander = spawn("cat", { stdio: ["pipe", "ignore", "ignore"] });
      cleanups.push(async () => bystander.kill());
      const lock = join(folder, "postmaster.pid");
      const lines = (await readFile(lock, "utf8")).split("\n");
      await writeFile(lock, [`${bystander.pid}`, ...lines.slice(1)].join("\n"));
      await start(folder);
      expect(bystander.exitCode).toBe(null);
    },
  );

  it("of a first start half way the next one begins again and tidies up", async () => {
    const folder = await newFolder();
    const parent = join(folder, "..");
    const { child } = spawnLauncher(folder);
    const begun = `postgres.new-${child.pid}`;
    await expect
      .poll(() => exists(join(parent, begun, "data", "base")), { interval: 2 })
      .toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    const server = await start(folder);
    await ask(server.url, "SELECT 1");
    expect(await readdir(parent)).toEqual(["postgres"]);
  });

  it("of PostgreSQL its owner hears of it and can start again", async () => {
    const first = await start(folder);
    const table = await keepRow(first.url);
    kill(first.pid);
    expect(await first.exited).toEqual({ code: null, signal: "SIGKILL", wasRequested: false });
    const second = await start(folder);
    expect(await rowsOf(second.url, table)).toEqual([{ n: 1 }]);
  });

  it.runIf(canMount)("without a death signal the next start stops the orphan", async () => {
    const { child, started } = await launch(
      folder,
      'mount --bind /bin/false "$(command -v setpriv)"',
    );
    child.kill("SIGKILL");
    await once(child, "exit");
    const table = await keepRow(started.url);
    const server = await start(folder);
    await gone(started.pid);
    expect(await rowsOf(server.url, table)).toEqual([{ n: 1 }]);
  });
});

async function newFolder(): Promise<string> {
  return join(await mkdtemp(join(scratch, "data-")), "postgres");
}

async function start(
  dataFolder: string,
  settings?: Record<string, string>,
): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataFolder, settings });
  cleanups.push(() => server.stop());
  return server;
}

async function refusalOf(dataFolder: string): Promise<string> {
  const outcome = await startEmbeddedPostgres({ dataFolder }).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(StartRefused);
  return outcome instanceof StartRefused ? outcome.message : "";
}

async function keepRow(url: string): Promise<string> {
  const table = `kept_${randomUUID().replaceAll("-", "")}`;
  await ask(url, `CREATE TABLE ${table} AS SELECT 1 AS n`);
  return table;
}

function rowsOf(url: string, table: string) {
  return ask(url, `SELECT n FROM ${table}`);
}

async function ask(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function insertUntilKilled(url: string, killAll: () => Promise<void>): Promise<number> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  let acknowledged = 0;
  let killing: Promise<void> | undefined;
  try {
    for (; acknowledged < 100_000; acknowledged += 1) {
      if (acknowledged === 50) killing = killAll();
      await client.query("INSERT INTO counted VALUES ($1)", [acknowledged]);
    }
  } catch {
    await killing;
  }
  return acknowledged;
}

/** A gateway in a process of its own, so that it can be killed. */
async function launch(dataFolder: string, before?: string) {
  const { child, started } = spawnLauncher(dataFolder, before);
  return { child, started: await started };
}

function spawnLauncher(dataFolder: string, before?: string) {
  const words = [process.execPath, "--input-type=module", "-e", launcher, dataFolder];
  if (before) words.unshift(...privateMounts, "sh", "-c", `${before} && exec "$@"`, "sh");
  const [first = "", ...rest] = words;
  const child = spawn(first, rest, { stdio: ["ignore", "pipe", "inherit"] });
  const started = firstLine(child);
  cleanups.push(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGTERM");
      await once(child, "exit");
    }
  });
  return { child, started };
}

async function firstLine(child: ChildProcess): Promise<Started> {
  if (!child.stdout) throw new Error("the launcher has no output");
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line);
  return { url: "", pid: 0 };
}

async function bundleLauncher(): Promise<string> {
  const contents = `
    import { startEmbeddedPostgres } from "./start";
    try {
      const server = await startEmbeddedPostgres({ dataFolder: process.argv[1] });
      process.on("SIGTERM", server.stop);
      console.log(JSON.stringify({ url: server.url, pid: server.pid }));
    } catch (error) {
      console.log(JSON.stringify({ refused: error.message }));
    }`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    packages: "external",
  });
  return outputFiles[0]?.text ?? "";
}

function kill(pid: number | undefined): void {
  if (pid && isAlive(pid)) process.kill(pid, "SIGKILL");
}

/** A process that waits for its parent to take note of its end counts as gone. */
async function gone(pid: number): Promise<void> {
  const hasEnded = async () =>
    !isAlive(pid) || (isLinux && (await readFile(`/proc/${pid}/cmdline`, "utf8")) === "");
  await expect.poll(hasEnded, { interval: 5 }).toBe(true);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function runs([first = "", ...rest]: string[]): boolean {
  return spawnSync(first, rest).status === 0;
}
