import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "pg";
import { afterAll, beforeEach, describe, expect, inject, test } from "vitest";
import { checkBackup } from "@/lib/engine/backup/check-backup";
import { makeBackup } from "@/lib/engine/backup/make-backup";
import { createEngine, type Engine } from "@/lib/engine/engine";
import { type Env, loadEnv } from "@/lib/engine/env";
import { createLog } from "@/lib/engine/log";
import { migrate } from "@/lib/engine/migrate";
import { newId } from "@/lib/engine/random";
import { sealEvents } from "@/lib/services/audit/seal-events";
import { deleteAccount } from "@/lib/services/erasure/delete-account";
import { copyGone } from "@/lib/services/gone/copy-gone";
import { fileTarget } from "@/lib/services/gone/gone-file";
import { emptyDatabase } from "@/tests/support/database";
import { mintAgent, mintOwner, signedIn } from "@/tests/support/personas";
import { afterCopy } from "./after-copy";
import { withClient } from "./client";
import { refuseUnconfirmed } from "./databases";
import { fillInPlace } from "./fill";
import type { RestoreInput } from "./input";
import { reachForRestore, refuseFull } from "./reach";
import { restore } from "./restore";

const log = createLog({ level: "silent" });
const scratch = await mkdtemp(path.join(tmpdir(), "gateway-restore-"));
const now = new Date("2026-03-01T12:00:00.000Z");
const isHealthy = async () => undefined;
afterAll(() => rm(scratch, { recursive: true }));

/** A database of its own, of a role that may create others. */
async function ownDatabase(): Promise<string> {
  const name = newId("own").toLowerCase();
  const url = new URL(inject("superuserUrl"));
  await withClient(url.href, async (client) => {
    await client.query(`CREATE ROLE "${name}" LOGIN CREATEDB PASSWORD 'secret'`);
    await client.query(`CREATE DATABASE "${name}" OWNER "${name}"`);
  });
  url.username = name;
  url.password = "secret";
  url.pathname = `/${name}`;
  return url.href;
}

function envOf(url: string): Env {
  return loadEnv({
    NODE_ENV: "test",
    DATABASE_URL: url,
    BACKUP_URL: path.join(scratch, "backups"),
    DATA_FOLDER: path.join(scratch, "data"),
  });
}

async function withEngine<T>(url: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = createEngine(envOf(url), log);
  try {
    return await work(engine);
  } finally {
    await engine.stop();
  }
}

let files = 0;

async function backup(url: string): Promise<string> {
  files += 1;
  const file = path.join(scratch, `${files}.tar.gz`);
  await makeBackup({ url, file, passphrase: undefined, version: "0.1.0", madeAt: new Date() });
  return file;
}

function input(url: string, file: string, changed: Partial<RestoreInput> = {}): RestoreInput {
  return {
    env: envOf(url),
    log,
    now,
    file,
    by: "shell",
    afterCopy,
    checkHealth: isHealthy,
    ...changed,
  };
}

/** What a gateway has by the time of its backup, and by the time of its restore. */
async function liveAndBackup(url: string) {
  return withEngine(url, async (engine) => {
    await migrate(engine.pool, path.resolve("prisma"));
    const owner = await mintOwner(engine);
    const { userId: early, profileId } = owner;
    const { did } = await mintAgent(engine);
    await engine.db.accessEvent.createMany({
      data: [1, 2, 3].map((n) => ({
        id: newId("evt"),
        profileId,
        at: now,
        actor: "owner" as const,
        actorId: "did:prof:user:local:a",
        verb: "profile.read",
        outcome: "ok",
        requestId: `req_${n}`,
      })),
    });
    while ((await sealEvents(engine.db, new Date())) > 0);
    const message = {
      sink: "mail",
      recipient: early,
      kind: "digest",
      body: {},
      dueAt: now,
    } as const;
    await engine.db.delivery.create({ data: { id: newId("msg"), madeAt: now, ...message } });
    const file = await backup(url);
    const { userId: late } = await mintOwner(engine);
    await engine.db.nonce.create({ data: { did, nonce: "used", expiresAt: now } });
    return { file, owner, early, late };
  });
}

const users = (url: string) =>
  withEngine(url, async ({ db }) => (await db.user.findMany()).map(({ id }) => id).sort());

async function databases(url: string): Promise<string[]> {
  const name = new URL(url).pathname.slice(1);
  return withClient(inject("superuserUrl"), async (client) => {
    const { rows } = await client.query<{ name: string; comment: string | null; open: boolean }>(
      `SELECT datname AS name, shobj_description(oid, 'pg_database') AS comment, datallowconn AS open
       FROM pg_database WHERE starts_with(datname, $1) ORDER BY datname`,
      [name],
    );
    return rows.map(
      ({ name: one, comment, open }) => `${one.slice(name.length)} ${comment} ${open}`,
    );
  });
}

