import { appendFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Pool } from "pg";
import { afterAll, beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "@/tests/support/database";
import { MigrationError, migrate, pendingMigrations } from "./migrate";

const folders: string[] = [];
const pools: Pool[] = [];
let folder: string;
let pool: Pool;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gateway-migrations-"));
  folders.push(folder);
  for (const part of ["migrations", "functions"]) {
    await cp(path.join("prisma", part), path.join(folder, part), { recursive: true });
  }
  pool = new Pool({ connectionString: await emptyDatabase() });
  pools.push(pool);
});

afterAll(async () => {
  await Promise.all(pools.map((open) => open.end()));
  await Promise.all(folders.map((made) => rm(made, { recursive: true })));
});

function migrationFile(name: string): string {
  return path.join(folder, "migrations", name, "migration.sql");
}

async function addMigration(name: string, sql: string): Promise<void> {
  await mkdir(path.join(folder, "migrations", name));
  await writeFile(migrationFile(name), sql);
}

async function tables(): Promise<string[]> {
  const { rows } = await pool.query<{ table_name: string }>(
    "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1",
  );
  return rows.map((row) => row.table_name);
}

test("an empty database gets every migration, in order, once", async () => {
  await addMigration("9999_last", `CREATE TABLE last AS SELECT count(*) FROM "User"`);
  const applied = await migrate(pool, folder);
  expect(applied.at(0)).toBe("0001_init");
  expect(applied.at(-1)).toBe("9999_last");
  expect(await migrate(pool, folder)).toEqual([]);
  expect(await pendingMigrations(pool, folder)).toEqual([]);
});

test("three at once: one applies, all go on", async () => {
  const applied = await Promise.all([1, 2, 3].map(() => migrate(pool, folder)));
  expect(applied.map((names) => names.length > 0).toSorted()).toEqual([false, false, true]);
});

test("a migration of another instance is waited for", async () => {
  const applying = await pool.connect();
  await applying.query("SELECT pg_advisory_lock(72707369)");
  const lockMsMax = 50;
  const waiting = migrate(pool, folder, { lockMsMax });
  waiting.catch(() => undefined);
  const waitsLonger = async () => {
    const { rows } = await applying.query(
      `SELECT FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()
         AND now() - query_start > make_interval(secs => $1)`,
      [(4 * lockMsMax) / 1_000],
    );
    return rows.length;
  };
  await expect.poll(waitsLonger).toBe(1);
  applying.release(true);
  expect((await waiting).at(0)).toBe("0001_init");
});

test("a table that somebody holds is not waited for so long: others wait behind it", async () => {
  await migrate(pool, folder);
  await addMigration("9999_locks", `LOCK TABLE "User"`);
  const holding = await pool.connect();
  await holding.query(`BEGIN; LOCK TABLE "User"`);
  await expect(migrate(pool, folder, { lockMsMax: 50 })).rejects.toThrow(
    /9999_locks failed.*lock timeout/,
  );
  holding.release(true);
});

test("a migration that fails is named, and leaves nothing of itself behind", async () => {
  await addMigration("9998_broken", "CREATE TABLE half (id int); SELECT 1/0;");
  await addMigration("9999_after", "CREATE TABLE after (id int);");
  const failing = migrate(pool, folder);
  await expect(failing).rejects.toThrow(MigrationError);
  await expect(failing).rejects.toThrow(/9998_broken failed and was rolled back.*division by zero/);
  const present = await tables();
  expect(present).toContain("User");
  expect(present).not.toContain("half");
  expect(present).not.toContain("after");
});

test("after a failed one is mended, the next start goes on from there", async () => {
  await addMigration("9998_broken", "SELECT 1/0;");
  await expect(migrate(pool, folder)).rejects.toThrow(MigrationError);
  await writeFile(migrationFile("9998_broken"), "CREATE TABLE mended (id int);");
  expect(await migrate(pool, folder)).toEqual(["9998_broken"]);
});

test("a migration that was changed after it was applied is refused", async () => {
  await addMigration("9999_once", "CREATE TABLE once (id int);");
  await migrate(pool, folder);
  await writeFile(migrationFile("9999_once"), "CREATE TABLE once (id bigint);");
  await expect(migrate(pool, folder)).rejects.toThrow(/9999_once was changed after/);
});

test("a database of a newer version is refused", async () => {
  await addMigration("9999_newer", "CREATE TABLE newer (id int);");
  await migrate(pool, folder);
  await rm(path.dirname(migrationFile("9999_newer")), { recursive: true });
  await expect(migrate(pool, folder)).rejects.toThrow(/9999_newer.*newer version/);
});

test("an instance that was there before a newer version came lacks nothing, and stays ready", async () => {
  await addMigration("9999_newer", "CREATE TABLE newer (id int);");
  await migrate(pool, folder);
  await rm(path.dirname(migrationFile("9999_newer")), { recursive: true });
  expect(await pendingMigrations(pool, folder)).toEqual([]);
  await addMigration("9998_ours", "CREATE TABLE ours (id int);");
  expect(await pendingMigrations(pool, folder)).toEqual(["9998_ours"]);
});

test("a migration that Prisma left half done is refused until it is resolved", async () => {
  await migrate(pool, folder);
  await pool.query("UPDATE _prisma_migrations SET finished_at = NULL");
  await expect(migrate(pool, folder)).rejects.toThrow(/half way.*prisma migrate resolve/);
});

test("a database of an earlier version is named and refused, and stays as it is", async () => {
  await pool.query(`CREATE TABLE "User" (id text)`);
  await pool.query(`CREATE TABLE _prisma_migrations (migration_name text, checksum text, finished_at timestamptz,
    rolled_back_at timestamptz, started_at timestamptz)`);
  await pool.query(`INSERT INTO _prisma_migrations VALUES ('0001_init', 'another', now(), NULL, now()),
    ('0002_dashboard', 'another', now(), NULL, now())`);
  const refused = migrate(pool, folder, { description: "PostgreSQL at db.example" });
  await expect(refused).rejects.toThrow(
    /^The database \(PostgreSQL at db.example\) was made by an earlier version.*Move it aside.*stay on the version before/,
  );
  expect(await tables()).toEqual(["User", "_prisma_migrations"]);
});

test("functions are defined again when their file has changed, and only then", async () => {
  const file = path.join(folder, "functions", "keep_row.sql");
  const versions = async () =>
    (await pool.query(`SELECT proname, xmin FROM pg_proc WHERE proname LIKE 'keep_%' ORDER BY 1`))
      .rows;
  await migrate(pool, folder);
  const [access, admin] = await versions();
  await migrate(pool, folder);
  expect(await versions()).toEqual([access, admin]);
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace("EXCEPTION '%'", "EXCEPTION '% for ever'"));
  await migrate(pool, folder);
  expect(await versions()).toEqual([access, expect.not.objectContaining(admin)]);
  await pool.query(`INSERT INTO "AdminEvent" (id, at, "adminId", verb, "requestId")
    VALUES ('evt_1', now(), 'usr_1', 'revokeKey', 'req')`);
  const change = pool.query(`UPDATE "AdminEvent" SET verb = 'nothing'`);
  await expect(change).rejects.toMatchObject({
    message: "admin events are append-only for ever",
  });
});

test("functions that cannot be defined are named", async () => {
  await migrate(pool, folder);
  await appendFile(path.join(folder, "functions", "keep_row.sql"), "SELECT 1/0;");
  await expect(migrate(pool, folder)).rejects.toThrow(
    /functions\/keep_row.sql failed and was rolled back.*division by zero/,
  );
});
