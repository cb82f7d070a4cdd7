import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { checkBackup } from "@/lib/engine/backup/check-backup";
import { startEmbeddedPostgres } from "@/server/embedded-postgres/start";
import { mountDisk } from "@/tests/faults/disk";
import { cloneDatabase, emptyDatabase } from "@/tests/support/database";
import { testEngine } from "@/tests/support/harness";
import { mintOwner } from "@/tests/support/personas";
import { run } from "@/tests/support/processes";
import { startS3Server } from "@/tests/support/storage/s3-server";
import { inTransaction } from "@/tests/support/transaction";
import { withClient } from "../restore/client";

// `npm run backup`, as a process of its own.
const engine = await testEngine();
await mintOwner(engine);
const DATABASE_URL = engine.env.DATABASE_URL ?? "";
const scratch = await mkdtemp(path.join(tmpdir(), "gateway-backups-"));
const storage = await startS3Server();
afterAll(async () => {
  await storage.stop();
  await rm(scratch, { recursive: true });
});

let folders = 0;

function newFolder(): string {
  folders += 1;
  return path.join(scratch, String(folders));
}

function start(env: Record<string, string>, ...args: string[]) {
  return run(["server/run.mjs", "server/backup/main.ts", ...args], env);
}

async function backup(env: Record<string, string>, ...args: string[]) {
  const program = start(env, ...args);
  const code = await program.ended;
  return { code, said: program.output() };
}

const job = () => engine.db.job.findUnique({ where: { name: "backup" } });
const name = /^gateway-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz$/;