const before = "_before_20260301t120000z";

describe.each([
  [
    "a database of its own, then swapped",
    ownDatabase,
    [` {"before":"NAME${before}","confirmed":true} true`, `${before} null true`],
  ],
  [
    "the same database",
    emptyDatabase,
    [` {"before":null,"confirmed":true,"restorePoint":"POINT"} true`],
  ],
])("a restore into %s", (_way, create, left) => {
  let url = "";
  let made: Awaited<ReturnType<typeof liveAndBackup>>;
  beforeEach(async () => {
    url = await create();
    made = await liveAndBackup(url);
  });

  test("succeeds -> what the backup has is there, and what was there is in the restore point", async () => {
    const { manifest, restorePoint } = await restore(input(url, made.file));
    expect(await users(url)).toEqual([made.early]);
    const name = new URL(url).pathname.slice(1);
    expect(await databases(url)).toEqual(
      left.map((line) => line.replace("NAME", name).replace("POINT", restorePoint ?? "")),
    );
    const saved = await checkBackup({ file: restorePoint ?? "", passphrase: undefined });
    expect(saved.tables.find((table) => table.name === "User")?.rows).toBe(2);
    await withEngine(url, async ({ db, pool }) => {
      const event = await db.adminEvent.findFirst({ where: { verb: "restoreBackup" } });
      expect(event).toMatchObject({ adminId: "shell" });
      expect(event?.after).toEqual({ madeAt: manifest.madeAt });
      await expect(pool.query(`DELETE FROM "AccessEvent"`)).rejects.toThrow(/append-only/);
    });
  });

  test("succeeds -> nothing is repeated: sessions, nonces, messages, revisions and ids", async () => {
    const revision = `SELECT max(revision) AS max FROM "Profile"`;
    const max = await withEngine(url, async ({ pool }) => (await pool.query(revision)).rows[0].max);
    await restore(input(url, made.file));
    await withEngine(url, async (engine) => {
      const { db, pool } = engine;
      expect(await db.session.count()).toBe(0);
      expect(await db.nonce.count({ where: { nonce: "used" } })).toBe(1);
      expect(await db.delivery.findFirst()).toMatchObject({
        state: "given_up",
        answer: "restored",
      });
      expect(BigInt((await pool.query(revision)).rows[0].max)).toBeGreaterThan(BigInt(max));
      const { profileId } = await mintOwner(engine);
      expect(profileId).toBe(1_003);
    });
  });

  test("succeeds -> who was erased since the backup is not back", async () => {
    await withEngine(url, (engine) => deleteAccount(signedIn(engine, made.owner)));
    const { notes } = await restore(input(url, made.file));
    expect(notes).toEqual([]);
    expect(await users(url)).toEqual([]);
  });

  test("of a lost database -> who was erased is not back, by the list beside the backups", async () => {
    const file = path.join(scratch, "backups", "gone.jsonl");
    await withEngine(url, async (engine) => {
      await deleteAccount(signedIn(engine, made.owner));
      while ((await copyGone(engine.db, [fileTarget(file)])) > 0);
    });
    const fresh = await create();
    const { notes } = await restore(input(fresh, made.file));
    expect(notes).toEqual([]);
    expect(await users(fresh)).toEqual([]);
    await rm(file);
  });

  test("of a lost database without that list -> says what that means", async () => {
    const { notes, manifest } = await restore(input(await create(), made.file));
    expect(notes).toEqual([
      `No list of what was erased or revoked since ${manifest.madeAt} was found: if anything was, it is back.`,
    ]);
  });

  test("into a new gateway that people use -> its own lists are not those of the lost one", async () => {
    const fresh = await create();
    const file = path.join(scratch, "data", "gone.jsonl");
    await withEngine(fresh, async (engine) => {
      await migrate(engine.pool, path.resolve("prisma"));
      await mintOwner(engine);
      await deleteAccount(signedIn(engine, await mintOwner(engine)));
      await engine.db.user.updateMany({ data: { createdAt: new Date() } });
      while ((await copyGone(engine.db, [fileTarget(file)])) > 0);
    });
    const { notes } = await restore(input(fresh, made.file));
    expect(notes).toEqual([expect.stringMatching(/^No list of what was erased/)]);
    expect(await users(fresh)).toEqual([made.early]);
    await rm(file);
  });

  test("into a new gateway that people use, by the list of the lost one -> who was erased is not back", async () => {
    const file = path.join(scratch, "data", "gone.jsonl");
    await withEngine(url, async (engine) => {
      await deleteAccount(signedIn(engine, made.owner));
      while ((await copyGone(engine.db, [fileTarget(file)])) > 0);
    });
    const fresh = await create();
    await withEngine(fresh, async (engine) => {
      await migrate(engine.pool, path.resolve("prisma"));
      await mintOwner(engine);
      await engine.db.user.updateMany({ data: { createdAt: new Date() } });
    });
    const { notes } = await restore(input(fresh, made.file));
    expect([notes, await users(fresh)]).toEqual([[], []]);
    await rm(file);
  });

  test("with a list that cannot be read -> is refused, and everything is as it was", async () => {
    const file = path.join(scratch, "backups", "gone.jsonl");
    await mkdir(path.join(file, "folder"), { recursive: true });
    const asBefore = await users(url);
    await expect(restore(input(url, made.file))).rejects.toThrow(/cannot be read from .*EISDIR/);
    expect(await users(url)).toEqual(asBefore);
    await rm(file, { recursive: true });
  });

  test("on which the gateway does not start -> everything is as it was, in one sentence", async () => {
    const asBefore = await users(url);
    const failing = input(url, made.file, {
      checkHealth: async (address) => {
        expect(await users(address)).toEqual([made.early]);
        throw new Error("no port");
      },
    });
    await expect(restore(failing)).rejects.toThrow(
      "The gateway does not start on the restored database, which is as it was before again (no port).",
    );
    expect(await users(url)).toEqual(asBefore);
    expect(await databases(url)).toHaveLength(1);
    expect((await databases(url))[0]).not.toContain("false");
  });

  test("fails in what follows the copy -> everything is as it was", async () => {
    const asBefore = await users(url);
    const failing = input(url, made.file, {
      afterCopy: async ({ db }) => {
        expect(await db?.user.count()).toBe(2);
        return async (restored) => {
          expect(await restored.db.user.count()).toBe(1);
          throw new Error("list not readable");
        };
      },
    });
    await expect(restore(failing)).rejects.toThrow("list not readable");
    expect(await users(url)).toEqual(asBefore);
    expect(await databases(url)).toHaveLength(1);
  });

  test("of a log that is not as it was sealed -> is refused, and everything is as it was", async () => {
    await withEngine(url, async ({ pool }) => {
      await pool.query(
        `ALTER TABLE "AccessEvent" DISABLE TRIGGER USER; UPDATE "AccessEvent" SET verb = 'other' WHERE position = 2;
         ALTER TABLE "AccessEvent" ENABLE TRIGGER USER`,
      );
    });
    const asBefore = await users(url);
    await expect(restore(input(url, await backup(url)))).rejects.toThrow(/log of profile 1 is not/);
    expect(await users(url)).toEqual(asBefore);
  });

  test("beside a table that is not the gateway's -> is refused, and the table stays", async () => {
    await withClient(url, (client) => client.query("CREATE TABLE mine AS SELECT 1 AS n"));
    await expect(restore(input(url, made.file))).rejects.toThrow(/^The schema public has mine,/);
    await withClient(url, (client) => client.query("SELECT n FROM mine"));
  });

  test("beside a gateway with users -> is refused", async () => {
    await withEngine(url, async ({ pool }) => {
      await pool.query("SELECT");
      await expect(restore(input(url, made.file))).rejects.toThrow(
        "The gateway is running: stop it, and restore again.",
      );
    });
  });

  test("into a database that no gateway has used -> succeeds, without a restore point", async () => {
    const fresh = await create();
    const { restorePoint } = await restore(input(fresh, made.file));
    expect(restorePoint).toBeNull();
    expect(await users(fresh)).toEqual([made.early]);
  });

  test("twice at a time -> the second one is refused", async () => {
    const waiting = input(url, made.file, {
      checkHealth: () =>
        expect(restore(input(url, made.file))).rejects.toThrow(/^Another restore is running/),
    });
    await restore(waiting);
  });
});

