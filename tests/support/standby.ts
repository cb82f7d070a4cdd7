import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { afterAll, expect } from "vitest";
import { openPool } from "@/lib/engine/db";
import { migrate } from "@/lib/engine/migrate";
import { inspectFolder } from "@/server/embedded-postgres/folder";
import { readPasswords, SUPERUSER } from "@/server/embedded-postgres/initialise";
import { startPostmaster } from "@/server/embedded-postgres/postmaster";
import { chooseRunner } from "@/server/embedded-postgres/runner";
import { DATABASE, startEmbeddedPostgres } from "@/server/embedded-postgres/start";

/** A primary of this test file's own, migrated, with a real standby that streams from it. */
export interface Streaming {
  primaryUrl: string;
  standbyUrl: string;
  /** Of what the primary has written by now, the standby has replayed everything. */
  caughtUp(): Promise<void>;
  pauseReplay(): Promise<void>;
  resumeReplay(): Promise<void>;
  promote(): Promise<void>;
  /** How often the standby ran a statement that has this text in it. */
  callsOnStandby(text: string): Promise<number>;
  /** To the standby as a whole: nobody says goodbye to its clients. */
  signalStandby(signal: NodeJS.Signals): Promise<void>;
}

/** Await it at the top of the file, as what it leaves to `afterAll` would not run in a hook. */
export async function startStreaming(): Promise<Streaming> {
  const folder = await mkdtemp(path.join(tmpdir(), "gateway-standby-"));
  const dataFolder = path.join(folder, "primary");
  const copy = path.join(folder, "standby");
  const first = await startEmbeddedPostgres({ dataFolder });
  // What the end of the server says to connections that are closing already is no trouble.
  const pool = openPool({ url: first.url, poolMax: 2, onIdleError: () => undefined });
  await migrate(pool, path.resolve("prisma/migrations"));
  await pool.end();
  await first.stop();
  // Of a database that was stopped in order, the files are a backup; with their owner.
  await promisify(execFile)("cp", ["-a", dataFolder, copy]);
  const primary = await startEmbeddedPostgres({ dataFolder });
  const standby = await startStandby(copy, primary.url);
  afterAll(async () => {
    await signalAll(standby.pid, "SIGCONT");
    await standby.stop();
    await primary.stop();
    await rm(folder, { recursive: true });
  });
  const standbyUrl = new URL(primary.url);
  standbyUrl.port = `${standby.port}`;
  const { superuser } = await readPasswords(copy);
  const ask = async (on: string, text: string, values: string[] = []) => {
    const url = new URL(on);
    url.username = SUPERUSER;
    url.password = superuser;
    const client = new Client({ connectionString: url.href });
    await client.connect();
    try {
      const { rows } = await client.query<{ answer: string }>(text, values);
      return rows[0]?.answer ?? "";
    } finally {
      await client.end();
    }
  };
  const onStandby = (text: string, values?: string[]) => ask(standbyUrl.href, text, values);
  const until = (text: string, values?: string[]) =>
    expect.poll(() => onStandby(text, values), { timeout: 20_000 }).toBe(true);
  return {
    primaryUrl: primary.url,
    standbyUrl: standbyUrl.href,
    async caughtUp() {
      const written = await ask(primary.url, "SELECT pg_current_wal_lsn() AS answer");
      await until("SELECT pg_last_wal_replay_lsn() >= $1 AS answer", [written]);
    },
    async pauseReplay() {
      await onStandby("SELECT pg_wal_replay_pause()");
      await until("SELECT pg_get_wal_replay_pause_state() = 'paused' AS answer");
    },
    resumeReplay: async () => void (await onStandby("SELECT pg_wal_replay_resume()")),
    promote: async () => void (await onStandby("SELECT pg_promote()")),
    async callsOnStandby(text) {
      const counted = `SELECT coalesce(sum(calls), 0) AS answer
        FROM statistics.pg_stat_statements WHERE strpos(query, $1) > 0`;
      return Number(await onStandby(counted, [text]));
    },
    signalStandby: (signal) => signalAll(standby.pid, signal),
  };
}

async function startStandby(folder: string, primaryUrl: string) {
  const { port } = new URL(primaryUrl);
  const { superuser } = await readPasswords(folder);
  await writeFile(path.join(folder, "standby.signal"), "");
  const { path: found, owner } = await inspectFolder(folder);
  return startPostmaster({
    path: found,
    runner: await chooseRunner(found, owner),
    settings: {
      primary_conninfo: `host=127.0.0.1 port=${port} user=${SUPERUSER} password=${superuser} dbname=${DATABASE}`,
      shared_preload_libraries: "pg_stat_statements",
      TimeZone: "UTC",
    },
    log: () => undefined,
    staleFile: undefined,
  });
}

// Each of its processes: one that was forgotten would go on answering.
async function signalAll(postmaster: number, signal: NodeJS.Signals): Promise<void> {
  for (const entry of await readdir("/proc")) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const parent = Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]);
    if (pid === postmaster || parent === postmaster) process.kill(pid, signal);
  }
}
