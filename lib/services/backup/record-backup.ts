import { inTransaction, runSql } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { newId } from "@/lib/engine/random";
import { adminIdOf, recordAdmin } from "../audit/record";
import type { Ctx } from "../context";

export const backupJob = "backup";

/** What the "Job" row keeps of the last backup. */
export interface BackupOutcome {
  file: string;
  bytes: number;
  madeAt: string;
  tookMs: number;
}

/** Makes a backup between a start and an end in the gateway's own records. */
export async function recordBackup(
  ctx: Ctx,
  make: () => Promise<BackupOutcome>,
  explain: (error: unknown) => string,
): Promise<BackupOutcome> {
  const { pool } = ctx;
  await runSql(
    pool,
    Prisma.sql`INSERT INTO "Job" (name, "startedAt") VALUES (${backupJob}, clock_timestamp())
      ON CONFLICT (name) DO UPDATE SET "startedAt" = clock_timestamp()`,
  );
  try {
    const outcome = await make();
    await runSql(pool, succeeded(ctx, outcome));
    return outcome;
  } catch (error) {
    await runSql(
      pool,
      Prisma.sql`UPDATE "Job" SET "finishedAt" = clock_timestamp(), failures = failures + 1,
        failure = ${explain(error).slice(0, 500)} WHERE name = ${backupJob}`,
    );
    throw error;
  }
}

function succeeded(ctx: Ctx, outcome: BackupOutcome): Prisma.Sql {
  const { file, bytes } = outcome;
  return Prisma.sql`WITH done AS (
      UPDATE "Job" SET "finishedAt" = clock_timestamp(), failure = NULL, failures = 0,
        progress = ${JSON.stringify(outcome)}::jsonb WHERE name = ${backupJob})
    INSERT INTO "AdminEvent" (id, at, "adminId", verb, "subjectId", after, "requestId")
    VALUES (${newId("evt")}, ${ctx.now}, ${adminIdOf(ctx)}, 'makeBackup', ${file}, ${JSON.stringify({ bytes })}::jsonb,
      ${ctx.requestId})`;
}

/** Leaves an event in a restored database, so that admins see what it was made from. */
export async function recordRestore(ctx: Ctx, file: string, madeAt: string): Promise<void> {
  const event = { verb: "restoreBackup", subjectId: file.slice(0, 144), after: { madeAt } };
  await inTransaction(ctx.db, (tx) => recordAdmin(tx, { ctx, event }));
}
