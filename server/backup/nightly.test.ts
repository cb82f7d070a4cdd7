import { Client } from "pg";
import { describe, expect, test, vi } from "vitest";
import { spawnBackup } from "@/lib/engine/backup/spawn-backup";
import type { Env } from "@/lib/engine/env";
import { claimNight, readBackupState } from "@/lib/services/backup/backup-state";
import { testEngine } from "@/tests/support/harness";
import { startNightly } from "./nightly";

const engine = await testEngine();

/** The "Job" row of a backup, in hours from now. */
async function last(startedAt: number, finishedAt: number | null, failure: string | null = null) {
  await engine.pool.query(
    `INSERT INTO "Job" (name, "startedAt", "finishedAt", failure)
     VALUES ('backup', now() + make_interval(mins => $1), now() + make_interval(mins => $2), $3)
     ON CONFLICT (name) DO UPDATE SET "startedAt" = excluded."startedAt", "finishedAt" = excluded."finishedAt",
       failure = excluded.failure`,
    [startedAt * 60, finishedAt === null ? null : finishedAt * 60, failure],
  );
}

/** The hour that it is, or was some hours ago, by the database's clock. */
async function hourAgo(hours: number): Promise<number> {
  const { rows } = await engine.pool.query<{ hour: number }>(
    `SELECT extract(hour FROM now() AT TIME ZONE 'UTC' - make_interval(hours => $1))::int AS hour`,
    [hours],
  );
  return rows[0]?.hour ?? 0;
}

const isDue = async (hour: number) => (await claimNight(engine.db, hour)) !== null;

describe("the backup of the night", () => {
  test("was never made -> waits for the next night, which one of two instances claims", async () => {
    const hour = await hourAgo(2);
    expect(await isDue(hour)).toBe(false);
    await last(-30, -30);
    const claims = await Promise.all([isDue(hour), isDue(hour)]);
    expect(claims.sort()).toEqual([false, true]);
  });

  test.each<[string, number, number | null, string | null, boolean]>([
    ["was made before the hour", -30, -29.9, null, true],
    ["was made after the hour", -1.5, -1.4, null, false],
    ["failed over an hour ago", -1.5, -1.4, "The disk is full.", true],
    ["failed a moment ago", -0.5, -0.4, "The disk is full.", false],
    ["was killed over an hour ago", -1.5, -20, null, true],
    ["is being made", -0.5, -20, null, false],
  ])("%s -> is due: %#", async (_what, startedAt, finishedAt, failure, due) => {
    await last(startedAt, finishedAt, failure);
    expect(await isDue(await hourAgo(2))).toBe(due);
  });

  test("an hour that comes later today -> the night before counts", async () => {
    await last(-22, -21.9);
    expect(await isDue(await hourAgo(-1))).toBe(false);
    await last(-24, -23.9);
    expect(await isDue(await hourAgo(-1))).toBe(true);
  });

  test("is still being made at its hour -> is not made a second time", async () => {
    await last(-3, null);
    const connectionString = engine.env.DATABASE_URL;
    const backup = new Client({ connectionString, application_name: "gateway-backup" });
    await backup.connect();
    expect(await isDue(await hourAgo(2))).toBe(false);
    await backup.end();
  });

  test("cannot even be started -> says so, and is made again an hour later", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    await last(-30, -29.9);
    const start = vi.fn((by: string, env: Env) => {
      const execPath = vi.spyOn(process, "execPath", "get").mockReturnValue("/nowhere");
      const program = spawnBackup(by, env);
      execPath.mockRestore();
      return program;
    });
    const env = { ...engine.env, BACKUP_AT: await hourAgo(2) };
    const nightly = startNightly({ ...engine, env }, start);
    vi.advanceTimersByTime(60_000);
    const failure = async () => (await readBackupState(engine)).failure;
    await expect.poll(failure).toContain("could not be started");
    await engine.pool.query(
      `UPDATE "Job" SET "startedAt" = "startedAt" - interval '61 min', "finishedAt" = "finishedAt" - interval '61 min'`,
    );
    vi.advanceTimersByTime(60_000);
    await expect.poll(() => start.mock.calls.length).toBe(2);
    await nightly.stop();
    vi.useRealTimers();
  });

  test("is due -> is started once, and ended with the gateway; off -> is never started", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const hour = await hourAgo(2);
    await last(-30, -29.9);
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const done = ended.then(() => ({ ended: "killed" as const, sentence: "was stopped" }));
    const start = vi.fn(() => ({ done, stop: end }));
    const off = startNightly({ ...engine, env: { ...engine.env, BACKUP_AT: "off" } }, start);
    const nightly = startNightly({ ...engine, env: { ...engine.env, BACKUP_AT: hour } }, start);
    vi.advanceTimersByTime(60_000);
    await expect
      .poll(() => start.mock.calls)
      .toEqual([["gateway", expect.objectContaining({ BACKUP_AT: hour })]]);
    vi.advanceTimersByTime(180_000);
    await nightly.stop();
    await off.stop();
    vi.useRealTimers();
    expect(start).toHaveBeenCalledTimes(1);
  });
});
