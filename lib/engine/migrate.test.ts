import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Pool } from "pg";
import { afterAll, beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "@/tests/support/database";
import { MigrationError, migrate, pendingMigrations } from "./migrate";

const lockFile = "migration_lock.toml";
const folders: string[] = [];
const pools: Pool[] = [];
let folder: string;
let pool: Pool;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gateway-migrations-"));
  folders.push(folder);
  await cp("prisma/migrations", folder, { recursive: true });
  pool = new Pool({ connectionString: await emptyDatabase() });
  pools.push(pool);
});

afterAll(async () => {
  await Promise.all(pools.map((open) => open.end()));
  await Promise.all(folders.map((made) => rm(made, { recursive: true })));
});

async function addMigration(name: string, sql: string): Promise<void> {
  await mkdir(path.join(folder, name));
  await writeFile(path.join(folder, name, "migration.sql"), sql);
}

/** Takes the migrations from this number on away until they are restored. */
async function withhold(number: string) {
  const names = (await readdir(folder)).filter((name) => name >= number && name !== lockFile);
  const later = `${folder}.later`;
  await mkdir(later);
  folders.push(later);
  for (const name of names) await rename(path.join(folder, name), path.join(later, name));
  const restore = async () => {
    for (const name of names) await rename(path.join(later, name), path.join(folder, name));
  };
  return { names: names.toSorted(), restore };
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

test("one that another instance is still applying is waited for, however long it takes", async () => {
  const applying = await pool.connect();
  await applying.query("SELECT pg_advisory_lock(72707369)");
  const lockMsMax = 50;
  const waiting = migrate(pool, folder, lockMsMax);
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
  await expect(migrate(pool, folder, 50)).rejects.toThrow(/9999_locks failed.*lock timeout/);
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
  await writeFile(path.join(folder, "9998_broken/migration.sql"), "CREATE TABLE mended (id int);");
  expect(await migrate(pool, folder)).toEqual(["9998_broken"]);
});

test("a migration that was changed after it was applied is refused", async () => {
  await addMigration("9999_once", "CREATE TABLE once (id int);");
  await migrate(pool, folder);
  await writeFile(path.join(folder, "9999_once/migration.sql"), "CREATE TABLE once (id bigint);");
  await expect(migrate(pool, folder)).rejects.toThrow(/9999_once was changed after/);
});

test("a database of a newer version is refused", async () => {
  await addMigration("9999_newer", "CREATE TABLE newer (id int);");
  await migrate(pool, folder);
  await rm(path.join(folder, "9999_newer"), { recursive: true });
  await expect(migrate(pool, folder)).rejects.toThrow(/9999_newer.*newer version/);
});

test("an instance that was there before a newer version came lacks nothing, and stays ready", async () => {
  await addMigration("9999_newer", "CREATE TABLE newer (id int);");
  await migrate(pool, folder);
  await rm(path.join(folder, "9999_newer"), { recursive: true });
  expect(await pendingMigrations(pool, folder)).toEqual([]);
  await addMigration("9998_ours", "CREATE TABLE ours (id int);");
  expect(await pendingMigrations(pool, folder)).toEqual(["9998_ours"]);
});

test("one that Prisma left half done is refused until it is resolved", async () => {
  await migrate(pool, folder);
  await pool.query("UPDATE _prisma_migrations SET finished_at = NULL");
  await expect(migrate(pool, folder)).rejects.toThrow(/half way.*prisma migrate resolve/);
});

test("nonces from before they stood in slots are still remembered", async () => {
  const ahead = await withhold("0016");
  await migrate(pool, folder);
  await pool.query(`INSERT INTO "Nonce" (did, nonce, "expiresAt")
    SELECT 'did:prof:agent:local:iris', 'nonce-' || n, now() + interval '1 hour' FROM generate_series(1, 500) n`);
  await ahead.restore();
  expect(await migrate(pool, folder)).toEqual(ahead.names);
  const { rows } = await pool.query(
    `SELECT claim_nonces(array_agg('did:prof:agent:local:iris'::text), array_agg('nonce-' || n), array_agg(now())) AS used
     FROM generate_series(0, 501) n`,
  );
  const used: number[] = rows[0].used.map(Number);
  expect(used.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 500 }, (_, nth) => nth + 2),
  );
});

