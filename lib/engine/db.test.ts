import { expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import { inSweep, inTransaction, openPool } from "./db";

const { pool, env } = await testEngine();

test("what DATABASE_URL asks of a session is added to what the gateway needs, and takes none of it away", async () => {
  const url = new URL(env.DATABASE_URL ?? "");
  url.searchParams.set("options", "-c search_path=public,pg_catalog -c timezone=Asia/Tokyo");
  const own = openPool({ url: url.href, poolMax: 1, onIdleError: () => undefined });
  try {
    const { rows } = await own.query(
      `SELECT current_setting('search_path') AS path, current_setting('timezone') AS timezone,
              current_setting('enable_seqscan') AS scans, current_setting('jit') AS jit`,
    );
    expect(rows).toEqual([
      { path: "public,pg_catalog", timezone: "UTC", scans: "off", jit: "off" },
    ]);
  } finally {
    await own.end();
  }
});

test("a connection that breaks between two statements of a transaction costs that transaction and no more", async () => {
  const broken = inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    const ended = new Promise<void>((resolve) => client.once("end", () => resolve()));
    await pool.query("SELECT pg_terminate_backend($1)", [rows[0]?.pid]);
    await ended;
    await client.query("SELECT");
  });
  await expect(broken).rejects.toThrow(/not queryable/);
  const { rows } = await pool.query("SELECT 1 AS one");
  expect(rows).toEqual([{ one: 1 }]);
});

test("a statement that nobody answers does not hold up its rollback, nor the next caller", async () => {
  const begun = performance.now();
  const hung = inTransaction(pool, (client) => {
    // Given up long before the server itself ends it.
    const asked = { text: "SELECT pg_sleep(30)", query_timeout: 100 };
    return client.query(asked);
  });
  await expect(hung).rejects.toThrow("Query read timeout");
  expect(performance.now() - begun).toBeLessThan(8_000);
  const { rows } = await pool.query("SELECT 1 AS one");
  expect(rows).toEqual([{ one: 1 }]);
});

test("a sweep lets go of its locks without waiting for the disk; whoever is next on its connection waits", async () => {
  const client = await pool.connect();
  await client.query("SET synchronous_commit = on");
  client.release();
  const waits = async (): Promise<string> => {
    const { rows } = await client.query<{ waits: string }>(
      `SELECT current_setting('synchronous_commit') AS waits`,
    );
    return rows[0]?.waits ?? "";
  };
  const during = await inSweep(pool, async (sweeping) => {
    expect(sweeping).toBe(client);
    return waits();
  });
  expect([during, await waits()]).toEqual(["off", "on"]);
  const refused = inSweep(pool, () => Promise.reject(new Error("canary")));
  await expect(refused).rejects.toThrow("canary");
  expect(await waits()).toBe("on");
});