test("beside a gateway without users -> succeeds, and that gateway goes on with what was restored", async () => {
  const { file } = await liveAndBackup(await ownDatabase());
  const fresh = await ownDatabase();
  await withEngine(fresh, async ({ pool, db }) => {
    await migrate(pool, path.resolve("prisma"));
    // PostgreSQL keeps this statement, with a type that the restore makes again.
    const roles = () => db.user.findMany({ select: { role: true } });
    expect(await roles()).toEqual([]);
    await restore(input(fresh, file));
    await expect.poll(() => roles().catch(() => [])).toEqual([{ role: "user" }]);
  });
});

test("beside a gateway without users, in its own database -> is refused: that gateway would see half of it", async () => {
  const { file } = await liveAndBackup(await emptyDatabase());
  const fresh = await emptyDatabase();
  await withEngine(fresh, async ({ pool, db }) => {
    await migrate(pool, path.resolve("prisma"));
    const connection = await pool.connect();
    await expect(restore(input(fresh, file))).rejects.toThrow(/stop the gateway, and run npm run/);
    connection.release();
    expect(await db.user.count()).toBe(0);
  });
});

describe("a restore in place that was killed after it had replaced the rows", () => {
  let url = "";
  let made: Awaited<ReturnType<typeof liveAndBackup>>;
  beforeEach(async () => {
    url = await emptyDatabase();
    made = await liveAndBackup(url);
    await withEngine(url, (engine) => deleteAccount(signedIn(engine, made.owner)));
    const name = new URL(url).pathname.slice(1);
    const [restorePoint, source] = [await backup(url), { file: made.file, passphrase: undefined }];
    const checked = { source, manifest: await checkBackup(source) };
    await fillInPlace({ url, name, restorePoint }, checked);
    expect(await users(url)).toEqual([made.early]);
  });

  test("run again -> who was erased since the backup is not back", async () => {
    const { notes } = await restore(input(url, made.file));
    expect([notes, await users(url)]).toEqual([[], []]);
  });

  test("run again, and the gateway does not start -> everything is as it was before both", async () => {
    const checkHealth = () => Promise.reject(new Error("no port"));
    await expect(restore(input(url, made.file, { checkHealth }))).rejects.toThrow(/no port/);
    expect(await users(url)).toEqual([made.late]);
    expect((await databases(url))[0]).toContain('"confirmed":true');
  });

  test("run again without its restore point -> is refused, and the gateway does not start", async () => {
    await rm(path.join(scratch, `${files}.tar.gz`));
    await expect(restore(input(url, made.file))).rejects.toThrow(/cannot be read: put it back/);
    await expect(withClient(url, refuseUnconfirmed)).rejects.toThrow(/was interrupted/);
  });
});

