import type { Pool } from "pg";
import type { Counters } from "./counters/counters";
import { createPostgresCounters } from "./counters/counters-postgres";
import { createUpstashCounters } from "./counters/counters-upstash";
import { type Db, openDb, openPool } from "./db";
import { type Env, loadEnv } from "./env";
import { createLive, type Live } from "./live/live";
import { createExpiringMap, type ExpiringMap } from "./load/expiring-map";
import { type AccountLimiter, createAccountLimiter } from "./load/keyed-limiter";
import { createRevisionCache, type RevisionCache } from "./load/revision-cache";
import { createLog, type Log } from "./log";
import { createMetrics, type Metrics } from "./metrics";
import { createMailer, type Mailer } from "./outbound/mailer";
import { fetchPublicJson } from "./outbound/public-fetch";
import { postPublic } from "./outbound/public-post";
import { createPeerGuard, type PeerGuard } from "./peer-guard";
import { createSettings, type Settings } from "./settings";

// Everything that entry points need, created here only.
export interface Engine {
  env: Env;
  /** Where links of this gateway lead: the first of PUBLIC_URL, or where it listens. */
  address: string;
  /** The clock of all entry points. */
  now(): Date;
  log: Log;
  pool: Pool;
  db: Db;
  metrics: Metrics;
  peerGuard: PeerGuard;
  /** Accounts of recently seen session cookies, by hash: the front door uses them to tell users from strangers. */
  seenSessions: ExpiringMap<string>;
  counters: Counters;
  /** Signers and profiles as they were read, by revision. */
  cache: RevisionCache;
  live: Live;
  /** Limits how many connections of the pool an account uses. */
  shares: AccountLimiter;
  settings: Settings;
  /** Reads a document at an address that a stranger names. */
  fetchJson: typeof fetchPublicJson;
  /** Null where no server is configured that takes mails. */
  mailer: Mailer | null;
  /** Sends a message to an address that a stranger names. */
  post: typeof postPublic;
  stop(): Promise<void>;
}

export function createEngine(env: Env, log: Log = createLog({ level: env.LOG_LEVEL })): Engine {
  if (env.DATABASE_URL === undefined) throw new Error("DATABASE_URL is not set");
  let isStopping = false;
  const pool = openPool({
    url: env.DATABASE_URL,
    poolMax: env.DATABASE_POOL_MAX,
    onIdleError: (error) => {
      // An ended pool says goodbye without waiting: a database that stops next may cut it short.
      if (isStopping) return;
      log.warn("a database connection broke", { engine: "postgres", error });
    },
  });
  const db = openDb(pool);
  const metrics = createMetrics(pool);
  const settings = createSettings({ env, pool, log });
  const live = createLive({ url: env.DATABASE_URL, pool, log });
  const mailer = mailerOf(env);
  return {
    env,
    address: env.PUBLIC_URL[0] ?? `http://localhost:${env.PORT}`,
    now: () => new Date(),
    log,
    pool,
    db,
    metrics,
    peerGuard: createPeerGuard(env.PEER_LIMIT),
    seenSessions: createExpiringMap<string>(10 * 60_000),
    cache: createRevisionCache(),
    counters: chooseCounters({ env, log, pool, metrics }),
    live,
    shares: createAccountLimiter({ max: shareOf(env.DATABASE_POOL_MAX) }),
    settings,
    fetchJson: fetchPublicJson,
    mailer,
    post: postPublic,
    async stop() {
      isStopping = true;
      mailer?.close();
      settings.stop();
      await live.stop();
      await db.$disconnect();
      await pool.end();
    },
  };
}

function mailerOf({ SMTP_URL: url, MAIL_FROM: from }: Env): Mailer | null {
  if (url === undefined || from === undefined) return null;
  return createMailer({ url, from, now: () => new Date() });
}

// Half of a small pool is left for others.
function shareOf(poolMax: number): number {
  return Math.min(4, Math.floor(poolMax / 2));
}

type CountersNeed = Pick<Engine, "env" | "log" | "pool" | "metrics">;

function chooseCounters({ env, log, pool, metrics }: CountersNeed): Counters {
  const postgres = createPostgresCounters(pool);
  const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = env;
  if (url === undefined || token === undefined) return postgres;
  return createUpstashCounters({ url, token, pool, postgres, log, metrics });
}

// The front door and Next.js load this module separately; the process has one engine.
const slot = Symbol.for("profile-access-gateway.engine");
const shared = globalThis as typeof globalThis & { [slot]?: Engine };

export function engine(): Engine {
  shared[slot] ??= createEngine(loadEnv());
  return shared[slot];
}

/** The next call of `engine` creates another one. */
export function forgetEngine(): void {
  delete shared[slot];
}

export function installEngine(chosen: Engine): Engine {
  shared[slot] = chosen;
  return chosen;
}