test("access events from before they stood in months and again in one table stay as they are, and those that come meanwhile", async () => {
  const ahead = await withhold("0016");
  await migrate(pool, folder);
  await pool.query(`
    INSERT INTO "User" (id, email) VALUES ('usr_1', 'alice@example.com');
    INSERT INTO "Profile" (did, "ownerId")
      SELECT 'did:prof:user:local:p' || n, 'usr_1' FROM generate_series(1, 7) n`);
  const insert = (n: number, at: string) =>
    pool.query(`INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, "requestId", position, hash)
      VALUES ('evt_${n}', ${(n % 7) + 1}, ${at}, 'agent', 'did:prof:agent:local:iris', 'getProfile', 'ok', 'req',
        ${n % 2 === 0 ? n : "NULL"}, ${n % 2 === 0 ? `sha256('${n}')` : "NULL"})`);
  const whole = async () => (await pool.query(`SELECT * FROM "AccessEvent" ORDER BY id`)).rows;
  for (let n = 0; n < 60; n++) await insert(n, `now() - interval '${n} weeks'`);
  const before = await whole();
  await ahead.restore();
  const meanwhile = Array.from({ length: 40 }, (_, n) => insert(100 + n, "now()"));
  const [applied] = await Promise.all([migrate(pool, folder), ...meanwhile]);
  expect(applied).toEqual(ahead.names);
  const after = await whole();
  expect(after.filter(({ id }) => before.some((one) => one.id === id))).toEqual(before);
  expect(after).toHaveLength(100);
  await insert(200, "date_trunc('month', now(), 'UTC') + interval '40 days'");
  const { rows } = await pool.query(
    `SELECT tableoid::regclass::text AS place, count(*)::int FROM "AccessEvent" GROUP BY 1 ORDER BY 1`,
  );
  expect(rows).toEqual([{ place: '"AccessEvent"', count: 101 }]);
});

test("what was left of the logs of erased profiles goes but for the last seal, and no other event", async () => {
  const ahead = await withhold("0022");
  await migrate(pool, folder);
  await pool.query(`
    INSERT INTO "User" (id, email) VALUES ('usr_1', 'alice@example.com');
    INSERT INTO "Profile" (did, "ownerId")
      SELECT 'did:prof:user:local:p' || n, 'usr_1' FROM generate_series(1, 5) n;
    INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, "requestId", position, hash)
      SELECT 'evt_' || p || 'x' || n, p, now(), 'system', '', 'erased', '', '', n, sha256(n::text::bytea)
      FROM generate_series(1, 5) p, generate_series(1, 3) n;
    INSERT INTO "Seal" ("profileId", position, hash, "sealedAt")
      SELECT p, n, sha256(n::text::bytea), now() FROM generate_series(1, 5) p, generate_series(1, 3) n;
    DELETE FROM "Profile" WHERE id IN (2, 5)`);
  await ahead.restore();
  expect(await migrate(pool, folder)).toEqual(ahead.names);
  const idsOf = async (table: string) => {
    const { rows } = await pool.query<{ line: string }>(
      `SELECT "profileId" || ':' || position AS line FROM "${table}" ORDER BY 1`,
    );
    return rows.map(({ line }) => line).join(" ");
  };
  expect(await idsOf("AccessEvent")).toBe("1:1 1:2 1:3 3:1 3:2 3:3 4:1 4:2 4:3");
  expect(await idsOf("Seal")).toBe("1:1 1:2 1:3 2:3 3:1 3:2 3:3 4:1 4:2 4:3 5:3");
});