test("a gateway that came up before the rows are replaced -> the restore is refused", async () => {
  const url = await emptyDatabase();
  const { file } = await liveAndBackup(url);
  const gateway = new Client({ connectionString: url, application_name: "gateway" });
  const started = input(url, file, {
    afterCopy: async () => {
      await gateway.connect();
      return async () => [];
    },
  });
  await expect(restore(started)).rejects.toThrow(/stop the gateway, and run npm run restore/);
  await gateway.end();
  expect(await users(url)).toHaveLength(2);
});

test("a database that an interrupted restore has closed -> the next one opens it, and succeeds", async () => {
  const url = await ownDatabase();
  const { file, early } = await liveAndBackup(url);
  const name = new URL(url).pathname.slice(1);
  await withClient(inject("superuserUrl"), (client) =>
    client.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`),
  );
  await restore(input(url, file));
  expect(await users(url)).toEqual([early]);
});

test("a gateway that starts in the middle and writes -> the restore is refused, and drops what it made", async () => {
  const url = await ownDatabase();
  const { file } = await liveAndBackup(url);
  const gateway = new Client({ connectionString: url, application_name: "gateway" });
  const started = input(url, file, {
    afterCopy: async () => async () => {
      await gateway.connect();
      return [];
    },
  });
  await expect(restore(started)).rejects.toThrow("The gateway is running");
  await gateway.end();
  expect(await databases(url)).toEqual([" null true"]);
});

test("a connection of another role -> the restore says so, and everything is as it was", async () => {
  const url = await ownDatabase();
  const { file } = await liveAndBackup(url);
  const other = new URL(inject("superuserUrl"));
  other.pathname = new URL(url).pathname;
  await withClient(other.href, async () => {
    await expect(restore(input(url, file))).rejects.toThrow(/^Another program is connected/);
  });
  expect(await databases(url)).toEqual([" null true"]);
  expect(await users(url)).toHaveLength(2);
});

test("a disk without room for a second database -> the restore is refused before it begins", async () => {
  const url = await emptyDatabase();
  const { file } = await liveAndBackup(url);
  const manifest = await checkBackup({ file, passphrase: undefined });
  const reached = { ...(await reachForRestore(envOf(url), log)), folder: scratch };
  const tables = manifest.tables.map((table) => ({ ...table, bytes: 1e13 }));
  await withClient(url, async (client) => {
    await refuseFull(client, reached, manifest);
    await expect(refuseFull(client, reached, { ...manifest, tables })).rejects.toThrow(
      /^The restore needs \d+ MB on the disk of \S+, which has \d+ MB: free some space\.$/,
    );
  });
});