describe("npm run backup", () => {
  test("writes a whole file into the data folder, says so in one line, and leaves an event", async () => {
    const DATA_FOLDER = newFolder();
    const { code, said } = await backup({ DATABASE_URL, DATA_FOLDER });
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(
        /^gateway-\S+Z\.tar\.gz is in \/\S+\/backups \(\d+\.\d MB, \d+\.\d s, not encrypted\)\.\n$/,
      ),
    ]);
    const folder = path.join(DATA_FOLDER, "backups");
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    const names = await readdir(folder);
    const [file = ""] = names.filter((one) => name.test(one));
    expect(names.sort()).toEqual([file.replace(".tar.gz", ".json"), file]);
    const manifest = await checkBackup({ file: path.join(folder, file), passphrase: undefined });
    expect(manifest.tables.find((table) => table.name === "Profile")).toMatchObject({ rows: 1 });
    const { size } = await stat(path.join(folder, file));
    expect(await job()).toMatchObject({
      failure: null,
      progress: { file, bytes: size, madeAt: manifest.madeAt, tookMs: expect.any(Number) },
    });
    const event = await engine.db.adminEvent.findFirst({ where: { verb: "makeBackup" } });
    expect(event).toMatchObject({ adminId: "shell", subjectId: file, after: { bytes: size } });
  });

  test("is started for an admin or by the gateway -> the event names them", async () => {
    for (const by of ["gateway", "usr_1"]) {
      expect(await backup({ DATABASE_URL, BACKUP_URL: newFolder() }, "--by", by)).toMatchObject({
        code: 0,
      });
      const where = { verb: "makeBackup", adminId: by };
      expect(await engine.db.adminEvent.count({ where })).toBe(1);
    }
  });

  test("goes to S3 under a passphrase -> nothing is left here, and the file is whole", async () => {
    const DATA_FOLDER = newFolder();
    const secrets = { BACKUP_PASSPHRASE: "correct horse battery", BACKUP_URL: storage.url };
    const { code, said } = await backup({ DATABASE_URL, DATA_FOLDER, ...secrets });
    expect([code, said]).toEqual([0, expect.stringContaining("/bucket/some/prefix/ (")]);
    expect(said).not.toContain("te/st");
    expect(await readdir(path.join(DATA_FOLDER, "backups"))).toEqual([]);
    const [key = ""] = [...storage.objects.keys()].filter((one) => one.endsWith(".tar.gz"));
    const file = path.join(scratch, "from-s3");
    await writeFile(file, storage.objects.get(key) ?? "");
    await checkBackup({ file, passphrase: secrets.BACKUP_PASSPHRASE });
  });

  test("cannot reach its storage -> one sentence, the job row has it, and nothing is left here", async () => {
    const BACKUP_URL = storage.url.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:1");
    const DATA_FOLDER = newFolder();
    const failed = await backup({ DATABASE_URL, DATA_FOLDER, BACKUP_URL });
    const sentence =
      "The storage at 127.0.0.1:1 does not answer (ECONNREFUSED): check the address in BACKUP_URL.";
    expect(failed).toEqual({ code: 1, said: `${sentence}\n` });
    expect(await readdir(path.join(DATA_FOLDER, "backups"))).toEqual([]);
    expect(await job()).toMatchObject({
      failure: sentence,
      failures: 1,
      progress: { madeAt: /./ },
    });
  });

  test("works on the embedded database while it is stopped and while it runs", async () => {
    const DATA_FOLDER = newFolder();
    const empty = await backup({ DATA_FOLDER });
    expect(empty).toEqual({ code: 1, said: "The database is empty: start the gateway once.\n" });
    const invite = ["server/run.mjs", "server/admin/main.ts", "invite", "a@example.com"];
    expect(await run(invite, { DATA_FOLDER }).ended).toBe(0);
    expect(await backup({ DATA_FOLDER })).toMatchObject({ code: 0 });
    const running = await startEmbeddedPostgres({ dataFolder: path.join(DATA_FOLDER, "postgres") });
    expect(await backup({ DATA_FOLDER, BACKUP_URL: newFolder() })).toMatchObject({ code: 0 });
    await running.stop();
  });

  test("is killed -> no file of its name; a later one removes what it left", async () => {
    const BACKUP_URL = newFolder();
    const killed = start({ DATABASE_URL, BACKUP_URL });
    await inTransaction(engine.pool, async (tx) => {
      await tx.query(`LOCK TABLE "Setting" IN ACCESS EXCLUSIVE MODE`);
      const waiting = async () =>
        (
          await engine.pool.query(
            `SELECT FROM pg_stat_activity WHERE application_name = 'gateway-backup' AND wait_event_type = 'Lock'
               AND datname = current_database()`,
          )
        ).rowCount;
      await expect.poll(waiting, { timeout: 30_000 }).toBe(1);
      await killed.stop("SIGKILL");
    });
    const left = await readdir(BACKUP_URL);
    expect(left).toEqual([expect.stringMatching(/\.tar\.gz\.part$/)]);
    const long = new Date(Date.now() - 3_600_000);
    for (const file of left) await utimes(path.join(BACKUP_URL, file), long, long);
    expect(await backup({ DATABASE_URL, BACKUP_URL })).toMatchObject({ code: 0 });
    expect((await readdir(BACKUP_URL)).filter((file) => file.endsWith(".part"))).toEqual([]);
  });

  test("a disk that is full -> one sentence, and nothing is left on it", async ({ skip }) => {
    const disk = await mountDisk(newFolder(), 1);
    if (typeof disk === "string") return skip(disk);
    try {
      const BACKUP_URL = path.join(disk.folder, "backups");
      await mkdir(BACKUP_URL);
      await disk.fill();
      const { code, said } = await backup({ DATABASE_URL, BACKUP_URL });
      expect([code, said]).toEqual([
        1,
        expect.stringMatching(/^The folder for backups, \S+, is full: .*\n$/),
      ]);
      expect(await readdir(BACKUP_URL)).toEqual([]);
    } finally {
      await disk.unmount();
    }
  });

  test("a table, view or sequence that is not the gateway's -> one sentence, and no file", async () => {
    const DATABASE_URL = await cloneDatabase();
    const BACKUP_URL = newFolder();
    const sql = (text: string) => withClient(DATABASE_URL, (client) => client.query(text));
    for (const [kind, name, rest] of [
      ["TABLE", "mine", "(n serial)"],
      ["VIEW", "seen", "AS SELECT 1"],
      ["SEQUENCE", "counted", ""],
    ]) {
      await sql(`CREATE ${kind} ${name} ${rest}`);
      expect(await backup({ DATABASE_URL, BACKUP_URL })).toEqual({
        code: 1,
        said: `The schema public has ${name}, which is not the gateway's and which a restore would lose: move it to another database.\n`,
      });
      await sql(`DROP ${kind} ${name}`);
    }
    expect(await backup({ DATABASE_URL, BACKUP_URL })).toMatchObject({ code: 0 });
  });

  test("a file where the folder belongs, or an empty database -> one sentence", async () => {
    const BACKUP_URL = newFolder();
    await writeFile(BACKUP_URL, "");
    expect(await backup({ DATABASE_URL, BACKUP_URL })).toEqual({
      code: 1,
      said: expect.stringMatching(/^The folder for backups, \S+, is not a folder: .*\n$/),
    });
    expect(await backup({ DATABASE_URL: await emptyDatabase(), BACKUP_URL })).toEqual({
      code: 1,
      said: "The database is empty: start the gateway once.\n",
    });
  });
});
