import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { makeBackup } from "@/lib/engine/backup/make-backup";
import { createEngine } from "@/lib/engine/engine";
import { loadEnv } from "@/lib/engine/env";
import { createLog } from "@/lib/engine/log";
import { migrate } from "@/lib/engine/migrate";
import { findRunning } from "@/server/embedded-postgres/running";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/server/embedded-postgres/start";
import { mintOwner } from "@/tests/support/personas";
import { run } from "@/tests/support/processes";
import { readPasswords, SUPERUSER } from "../embedded-postgres/initialise";
import { withClient } from "./client";
import { beforeName, confirmRestore, createLike, restoringName, swapDatabases } from "./databases";

// `npm run restore` on the embedded database, ended on the spot at each of its steps.
const DATA_FOLDER = await mkdtemp(path.join(tmpdir(), "gateway-interrupted-"));
const dataFolder = path.join(DATA_FOLDER, "postgres");
const file = path.join(DATA_FOLDER, "one.tar.gz");
afterAll(() => rm(DATA_FOLDER, { recursive: true }));

const log = createLog({ level: "silent" });

await embedded(async ({ url }) => {
  const engine = createEngine(loadEnv({ NODE_ENV: "test", DATABASE_URL: url }), log);
  await migrate(engine.pool, path.resolve("prisma"));
  await mintOwner(engine);
  await engine.pool.query(
    `INSERT INTO "AdminEvent" (id, at, "adminId", verb, "requestId")
     SELECT 'evt_' || n, now(), 'shell', 'verb', 'req' FROM generate_series(1, 150000) n`,
  );
  await makeBackup({ url, file, passphrase: undefined, version: "0.1.0", madeAt: new Date() });
  await mintOwner(engine);
  await engine.stop();
});

async function embedded<T>(work: (postgres: EmbeddedPostgres) => Promise<T>): Promise<T> {
  const postgres = await startEmbeddedPostgres({ dataFolder });
  try {
    return await work(postgres);
  } finally {
    await postgres.stop();
  }
}

async function asSuperuser<T>(url: string, work: Parameters<typeof withClient<T>>[1]): Promise<T> {
  const admin = new URL(url);
  admin.username = SUPERUSER;
  admin.password = (await readPasswords(dataFolder)).superuser;
  admin.pathname = "/postgres";
  return withClient(admin.href, work);
}

async function databases(url: string): Promise<string[]> {
  return asSuperuser(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT datname AS name FROM pg_database WHERE datname LIKE 'gateway%' AND datallowconn ORDER BY 1",
    );
    return rows.map(({ name }) => name);
  });
}

async function users(url: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(`SELECT count(*)::int AS count FROM "User"`);
    return rows[0].count;
  });
}

/** Whether the server that the restore runs on has come to a step. */
async function isAt(sql: string): Promise<boolean> {
  const url = await findRunning(dataFolder);
  if (url === null) return false;
  // It may not take connections yet, or any more.
  return asSuperuser(url, async (client) => (await client.query(sql)).rowCount !== 0).catch(
    () => false,
  );
}

const steps: [string, string][] = [
  ["saving what is there", "SELECT FROM pg_stat_progress_copy WHERE command = 'COPY TO'"],
  ["copying rows", "SELECT FROM pg_stat_progress_copy WHERE command = 'COPY FROM'"],
  [
    "building indexes",
    "SELECT FROM pg_stat_activity WHERE query LIKE 'CREATE %INDEX%' AND datname LIKE 'gateway_restoring_%'",
  ],
  [
    "starting the gateway after the swap",
    "SELECT FROM pg_database WHERE datname LIKE 'gateway_before_%'",
  ],
];

describe("a restore that is killed", () => {
  test.each(steps)(
    "while %s -> the next start finds the database as it was, and nothing else",
    async (_step, sql) => {
      const restoring = run(["server/run.mjs", "server/restore/main.ts", file], { DATA_FOLDER });
      await expect.poll(() => isAt(sql), { interval: 5, timeout: 60_000 }).toBe(true);
      await restoring.stop("SIGKILL");
      await embedded(async ({ url }) => {
        expect(await databases(url)).toEqual(["gateway"]);
        expect(await users(url)).toBe(2);
      });
    },
    120_000,
  );
});

describe("a start of the embedded database", () => {
  const at = new Date("2026-03-01T12:00:00.000Z");
  const next = restoringName("gateway", at);
  const before = beforeName("gateway", at);

  async function swap(isConfirmed: boolean, then: (postgres: EmbeddedPostgres) => Promise<void>) {
    await embedded((postgres) =>
      asSuperuser(postgres.url, async (admin) => {
        await createLike(admin, { live: "gateway", name: next, owner: "gateway" });
        await swapDatabases(admin, { live: "gateway", next, before });
        if (isConfirmed) await confirmRestore(admin, "gateway");
        await then(postgres);
      }),
    );
  }

  test("after a swap that was not confirmed -> the database of before is back", async () => {
    await swap(false, async ({ url }) => {
      expect(await databases(url)).toEqual(["gateway", before]);
    });
    const said: string[] = [];
    const postgres = await startEmbeddedPostgres({
      dataFolder,
      log: (level, line) => void (level === "warn" && said.push(line)),
    });
    expect(await databases(postgres.url)).toEqual(["gateway"]);
    expect(await users(postgres.url)).toBe(2);
    expect(said.join()).toContain(
      "A restore was interrupted, and the database is as it was before",
    );
    await postgres.stop();
  });

  test("that takes no connections any more -> takes them again", async () => {
    await embedded(({ url }) =>
      asSuperuser(url, (admin) => admin.query("ALTER DATABASE gateway ALLOW_CONNECTIONS false")),
    );
    await embedded(async ({ url }) => expect(await users(url)).toBe(2));
  });

  test("after a swap that was confirmed a day ago -> what it replaced is dropped", async () => {
    await swap(true, async ({ url }) => {
      expect(await databases(url)).toEqual(["gateway", before]);
    });
    await embedded(async ({ url }) => expect(await databases(url)).toEqual(["gateway"]));
  });
});

test("the file of the backup is untouched", async () => {
  expect((await readFile(file)).length).toBeGreaterThan(1_000);
});
