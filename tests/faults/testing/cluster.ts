import { appendFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { readPasswords, SUPERUSER } from "@/server/embedded-postgres/initialise";
import {
  DATABASE,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "@/server/embedded-postgres/start";

/** A PostgreSQL of this run's own. Each start has another port; the relay in front hides that. */
export interface Cluster {
  port(): number;
  /** What the gateways are given, at the relay's port. */
  urlAt(port: number): string;
  start(): Promise<void>;
  isUp(): boolean;
  /** Done when it answers, whatever had become of it. */
  comesBack(): Promise<void>;
  /** Every process of it, the first one too. */
  kill(): Promise<void>;
  /** What `pg_ctl stop -m immediate` sends: nobody says goodbye, nothing is written. */
  stopAtOnce(): Promise<void>;
  stop(): Promise<void>;
  signalAll(signal: NodeJS.Signals): Promise<void>;
  /** Past the relay, with no limit of its own. */
  asSuperuser<T>(work: (client: Client) => Promise<T>): Promise<T>;
}

interface ClusterSettings {
  dataFolder: string;
  logFile: string;
}

export async function startCluster({ dataFolder, logFile }: ClusterSettings): Promise<Cluster> {
  let postgres: EmbeddedPostgres | undefined;
  let isUp = false;
  let isOver = false;
  const url = () => new URL(postgres?.url ?? "");

  async function start(): Promise<void> {
    const started = await startEmbeddedPostgres({
      dataFolder,
      // Small, so that the disk that is filled may be small as well.
      settings: { max_wal_size: "128MB", min_wal_size: "32MB" },
      log: (_level, line) => appendFileSync(logFile, `${line}\n`),
    });
    postgres = started;
    isUp = true;
    started.exited.then(() => {
      if (postgres === started) isUp = false;
    });
    if (isOver) await started.stop();
  }

  async function signalAll(signal: NodeJS.Signals): Promise<void> {
    const first = postgres?.pid ?? 0;
    for (const pid of [first, ...(await childrenOf(first))]) send(pid, signal);
  }
  async function asSuperuser<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { superuser } = await readPasswords(path.resolve(dataFolder));
    const client = new Client({
      host: "127.0.0.1",
      port: Number(url().port),
      user: SUPERUSER,
      password: superuser,
      database: DATABASE,
      connectionTimeoutMillis: 10_000,
    });
    // A connection that breaks rejects what runs on it; without a listener it would end us.
    client.on("error", () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  async function comesBack(): Promise<void> {
    const deadline = Date.now() + recoveryMsMax;
    for (;;) {
      try {
        if (!isUp) await start();
        await asSuperuser((client) => client.query("SELECT"));
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
      }
      await delay(50);
    }
  }
  await start();
  return {
    port: () => Number(url().port),
    urlAt(port) {
      const there = url();
      there.port = `${port}`;
      return there.href;
    },
    start,
    isUp: () => isUp,
    signalAll,
    async kill() {
      await signalAll("SIGKILL");
      await postgres?.exited;
    },
    async stopAtOnce() {
      send(postgres?.pid ?? 0, "SIGQUIT");
      await postgres?.exited;
    },
    async stop() {
      isOver = true;
      if (isUp) await signalAll("SIGCONT");
      await postgres?.stop();
    },
    asSuperuser,
    comesBack,
  };
}

const recoveryMsMax = 60_000;

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    if (pid > 0) process.kill(pid, signal);
  } catch (error) {
    // It has ended already.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const children: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const status = await readFile(`/proc/${name}/status`, "utf8").catch(() => "");
    if (Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]) === parent) children.push(Number(name));
  }
  return children;
}
