import type { Engine } from "@/lib/engine/engine";
import type { Job } from "@/lib/services/gateway-jobs";

export interface RunningJobs {
  /** Resolves when running jobs have ended. */
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
    const startedAt = await claim(engine, job);
    if (startedAt === null) return false;
    // By two clocks: one that is ahead makes nothing go too early.
    const at = new Date(Math.min(startedAt.getTime(), engine.now().getTime()));
    const count = await runBatches({ ...engine, now: () => at }, job, elapsedMs);
    await finish(engine, job, null);
    if (count > 0) engine.log.info("job done", { job: job.name, count });
    return true;
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
    if (count < (job.batchMax ?? 1) || elapsedMs() >= end) return total;
  }
}

// Every instance tries; the row gives one of them the turn, or the next one if that one died. Uses the
// database's clock only. A start in the future comes from a wrong clock.
async function claim({ pool, metrics }: Engine, job: Job): Promise<Date | null> {
  const { rows } = await pool.query<{ startedAt: Date | null; behind: number }>(
    `WITH claim AS (
       INSERT INTO "Job" (name, "startedAt") VALUES ($1, now())
       ON CONFLICT (name) DO UPDATE SET "startedAt" = now()
         WHERE abs(extract(epoch FROM now() - "Job"."startedAt")) >= $2::int
       RETURNING "startedAt"
     )
     SELECT (SELECT "startedAt" FROM claim) AS "startedAt",
       greatest(0, coalesce((SELECT extract(epoch FROM now() - "startedAt")::float8 - $2
                             FROM "Job" WHERE name = $1), 0)) AS behind`,
    [job.name, job.everySeconds],
  );
  metrics.jobLag(job.name, rows[0]?.behind ?? 0);
  return rows[0]?.startedAt ?? null;
}

async function finish({ pool }: Engine, job: Job, failure: string | null): Promise<void> {
  await pool.query(
    `UPDATE "Job" SET "finishedAt" = now(), failure = $2::text,
       failures = CASE WHEN $2::text IS NULL THEN 0 ELSE failures + 1 END WHERE name = $1`,
    [job.name, failure],
  );
}
