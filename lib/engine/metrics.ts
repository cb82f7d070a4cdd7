import type { Pool } from "pg";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { runSql } from "./db";
import { Prisma } from "./prisma-client/client";

export interface Metrics {
  requestDone(request: { endpoint: string; outcome: string; seconds: number }): void;
  limiterFellBack(): void;
  jobLag(job: string, seconds: number): void;
  loopBlocked(): void;
  text(): Promise<string>;
  contentType: string;
}

export function createMetrics(pool: Pool): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "gateway_requests_total",
    help: "Requests answered, by endpoint and outcome (ok, or the error's code)",
    labelNames: ["endpoint", "outcome"],
    registers,
  });
  const seconds = new Histogram({
    name: "gateway_request_seconds",
    help: "Time from the request's last byte to the answer, by endpoint",
    labelNames: ["endpoint"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  const fallbacks = new Counter({
    name: "gateway_limiter_fallbacks_total",
    help: "Admissions that PostgreSQL decided because the limiter's own engine did not answer",
    registers,
  });
  const blocks = new Counter({
    name: "gateway_event_loop_blocks_total",
    help: "Times that the event loop was blocked for more than 200 ms",
    registers,
  });
  const lag = new Gauge({
    name: "gateway_job_lag_seconds",
    help: "How long a job is overdue",
    labelNames: ["job"],
    registers,
  });
  measurePool(registers, pool);
  measureStored(registers, pool);
  return {
    requestDone({ endpoint, outcome, seconds: took }) {
      requests.inc({ endpoint, outcome });
      seconds.observe({ endpoint }, took);
    },
    limiterFellBack: () => fallbacks.inc(),
    loopBlocked: () => blocks.inc(),
    jobLag: (job, behind) => lag.set({ job }, behind),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function measurePool(registers: Registry[], pool: Pool): void {
  new Gauge({
    name: "gateway_pool_connections",
    help: "Database connections of this process, by state; waiting = callers without one",
    labelNames: ["state"],
    registers,
    collect() {
      this.set({ state: "idle" }, pool.idleCount);
      this.set({ state: "busy" }, pool.totalCount - pool.idleCount);
      this.set({ state: "waiting" }, pool.waitingCount);
    },
  });
}

/** A condition on a "Delivery"; what a paused webhook holds waits for its receiver's developer. */
export const isToBeSent = Prisma.sql`state = 'waiting' AND NOT EXISTS
  (SELECT FROM "Webhook" w WHERE w."agentDid" = recipient AND w.state = 'paused')`;

// The same on every instance: what the database has when it is read.
function measureStored(registers: Registry[], pool: Pool): void {
  const gauge = (name: string, help: string, sql: Prisma.Sql) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        // While the database does not answer there is no figure; readiness says why.
        const found = await runSql<{ value: number }>(pool, sql).catch(() => null);
        this.set(found?.[0]?.value ?? Number.NaN);
      },
    });
  gauge(
    "gateway_deliveries_waiting",
    "Mails and messages to webhooks that wait to be sent",
    Prisma.sql`SELECT count(*)::float8 AS value FROM "Delivery" WHERE ${isToBeSent}`,
  );
  gauge(
    "gateway_deliveries_oldest_seconds",
    "How long the oldest of them waits",
    Prisma.sql`SELECT coalesce(extract(epoch FROM now() - min("madeAt")), 0)::float8 AS value
     FROM "Delivery" WHERE ${isToBeSent}`,
  );
  gauge(
    "gateway_deliveries_given_up",
    "Mails and messages to webhooks that were given up within a day",
    Prisma.sql`SELECT count(*)::float8 AS value FROM "Delivery"
     WHERE state = 'given_up' AND "endedAt" > now() - interval '1 day'`,
  );
  gauge(
    "gateway_backup_age_seconds",
    "How old the newest backup is; -1 where there is none",
    Prisma.sql`SELECT coalesce((SELECT extract(epoch FROM now() - (progress->>'madeAt')::timestamptz)
       FROM "Job" WHERE name = 'backup'), -1)::float8 AS value`,
  );
}
