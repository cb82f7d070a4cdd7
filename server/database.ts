import path from "node:path";
import type { Env } from "@/lib/engine/env";
import type { Log } from "@/lib/engine/log";
import { findRunning } from "./embedded-postgres/running";
import { startEmbeddedPostgres } from "./embedded-postgres/start";
import { withClient } from "./restore/client";
import { refuseUnconfirmed } from "./restore/databases";

export interface Database {
  url: string;
  /** The database's name in messages. */
  description: string;
  /** Rejects if the database ends unexpectedly. */
  lost: Promise<never>;
  stop(): Promise<void>;
}

/** The one that a running gateway uses; else one that is started for the moment. */
export async function reachDatabase(env: Env, log: Log): Promise<Omit<Database, "lost">> {
  if (env.DATABASE_URL === undefined) {
    const folder = path.resolve(env.DATA_FOLDER, "postgres");
    const url = await findRunning(folder);
    if (url !== null) return { url, description: folder, stop: async () => {} };
  }
  return openDatabase(env, log);
}

/** Yours where DATABASE_URL says so, else the one that npm brought along. */
export async function openDatabase(env: Env, log: Log): Promise<Database> {
  if (env.DATABASE_URL !== undefined) {
    await withClient(env.DATABASE_URL, refuseUnconfirmed);
    const { host } = new URL(env.DATABASE_URL);
    const description = `PostgreSQL at ${host}`;
    return {
      url: env.DATABASE_URL,
      description,
      lost: new Promise(() => {}),
      stop: async () => {},
    };
  }
  const dataFolder = path.resolve(env.DATA_FOLDER, "postgres");
  let isStopping = false;
  const postgres = await startEmbeddedPostgres({
    dataFolder,
    // Messages about connections that we close are not errors.
    log: (level, line) => log[level === "info" || isStopping ? "debug" : level](line),
  });
  const lost = postgres.exited.then(({ wasRequested }) => {
    if (wasRequested) return new Promise<never>(() => {});
    throw new Error("The embedded PostgreSQL ended unexpectedly. Start the gateway again.");
  });
  const description = `embedded PostgreSQL in ${path.relative(process.cwd(), dataFolder)}`;
  return {
    url: postgres.url,
    description,
    lost,
    stop() {
      isStopping = true;
      return postgres.stop();
    },
  };
}
