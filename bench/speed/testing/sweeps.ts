import { setTimeout } from "node:timers/promises";
import { Client } from "pg";
import { createEngine } from "@/lib/engine/engine";
import { loadEnv } from "@/lib/engine/env";
import { createLog } from "@/lib/engine/log";
import { gatewayJobs } from "@/lib/services/gateway-jobs";
import { type Database, temporaryFolder } from "../processes";

// What the gateway does by itself, with a day's work waiting for it. No lock outlives the transaction that took
// it, so what is watched is how old the transactions get that write.

export interface Sweep {
  job: string;
  turns: number;
  /** The oldest that one of its transactions was seen. */
  transactionMs: number;
}

const turnsMax = 100;
const keptDays = 7;

export async function measureSweeps({ url }: Database): Promise<Sweep[]> {
  // Fewer than a gateway may be told: what grow.ts puts there is twelve days old at most.
  const { folder, remove } = await temporaryFolder();
  const given = { NODE_ENV: "production", DATABASE_URL: url, DATA_FOLDER: folder };
  const environment = loadEnv(given);
  const env = { ...environment, ACCESS_EVENTS_DAYS: keptDays };
  const engine = createEngine(env, createLog({ level: "warn" }));
  const pids: number[] = [];
  engine.pool.on("connect", (client) => pids.push(Reflect.get(client, "processID")));
  const watcher = new Client({ connectionString: url });
  await watcher.connect();
  const gatewaysJobs = await holdUpJobs(url);
  try {
    for (const statement of due) await watcher.query(statement);
    const sweeps: Sweep[] = [];
    for (const job of gatewayJobs) {
      let turns = 0;
      const work = async () => {
        while (turns < turnsMax && (await job.run(engine)) > 0) turns++;
      };
      sweeps.push({ job: job.name, transactionMs: await oldestDuring(work, watcher, pids), turns });
    }
    return sweeps;
  } finally {
    await gatewaysJobs.release();
    await watcher.end();
    await engine.stop();
    await remove();
  }
}

async function oldestDuring(
  work: () => Promise<void>,
  watcher: Client,
  pids: number[],
): Promise<number> {
  let oldest = 0;
  let goesOn = true;
  const watching = async () => {
    while (goesOn) {
      const { rows } = await watcher.query<{ ms: number }>(
        `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - xact_start)) * 1000, 0)::float8 AS ms
         FROM pg_stat_activity WHERE pid = ANY($1) AND backend_xid IS NOT NULL`,
        [pids],
      );
      oldest = Math.max(oldest, rows[0]?.ms ?? 0);
    }
  };
  const done = work().finally(() => {
    goesOn = false;
  });
  await Promise.all([done, watching()]);
  return oldest;
}

// More often than any of them is due.
const takenEveryMs = 500;

/** Takes all turns of a gateway that stands beside: it would do the work first, and unwatched. */
async function holdUpJobs(url: string) {
  const client = new Client({ connectionString: url });
  await client.connect();
  const takeTurns = () => client.query(`UPDATE "Job" SET "startedAt" = now()`);
  await takeTurns();
  let held = true;
  const holding = (async () => {
    while (held) {
      await setTimeout(takenEveryMs);
      await takeTurns();
    }
  })();
  // Where it failed, release says so.
  holding.catch(() => undefined);
  return {
    async release() {
      held = false;
      await holding.finally(() => client.end());
    },
  };
}

// On top of what grow.ts has put there.
const due = [
  `INSERT INTO "Nonce" (did, nonce, "expiresAt")
   SELECT 'did:prof:agent:local:load-' || s % 64, 'old-nonce-' || s, now() - interval '1 hour'
   FROM generate_series(1, 1000000) s`,
  `INSERT INTO "RateWindow" (caller, class, "expiresAt")
   SELECT 'did:prof:agent:local:gone-' || s, 'profile', now() - interval '3 hours' FROM generate_series(1, 100000) s`,
  `UPDATE "Memory" SET "deletedAt" = now() - interval '31 days' WHERE id IN (
     SELECT id FROM "Memory" WHERE id LIKE 'mem_crowd%' LIMIT 100000)`,
  `INSERT INTO "Proposal" (id, "profileId", "agentDid", content, "contentHash", category, confidence, status, "proposedAt", "expiresAt")
   SELECT 'prop_old' || m.id, m."profileId", 'did:prof:agent:local:load-0', m.content, sha256(m.content::bytea), m.category, 0.5, 'pending',
     now() - interval '8 days', now() - interval '1 day'
   FROM (SELECT * FROM "Memory" WHERE id LIKE 'mem_crowd%' AND "deletedAt" IS NULL LIMIT 100000) m`,
  `INSERT INTO "Seal" ("profileId", position, hash, "sealedAt")
   SELECT "profileId", position, hash, at FROM "AccessEvent" WHERE id LIKE 'evt_crowd%' AND position % 10 = 9
   ON CONFLICT DO NOTHING`,
  `INSERT INTO "AccessEvent" (id, "profileId", at, actor, "actorId", verb, outcome, "requestId")
   SELECT 'evt_unsealed' || s, p.id, now() - s * interval '1 millisecond', 'agent', 'did:prof:agent:local:load-' || s % 64, 'getProfile', 'ok',
     'req_unsealed' || s
   FROM generate_series(1, 50000) s
   JOIN (SELECT id, row_number() OVER () - 1 AS n FROM "Profile" WHERE did LIKE 'did:prof:user:local:crowd-%') p ON p.n = s % 10000`,
  "VACUUM ANALYZE",
];
