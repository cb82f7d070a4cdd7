import type { Engine } from "@/lib/engine/engine";
import type { Job } from "@/lib/services/gateway-jobs";

export interface RunningJobs {
  /** Resolves when what runs has ended. */
  stop(): Promise<void>;
}

const tickMs = 1_000;
const turnMsMax = 2_000;

export function startJobs(engine: Engine, jobs: readonly Job[]): RunningJobs {
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const tick = async () => {
    for (const job of jobs) {
      if (!stopping) await runIfDue(engine, job);
    }
    if (!stopping) schedule();
  };
  const schedule = () => {
    timer = setTimeout(() => {
      running = tick();
    }, tickMs);
  };
  schedule();
  return {
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** True where this instance had the job's turn. Its time is counted in milliseconds that only go forward. */
export async function runIfDue(
  engine: Engine,
  job: Job,
  elapsedMs = () => performance.now(),
): Promise<boolean> {
  try {
    const claimed = await claim(engine, job);
    if (claimed) {
      const count = await runBatches(engine, job, elapsedMs);
      await finish(engine, job, null);
      if (count > 0) engine.log.info("job done", { job: job.name, count });
    }
    return claimed;
  } catch (error) {
    engine.log.error("job failed", { job: job.name, error });
    await finish(engine, job, error instanceof Error ? error.name : "unknown").catch(() => null);
    return true;
  }
}

// A backlog is worked off in batches, and never for so long that other jobs wait for it.
async function runBatches(engine: Engine, job: Job, elapsedMs: () => number): Promise<number> {
  const end = elapsedMs() + turnMsMax;
  let total = 0;
  for (;;) {
    const count = await job.run(engine);
    total += count;
    if (count === 0 || elapsedMs() >= end) return total;
  }
}

// Every instance asks; the row lets one of them have the turn, and the next one when that one died.
async function claim({ pool, metrics, now }: Engine, job: Job): Promise<boolean> {
  const { rows } = await pool.query<{ claimed: boolean; behind: number }>(
    `WITH claim AS (
       INSERT INTO "Job" (name, "startedAt") VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET "startedAt" = excluded."startedAt"
         WHERE "Job"."startedAt" <= $2::timestamptz - make_interval(secs => $3)
       RETURNING name
     )
     SELECT EXISTS (SELECT FROM claim) AS claimed,
       greatest(0, coalesce((SELECT extract(epoch FROM $2::timestamptz - "startedAt")::float8 - $3
                             FROM "Job" WHERE name = $1), 0)) AS behind`,
    [job.name, now(), job.everySeconds],
  );
  metrics.jobLag(job.name, rows[0]?.behind ?? 0);
  return rows[0]?.claimed ?? false;
}

async function finish({ pool, now }: Engine, job: Job, failure: string | null): Promise<void> {
  await pool.query(
    `UPDATE "Job" SET "finishedAt" = $2, failure = $3::text,
       failures = CASE WHEN $3::text IS NULL THEN 0 ELSE failures + 1 END WHERE name = $1`,
    [job.name, now(), failure],
  );
}