test("scopes and categories from before are in lower case, each once, and their events are as they were", async () => {
  const ahead = await withhold("0026");
  await migrate(pool, folder);
  await pool.query(`
    INSERT INTO "User" (id, email) VALUES ('usr_1', 'alice@example.com');
    INSERT INTO "Profile" (id, did, "ownerId") VALUES (1, 'did:prof:user:local:alice', 'usr_1');
    INSERT INTO "Agent" (did, name, origin, "updatedAt", ceiling) VALUES
      ('did:prof:agent:local:iris', 'Iris', 'admin', now(), '{prof:Health.*,prof:a,prof:health.*}');
    INSERT INTO "NamedValue" ("profileId", category, name, value, "updatedAt") VALUES
      (1, 'prof:Job', 'title', '"older"', now() - interval '2 days'),
      (1, 'prof:JOB', 'title', '"newest"', now()), (1, 'prof:job', 'title', '"old"', now() - interval '1 day'),
      (1, 'prof:Job', 'Title', '"another"', now());
    INSERT INTO "Proposal" (id, "profileId", "agentDid", content, "contentHash", category, confidence,
        "proposedAt", "expiresAt", status, "reviewedAt")
      SELECT id, 1, 'did:prof:agent:local:iris', 'tea', sha256(hash::bytea), category, 1, now() - age, now() + interval '1 day',
        status::"ProposalStatus", CASE WHEN status <> 'pending' THEN now() END
      FROM (VALUES ('prop_1', 'same', 'prof:Tea', interval '3 hours', 'pending'),
        ('prop_2', 'same', 'prof:tea', interval '1 hour', 'pending'),
        ('prop_3', 'same', 'prof:TEA', interval '2 hours', 'pending'),
        ('prop_4', 'other', 'prof:Tea', interval '4 hours', 'pending'),
        ('prop_5', 'same', 'prof:Tea', interval '0', 'rejected')) p (id, hash, category, age, status);
    INSERT INTO "Memory" (id, "profileId", category, content, confidence, source, "updatedAt")
      VALUES ('mem_1', 1, 'prof:Health.Sleep', 'tea', 1, 'owner', now()), ('mem_2', 1, 'prof:health', 'tea', 1, 'owner', now());
    INSERT INTO "MemoryRevision" ("memoryId", category, content, confidence, cause)
      VALUES ('mem_1', 'prof:HEALTH', 'tea', 1, 'moved');
    INSERT INTO "Policy" (id, "profileId", "agentPattern", allow, deny, origin, "updatedAt") VALUES
      ('pol_1', 1, 'did:prof:agent:*:*', '{prof:b,prof:B,prof:*}', '{prof:Financial}', 'owner', now());
    INSERT INTO "ConsentRequest" (id, "profileId", "agentDid", scopes, "grantedScopes", "purposeType")
      VALUES ('creq_1', 1, 'did:prof:agent:local:iris', '{prof:A,prof:a}', '{prof:A}', 'support');
    INSERT INTO "Receipt" (id, "profileId", "agentDid", "grantedScopes", "deniedScopes", "purposeType", "expiresAt")
      VALUES ('rcpt_1', 1, 'did:prof:agent:local:iris', '{prof:A}', '{prof:B,prof:b}', 'support', now() + interval '1 hour');
    INSERT INTO "ConnectionToken" (id, "tokenHash", "lastFour", "profileId", "agentDid", scopes, "expiresAt")
      VALUES ('tok_1', sha256('a'), 'aaaa', 1, 'did:prof:agent:local:iris', '{prof:A,prof:c.*,prof:C.*}', now() + interval '1 day');
    INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, asked, "requestId")
      VALUES ('evt_1', 1, now(), 'agent', 'did:prof:agent:local:iris', 'getProfile', 'ok', '{prof:Health}', 'req')`);
  await ahead.restore();
  expect(await migrate(pool, folder)).toEqual(ahead.names);
  const rowsOf = async (text: string) => (await pool.query({ text, rowMode: "array" })).rows;
  expect(await rowsOf(`SELECT category, name, value FROM "NamedValue" ORDER BY value`)).toEqual([
    ["prof:job", "Title", "another"],
    ["prof:job", "title", "newest"],
  ]);
  const proposals = `SELECT id, category, status, reason, "reviewedAt" <= now() FROM "Proposal" ORDER BY id`;
  expect(await rowsOf(proposals)).toEqual([
    ["prop_1", "prof:tea", "rejected", "expired", true],
    ["prop_2", "prof:tea", "pending", null, null],
    ["prop_3", "prof:tea", "rejected", "expired", true],
    ["prop_4", "prof:tea", "pending", null, null],
    ["prop_5", "prof:tea", "rejected", null, true],
  ]);
  expect(await rowsOf(`SELECT category FROM "Memory" ORDER BY id`)).toEqual([
    ["prof:health.sleep"],
    ["prof:health"],
  ]);
  expect(await rowsOf(`SELECT category FROM "MemoryRevision"`)).toEqual([["prof:health"]]);
  expect(await rowsOf(`SELECT allow, deny FROM "Policy"`)).toEqual([
    [["prof:b", "prof:*"], ["prof:financial"]],
  ]);
  expect(await rowsOf(`SELECT scopes, "grantedScopes" FROM "ConsentRequest"`)).toEqual([
    [["prof:a"], ["prof:a"]],
  ]);
  expect(await rowsOf(`SELECT "grantedScopes", "deniedScopes" FROM "Receipt"`)).toEqual([
    [["prof:a"], ["prof:b"]],
  ]);
  expect(await rowsOf(`SELECT scopes FROM "ConnectionToken"`)).toEqual([[["prof:a", "prof:c.*"]]]);
  expect(await rowsOf(`SELECT ceiling FROM "Agent"`)).toEqual([[["prof:health.*", "prof:a"]]]);
  expect(await rowsOf(`SELECT asked FROM "AccessEvent"`)).toEqual([[["prof:Health"]]]);
  const back = pool.query(`UPDATE "Memory" SET category = 'prof:Health'`);
  await expect(back).rejects.toMatchObject({ constraint: "Memory_category_form" });
});

