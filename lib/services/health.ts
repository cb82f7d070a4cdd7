import type { Engine } from "@/lib/engine/engine";
import { pendingMigrations } from "@/lib/engine/migrate";

export interface Readiness {
  ready: boolean;
  database: { answers: boolean; milliseconds: number | null; clockSkewMs: number | null };
  migrations: { pending: string[] } | null;
  limits: { engine: string; healthy: boolean };
}

const migrationsFolder = "prisma/migrations";

/** Whether requests can be answered now. Ready on PostgreSQL's limits too: they are the fallback. */
export async function checkReadiness({ pool, counters, now, log }: Engine): Promise<Readiness> {
  const limits = { engine: counters.name, healthy: counters.healthy() };
  try {
    const asked = performance.now();
    const { rows } = await pool.query<{ at: Date }>("SELECT clock_timestamp() AS at");
    const milliseconds = Math.round(performance.now() - asked);
    const clockSkewMs = now().getTime() - (rows[0]?.at.getTime() ?? Number.NaN);
    const pending = await pendingMigrations(pool, migrationsFolder);
    const database = { answers: true, milliseconds, clockSkewMs };
    return { ready: pending.length === 0, database, migrations: { pending }, limits };
  } catch (error) {
    log.warn("not ready", { error });
    const database = { answers: false, milliseconds: null, clockSkewMs: null };
    return { ready: false, database, migrations: null, limits };
  }
}
