import { execFileSync } from "node:child_process";
import { copyFile, mkdtemp, readdir, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { checkBackup } from "@/lib/engine/backup/check-backup";
import { makeBackup } from "@/lib/engine/backup/make-backup";
import { findRunning } from "@/server/embedded-postgres/running";
import { startEmbeddedPostgres } from "@/server/embedded-postgres/start";
import { mountDisk } from "@/tests/faults/disk";
import { cloneDatabase } from "@/tests/support/database";
import { addressOf, run, startGateway } from "@/tests/support/processes";
import { startS3Server } from "@/tests/support/storage/s3-server";
import { withClient } from "./client";
import { fillInPlace } from "./fill";

// `npm run backup` and `npm run restore` on the embedded database, as a person uses them. Each starts it several times.
vi.setConfig({ testTimeout: 240_000 });
const scratch = await mkdtemp(path.join(tmpdir(), "gateway-command-"));
const storage = await startS3Server("nightly");
const env = {
  DATA_FOLDER: path.join(scratch, "data"),
  BACKUP_URL: path.join(scratch, "kept"),
  BACKUP_PASSPHRASE: "correct horse battery",
};
afterAll(async () => {
  await storage.stop();
  await rm(scratch, { recursive: true });
});

async function command(script: string, words: string[], changed: Record<string, string> = {}) {
  const args = ["server/run.mjs", `server/${script}/main.ts`, ...words];
  const program = run(args, { ...env, ...changed });
  const code = await program.ended;
  return { code, said: program.output() };
}

async function backup(changed: Record<string, string> = {}): Promise<string> {
  const { code, said } = await command("backup", [], changed);
  expect([code, said]).toEqual([0, expect.stringMatching(/^gateway-\S+ is in /)]);
  return said.split(" ")[0] ?? "";
}

async function admins(folder = env.DATA_FOLDER): Promise<string[]> {
  const postgres = await startEmbeddedPostgres({ dataFolder: path.join(folder, "postgres") });
  const { rows } = await withClient(postgres.url, (client) =>
    client.query(`SELECT email FROM "User" WHERE role = 'admin' ORDER BY email`),
  );
  await postgres.stop();
  return rows.map(({ email }) => email);
}

const demo = startGateway(env, "--demo");
await addressOf(demo);
const email = /(\S+@\S+) .*, user\)/.exec(demo.output())?.[1] ?? "";
const file = path.join(env.BACKUP_URL, await backup());

