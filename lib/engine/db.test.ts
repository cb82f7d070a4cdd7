import { expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import { inBackgroundTransaction, inTransaction, openDb, openPool, type Tx } from "./db";

const { db, pool, env } = await testEngine();

test("options in DATABASE_URL do not replace those that the gateway needs", async () => {
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
  const broken = inTransaction(db, async (tx) => {
    const [own] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    await pool.query("SELECT pg_terminate_backend($1, 5000)", [own?.pid]);
    await tx.$queryRaw`SELECT 1 AS one`;
  });
  await expect(broken).rejects.toThrow();
  expect(await db.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
});

test("a statement that nobody answers does not hold up its rollback, nor the next caller", async () => {
  const url = env.DATABASE_URL ?? "";
  const own = openPool({ url, poolMax: 1, onIdleError: () => undefined });
  // Given up long before the server itself ends it.
  own.options.query_timeout = 100;
  const hurried = openDb(own);
  try {
    const begun = performance.now();
    const hung = inTransaction(hurried, (tx) => tx.$queryRaw`SELECT pg_sleep(30)::text`);
    await expect(hung).rejects.toThrow();
    expect(performance.now() - begun).toBeLessThan(8_000);
    expect(await hurried.$queryRaw`SELECT 1 AS one`).toEqual([{ one: 1 }]);
  } finally {
    await hurried.$disconnect();
    await own.end();
  }
});

test("a sweep lets go of its locks without waiting for the disk; the next user of its connection waits", async () => {
  const own = openPool({
    url: env.DATABASE_URL ?? "",
    poolMax: 1,
    onIdleError: () => undefined,
  });
  const one = openDb(own);
  try {
    await one.$executeRaw`SET synchronous_commit = on`;
    const waits = async (tx: Tx): Promise<string> => {
      const [row] = await tx.$queryRaw<
        { waits: string }[]
      >`SELECT current_setting('synchronous_commit') AS waits`;
      return row?.waits ?? "";
    };
    expect([await inBackgroundTransaction(one, waits), await waits(one)]).toEqual(["off", "on"]);
    const refused = inBackgroundTransaction(one, () => Promise.reject(new Error("canary")));
    await expect(refused).rejects.toThrow("canary");
    expect(await waits(one)).toBe("on");
  } finally {
    await one.$disconnect();
    await own.end();
  }
});
