import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Client } from "pg";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { adminApi } from "@/lib/http/api/tables";
import { answerOf, signedInCookie } from "@/tests/support/dashboard-api";
import { configured, testEngine } from "@/tests/support/harness";
import { mintAdmin, mintOwner, signedIn } from "@/tests/support/personas";
import { readBackupState } from "../../backup/backup-state";
import { backupHealth, findBackups, startBackup } from "./backups";

const scratch = await mkdtemp(path.join(tmpdir(), "gateway-backups-"));
afterAll(() => rm(scratch, { recursive: true }));
const kept = path.join(scratch, "kept");
const engine = await testEngine({ BACKUP_URL: kept, DATA_FOLDER: path.join(scratch, "data") });
let admin = await mintAdmin(engine);
let { ctx } = admin;

// The log keeps its events: each test has an admin of its own.
beforeEach(async () => {
  await engine.db.job.deleteMany();
  admin = await mintAdmin(engine);
  ctx = admin.ctx;
});

async function ended() {
  const state = () => readBackupState(ctx);
  await expect.poll(state, { timeout: 50_000 }).toMatchObject({ isRunning: false });
  return state();
}

function events() {
  const where = { adminId: admin.userId };
  const select = { verb: true, subjectId: true };
  return engine.db.adminEvent.findMany({ where, select, orderBy: { verb: "desc" } });
}

/** The "Job" row of a backup that began so many minutes ago and has not ended. */
async function begun(minutes: number): Promise<void> {
  const startedAt = new Date(Date.now() - minutes * 60_000);
  await engine.db.job.create({ data: { name: "backup", startedAt } });
}

describe("a backup that an admin starts", () => {
  test("is made beside the gateway, is listed, and is in the log with its start and end", async () => {
    await startBackup(ctx, engine);
    await expect(startBackup(ctx, engine)).rejects.toThrow("A backup is being made: wait");
    const { failure, last } = await ended();
    expect(failure).toBeNull();
    const backups = await findBackups(ctx, engine);
    const summary = expect.objectContaining({ bytes: last?.bytes, madeAt: last?.madeAt });
    expect(backups).toMatchObject({ place: kept, trouble: null, state: { last } });
    expect(backups.kept).toEqual([{ name: last?.file, bytes: last?.bytes, summary }]);
    expect(await events()).toEqual([
      { verb: "startBackup", subjectId: kept },
      { verb: "makeBackup", subjectId: last?.file },
    ]);
  });

  test("by the API -> answers with the start, and the list says how it ended", async () => {
    const cookie = await signedInCookie(engine, admin);
    const { data } = await answerOf(adminApi.startBackup, { cookie });
    const where = { verb: "startBackup", adminId: admin.userId };
    const { id } = await engine.db.adminEvent.findFirstOrThrow({ where });
    expect(data.id).toBe(id);
    const { last } = await ended();
    const list = await answerOf(adminApi.listBackups, { cookie });
    expect(list.data.state).toMatchObject({ isRunning: false, last: { file: last?.file } });
  });

  test.each([
    ["a place that is not a folder", "file", /is not a folder: set BACKUP_URL to another place/],
    ["a configuration that is not usable", "nowhere", /^The configuration is not usable/],
  ])("with %s -> the state and the log say why it failed", async (_what, url, sentence) => {
    await writeFile(path.join(scratch, "file"), "");
    const BACKUP_URL = url === "file" ? path.join(scratch, "file") : url;
    await startBackup(ctx, configured(engine, { BACKUP_URL }));
    const { failure, last } = await ended();
    expect([failure, last]).toEqual([expect.stringMatching(sentence), null]);
    const verbs = (await events()).map(({ verb }) => verb);
    expect(verbs).toEqual(["startBackup", "failBackup"]);
  });

  test("without a recent password, or without the role -> is refused, and nothing is started", async () => {
    const owner = await mintOwner(engine);
    await expect(startBackup(signedIn(engine, owner), engine)).rejects.toMatchObject({
      code: "PROF002",
    });
    await expect(findBackups(signedIn(engine, owner), engine)).rejects.toMatchObject({
      code: "PROF002",
    });
    const where = { userId: admin.userId };
    await engine.db.session.updateMany({ where, data: { confirmedAt: new Date(0) } });
    await expect(startBackup(ctx, engine)).rejects.toMatchObject({
      details: { confirm: true },
    });
    expect([await engine.db.job.count(), await events()]).toEqual([0, []]);
  });
});

describe("a backup that has not ended", () => {
  test("and whose program is gone -> is not running", async () => {
    await begun(5);
    expect(await readBackupState(ctx)).toMatchObject({ isRunning: false, last: null });
  });

  test("and whose program was just started -> is running", async () => {
    await begun(0.5);
    expect(await readBackupState(ctx)).toMatchObject({ isRunning: true });
  });

  test("and whose program is connected -> is running, and another is refused", async () => {
    await begun(5);
    const client = new Client({
      connectionString: engine.env.DATABASE_URL,
      application_name: "gateway-backup",
    });
    await client.connect();
    expect(await readBackupState(ctx)).toMatchObject({ isRunning: true });
    await expect(startBackup(ctx, engine)).rejects.toMatchObject({ code: "PROF006" });
    await client.end();
  });
});

describe("the health of backups", () => {
  test("says whether BACKUP_URL is set, without what is secret in it, and whether nights count", async () => {
    const s3 = configured(engine, { BACKUP_URL: "s3://KEY:SECRET@storage.test/bucket/night" });
    expect(await backupHealth(ctx, s3)).toMatchObject({
      url: "storage.test/bucket/night/",
      isNightly: true,
      last: null,
    });
    const bare = configured(engine, { BACKUP_URL: undefined, BACKUP_AT: "off" });
    expect(await backupHealth(ctx, bare)).toMatchObject({ url: null, isNightly: false });
  });

  test("storage that does not answer -> the list says so", async () => {
    const place = "s3://KEY:SECRET@127.0.0.1:1/bucket?tls=off";
    const { kept: none, trouble } = await findBackups(
      ctx,
      configured(engine, { BACKUP_URL: place }),
    );
    expect([none, trouble]).toEqual([
      [],
      "The storage at 127.0.0.1:1 does not answer (ECONNREFUSED): check the address in BACKUP_URL.",
    ]);
  });
});