describe("npm run restore", () => {
  test("while the gateway runs -> is refused, and the gateway goes on", async () => {
    expect(await command("restore", [file])).toEqual({
      code: 1,
      said: "The gateway is running: stop it, and restore again.\n",
    });
    const ready = await fetch(`${await addressOf(demo)}/api/health/ready`);
    expect(ready.status).toBe(200);
    await demo.stop();
  });

  test("by a name in S3 -> fetches it, says what it did, and the gateway starts on it", async () => {
    const before = await admins();
    const name = await backup({ BACKUP_URL: storage.url });
    expect(await command("admin", ["promote", email])).toMatchObject({ code: 0 });
    expect(await admins()).toContain(email);
    const { code, said } = await command("restore", [name], { BACKUP_URL: storage.url });
    expect([code, said]).toEqual([
      0,
      expect.stringMatching(
        /^The database is as it was at 20\S+Z, without what was erased or revoked since\.\nStart the gateway\. Everybody signs in again\.\nWhat it was before is in \/\S+\.tar\.gz\.\n$/,
      ),
    ]);
    expect(await admins()).toEqual(before);
    const left = await readdir(path.join(env.DATA_FOLDER, "backups"));
    expect(left.filter((one) => !/^gateway-\S+Z\.(tar\.gz|json)$/.test(one))).toEqual([]);
    const gateway = startGateway(env);
    expect((await fetch(`${await addressOf(gateway)}/api/health/ready`)).status).toBe(200);
    await gateway.stop();
    const [, saved = ""] = /before is in (\S+)\.\n/.exec(said) ?? [];
    expect(await command("restore", [saved])).toMatchObject({ code: 0 });
    expect(await admins()).toContain(email);
  });

  test("by a name in S3 that is cut off -> one sentence, and no copy is left here", async () => {
    const DATA_FOLDER = path.join(scratch, "cut");
    const name = "gateway-2026-01-02T03-00-00Z.tar.gz";
    storage.objects.set(`nightly/${name}`, Buffer.alloc(1_000_000));
    storage.cutNext();
    const { code, said } = await command("restore", [name], {
      DATA_FOLDER,
      BACKUP_URL: storage.url,
    });
    expect([code, said]).toEqual([
      1,
      `${name} could not be copied to ${DATA_FOLDER}/backups (ECONNRESET), and the database is as it was: restore again.\n`,
    ]);
    expect(await readdir(path.join(DATA_FOLDER, "backups"))).toEqual([]);
  });

  test("by a name in S3 on a full disk -> one sentence, and no copy is left here", async ({
    skip,
  }) => {
    const disk = await mountDisk(path.join(scratch, "disk"), 1);
    if (typeof disk === "string") return skip(disk);
    try {
      const name = "gateway-2026-01-03T03-00-00Z.tar.gz";
      storage.objects.set(`nightly/${name}`, Buffer.alloc(10_000_000));
      const changed = { DATA_FOLDER: disk.folder, BACKUP_URL: storage.url };
      const { code, said } = await command("restore", [name], changed);
      expect([code, said]).toEqual([
        1,
        expect.stringMatching(/ \(ENOSPC\), and the database is as it was: free some space, and /),
      ]);
      expect(await readdir(path.join(disk.folder, "backups"))).toEqual([]);
    } finally {
      await disk.unmount();
    }
  });

  test("by a name in a folder -> reads it there, and leaves it", async () => {
    const text = path.join(env.BACKUP_URL, "gateway-2026-01-04T03-00-00Z.tar.gz");
    await writeFile(text, "hello");
    const before = await readdir(env.BACKUP_URL);
    expect(await command("restore", [path.basename(text)])).toMatchObject({
      code: 1,
      said: expect.stringMatching(/^This file is not a backup/),
    });
    expect(await readdir(env.BACKUP_URL)).toEqual(before);
    await rm(text);
  });

  test("beside a gateway that nobody uses yet -> that gateway goes on with what was restored", async () => {
    const DATA_FOLDER = path.join(scratch, "fresh");
    const fresh = startGateway({ ...env, DATA_FOLDER });
    const address = await addressOf(fresh);
    const restored = await command("restore", [file], { DATA_FOLDER });
    expect(restored).toMatchObject({ code: 0 });
    const ready = async () => (await fetch(`${address}/api/health/ready`)).status;
    await expect.poll(ready).toBe(200);
    await fresh.stop();
    expect((await admins(DATA_FOLDER)).length).toBeGreaterThan(0);
  });

  test("from the first page, killed after the swap -> the gateway ends with 1, and the next is as before", async () => {
    const DATA_FOLDER = path.join(scratch, "first");
    const first = startGateway({ ...env, DATA_FOLDER });
    await addressOf(first);
    const [, link = ""] = await first.says(/First admin +(\S+)/);
    const target = `${link}/restore`;
    // The page's own form comes first, as a browser without scripts sends it.
    const [html = ""] = (await (await fetch(target)).text()).split("</form>");
    const body = new FormData();
    for (const [, name = "", value = ""] of html.matchAll(
      /<input type="hidden" name="([^"]+)"(?: value="([^"]*)")?/g,
    ))
      body.set(name, value.replaceAll("&quot;", '"'));
    body.set("kept", path.basename(file));
    const answer = fetch(target, {
      method: "POST",
      body,
      headers: { Origin: new URL(link).origin },
    });
    const url = (await findRunning(path.join(DATA_FOLDER, "postgres"))) ?? "";
    const isSwapped = () =>
      withClient(url, async (client) => {
        const { rowCount } = await client.query(
          "SELECT FROM pg_database WHERE datname LIKE 'gateway_before_%'",
        );
        return rowCount === 1;
      }).catch(() => false);
    await expect.poll(isSwapped, { interval: 20, timeout: 60_000 }).toBe(true);
    const pattern = `server/restore/main.ts --page -- ${path.basename(file)}`;
    const pids = execFileSync("pgrep", ["-f", pattern], { encoding: "utf8" }).trim().split("\n");
    for (const pid of pids) process.kill(Number(pid), "SIGKILL");
    expect(await (await answer).text()).toContain("the gateway stops: start it again.");
    expect(await first.ended).toBe(1);
    expect(await admins(DATA_FOLDER)).toEqual([]);
  });

  test("of a database of another PostgreSQL -> the start says what to do, and that brings all back", async () => {
    const before = await admins();
    const name = await backup();
    const folder = path.join(env.DATA_FOLDER, "postgres");
    await writeFile(path.join(folder, "PG_VERSION"), "17\n");
    const refused = startGateway(env);
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toContain(
      `move ${folder} aside, and run npm run restore FILE with this version.\n`,
    );
    expect(await command("backup", [])).toMatchObject({ code: 1, said: refused.output() });
    expect(await command("restore", [name])).toMatchObject({ code: 1, said: refused.output() });
    await rename(folder, `${folder}-17`);
    expect(await command("restore", [name])).toMatchObject({ code: 0 });
    expect(await admins()).toEqual(before);
  });

  test("of one database, beside a gateway that starts -> that gateway ends before it serves", async () => {
    const url = await cloneDatabase();
    const made = path.join(scratch, "one.tar.gz");
    const passphrase = undefined;
    await makeBackup({ url, file: made, passphrase, version: "0.1.0", madeAt: new Date() });
    const source = { file: made, passphrase };
    const checked = { source, manifest: await checkBackup(source) };
    const starting = startGateway({ DATABASE_URL: url });
    const waits = `SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'gateway' AND wait_event_type = 'Lock'`;
    const name = new URL(url).pathname.slice(1);
    const isWaiting = () => withClient(url, async (client) => (await client.query(waits)).rowCount);
    await fillInPlace({ url, name, restorePoint: null }, checked, () =>
      expect.poll(isWaiting, { timeout: 60_000 }).toBe(1),
    );
    expect(await starting.ended).toBe(1);
    expect(starting.output()).toContain("A restore of this database was interrupted");
    expect(starting.output()).not.toContain("Address");
  });

  test("of what cannot be restored -> one sentence, and nothing is changed", async () => {
    const asBefore = await admins();
    const cut = path.join(scratch, "cut.tar.gz");
    await copyFile(file, cut);
    await truncate(cut, 20_000);
    const text = path.join(scratch, "text");
    await writeFile(text, "hello");
    const cases: [string[], Record<string, string>, RegExp][] = [
      [[cut], {}, /^The backup is cut short or changed: .*\n$/],
      [[text], {}, /^This file is not a backup of the gateway: .*\n$/],
      [[path.join(scratch, "none")], {}, /^There is no such file: .*\n$/],
      [["gateway-2026-01-01T03-00-00Z.tar.gz"], {}, /^There is no such file: .*\n$/],
      [
        [file],
        { BACKUP_PASSPHRASE: "another horse battery" },
        /^The passphrase does not open .*\n$/,
      ],
      [[file], { BACKUP_PASSPHRASE: "" }, /^The backup is under a passphrase: .*\n$/],
      [[], {}, /^Name one file\.\n/],
      [["--file"], {}, /^Unknown option '--file'/],
    ];
    for (const [words, changed, sentence] of cases) {
      expect(await command("restore", words, changed)).toEqual({
        code: 1,
        said: expect.stringMatching(sentence),
      });
    }
    expect(await admins()).toEqual(asBefore);
  });
});