test("keys from before that an admin added to somebody else's agent say who, and end with a former admin", async () => {
  const ahead = await withhold("0036");
  await migrate(pool, folder);
  await pool.query(`
    INSERT INTO "Agent" (did, name, origin, "registeredBy", "updatedAt")
      VALUES ('did:prof:agent:local:iris', 'Iris', 'user', 'usr_1', now());
    INSERT INTO "Key" (id, did, "publicKey", slot, "revokedAt")
      SELECT id, 'did:prof:agent:local:iris', sha256(id::bytea), slot, CASE WHEN slot IS NULL THEN now() END
      FROM (VALUES ('key_first', 1), ('key_own', 2), ('key_admins', 3), ('key_former', 4), ('key_revoked', NULL)) k (id, slot);
    INSERT INTO "User" (id, email, role) VALUES ('usr_root', 'root@example.com', 'admin'), ('usr_2', 'former@example.com', 'user');
    INSERT INTO "AdminEvent" (id, at, "adminId", verb, "subjectId", after, "requestId")
      SELECT 'evt_' || key, now(), who, 'addKey', 'did:prof:agent:local:iris', jsonb_build_object('key', key), 'req'
      FROM (VALUES ('key_own', 'usr_1'), ('key_admins', 'usr_root'), ('key_former', 'usr_2'), ('key_revoked', 'usr_root')) e (key, who)`);
  await ahead.restore();
  expect(await migrate(pool, folder)).toEqual(ahead.names);
  const { rows } = await pool.query(
    `SELECT id, "addedBy", slot, "revokedAt" IS NOT NULL AS revoked FROM "Key" WHERE "addedBy" IS NOT NULL ORDER BY id`,
  );
  expect(rows).toEqual([
    { id: "key_admins", addedBy: "usr_root", slot: 3, revoked: false },
    { id: "key_former", addedBy: "usr_2", slot: null, revoked: true },
  ]);
});

test("admin events from before they named ids alone lose the addresses and DIDs in them", async () => {
  const name = "0011_accounts";
  const later = `${folder}.later`;
  await rename(path.join(folder, name), later);
  await migrate(pool, folder);
  await pool.query(`
    INSERT INTO "User" (id, email) VALUES ('usr_1', 'joined@example.com');
    INSERT INTO "Profile" (id, did, "ownerId") VALUES (7, 'did:prof:user:local:joined', 'usr_1');
    INSERT INTO "OneTimeLink" ("tokenHash", purpose, email, "expiresAt")
      VALUES (sha256('a'), 'invitation', 'waiting@example.com', now() + interval '1 day');
    INSERT INTO "Account" (provider, "providerAccountId", "userId", "createdAt") VALUES
      ('github', 'first', 'usr_1', now()), ('github', 'second', 'usr_1', now() + interval '1 hour'),
      ('google', 'first', 'usr_1', now());
    INSERT INTO "AdminEvent" (id, at, "adminId", verb, "subjectId", "requestId") VALUES
      ('evt_1', now(), 'usr_0', 'inviteUser', 'joined@example.com', 'req'),
      ('evt_2', now(), 'usr_0', 'inviteUser', 'waiting@example.com', 'req'),
      ('evt_3', now(), 'usr_0', 'inviteUser', 'gone@example.com', 'req'),
      ('evt_4', now(), 'usr_0', 'suspendProfile', 'did:prof:user:local:joined', 'req'),
      ('evt_5', now(), 'usr_0', 'suspendProfile', 'did:prof:user:local:gone', 'req'),
      ('evt_6', now(), 'usr_0', 'suspendAgent', 'did:prof:agent:local:iris', 'req')`);
  await rename(later, path.join(folder, name));
  expect(await migrate(pool, folder)).toEqual([name]);
  const events = await pool.query(`SELECT "subjectId" FROM "AdminEvent" ORDER BY id`);
  const subjects = events.rows.map(({ subjectId }) => subjectId);
  expect(subjects).toEqual([
    "usr_1",
    expect.stringMatching(/^usr_[0-9a-f]{22}$/),
    null,
    "profile:7",
    expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    "did:prof:agent:local:iris",
  ]);
  const links = await pool.query(`SELECT "userId" AS id FROM "OneTimeLink"`);
  expect(links.rows).toEqual([{ id: subjects[1] }]);
  const linked = await pool.query(`SELECT "providerAccountId" AS id FROM "Account"`);
  expect(linked.rows).toEqual([{ id: "first" }, { id: "first" }]);
  const change = pool.query(`UPDATE "AdminEvent" SET verb = 'nothing'`);
  await expect(change).rejects.toMatchObject({ message: "admin events are append-only" });
});
