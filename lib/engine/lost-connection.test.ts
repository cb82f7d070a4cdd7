import { expect, test } from "vitest";
import { isConnectionFailure } from "@/lib/http/reply";
import { testEngine } from "@/tests/support/harness";
import { Prisma } from "./prisma-client/client";
import { batched } from "./query-batcher";

const { pool } = await testEngine();
await pool.query("CREATE SEQUENCE calls");

const slow = batched<number, { place: number }>({
  name: "slow",
  sql: (batch) => Prisma.sql`
    SELECT asked.place, c.call FROM unnest((SELECT ${batch}::int[])) WITH ORDINALITY AS asked (input, place)
    CROSS JOIN (SELECT nextval('calls') AS call, pg_sleep(30)) c`,
});

test("a lost connection fails the whole batch, and nothing is repeated", async () => {
  const answers = Promise.allSettled([1, 2, 3].map((input) => slow(pool, input)));
  const end = async () => {
    const { rowCount } = await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
    );
    return rowCount;
  };
  await expect.poll(end).toBe(1);
  for (const answer of await answers) {
    expect(answer.status === "rejected" && isConnectionFailure(answer.reason)).toBe(true);
  }
  const { rows } = await pool.query(`SELECT nextval('calls')::int AS next`);
  expect(rows).toEqual([{ next: 2 }]);
});
