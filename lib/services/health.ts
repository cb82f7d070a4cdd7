import type { Engine } from "@/lib/engine/engine";
import { pendingMigrations } from "@/lib/engine/migrate";

export interface Readiness {
  ready: boolean;
  /** A sentence for each failed check. */
  problems: string[];
  database: { answers: boolean; milliseconds: number | null; clockSkewMs: number | null };
  migrations: { pending: string[] } | null;
  limits: { engine: string; healthy: boolean };
}

const databaseFolder = "prisma";

/** Whether requests can be answered now. Ready on PostgreSQL's limits too: they are the fallback. */
export async function checkReadiness(engine: Engine): Promise<Readiness> {
  const { db, pool, counters, now, log } = engine;
  const limits = { engine: counters.name, healthy: counters.healthy() };
  try {
    const began = performance.now();
    const rows = await db.$queryRaw<{ at: Date }[]>`SELECT clock_timestamp() AS at`;
    const milliseconds = Math.round(performance.now() - began);
    const clockSkewMs = now().getTime() - (rows[0]?.at.getTime() ?? Number.NaN);
    const pending = await pendingMigrations(pool, databaseFolder);
    const database = { answers: true, milliseconds, clockSkewMs };
    const problems = [
      ...pending.map((name) => `Migration ${name} is not applied.`),
      ...clockProblems(clockSkewMs, engine.env.SIGNATURE_SKEW_SECONDS),
    ];
    const ready = problems.length === 0;
    return { ready, problems, database, migrations: { pending }, limits };
  } catch (error) {
    log.warn("not ready", { error });
    const database = { answers: false, milliseconds: null, clockSkewMs: null };
    const problems = ["The database does not answer."];
    return { ready: false, problems, database, migrations: null, limits };
  }
}

// Beyond this, signatures with a correct clock are refused.
function clockProblems(skewMs: number, secondsMax: number): string[] {
  const seconds = Math.round(Math.abs(skewMs) / 1_000);
  if (seconds <= secondsMax) return [];
  const direction = skewMs < 0 ? "behind" : "ahead of";
  return [
    `The gateway's clock is ${seconds} s ${direction} the database's, and ${secondsMax} s are allowed. Set both by a time server.`,
  ];
}
