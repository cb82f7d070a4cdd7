import { z } from "zod";
import { inTransaction, runSql } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { newId } from "@/lib/engine/random";
import { adminIdOf, recordAdmin } from "../audit/record";
import type { Ctx } from "../context";

export const backupJob = "backup";

/** What the "Job" row keeps of the last backup that succeeded. */
export const BackupOutcome = z.object({
  file: z.string(),
  bytes: z.number(),
  madeAt: z.iso.datetime(),
  tookMs: z.number(),
});
export type BackupOutcome = z.output<typeof BackupOutcome>;

/** Makes a backup between a start and an end in the gateway's own records. */
export async function recordBackup(
  ctx: Ctx,
  make: () => Promise<BackupOutcome>,
  explain: (error: unknown) => string,
): Promise<BackupOutcome> {
  const { pool } = ctx;
  const [job] = await runSql<{ startedAt: Date }>(
    pool,
    Prisma.sql`INSERT INTO "Job" (name, "startedAt") VALUES (${backupJob}, clock_timestamp())
      ON CONFLICT (name) DO UPDATE SET "startedAt" = clock_timestamp() RETURNING "startedAt"`,
  );
  try {
    const outcome = await make();
    await runSql(pool, succeeded(ctx, outcome));
    return outcome;
  } catch (error) {
    await recordFailure(ctx, { startedAt: job?.startedAt, sentence: explain(error) });
    throw error;
  }
}

function succeeded(ctx: Ctx, outcome: BackupOutcome): Prisma.Sql {
  const { file, bytes } = outcome;
  return Prisma.sql`WITH ended AS (
      UPDATE "Job" SET "finishedAt" = clock_timestamp(), failure = NULL, failures = 0,
        progress = ${JSON.stringify(outcome)}::jsonb WHERE name = ${backupJob} RETURNING name)
    ${eventAfterEnd(ctx, { verb: "makeBackup", subjectId: file, after: { bytes } })}`;
}

/** Records the failure of the backup that began then, unless another has begun since. */
export async function recordFailure(
  ctx: Ctx,
  { startedAt, sentence }: { startedAt: Date | undefined; sentence: string },
): Promise<void> {
  const failure = sentence.slice(0, 500);
  await runSql(
    ctx.pool,
    Prisma.sql`WITH ended AS (
      UPDATE "Job" SET "finishedAt" = clock_timestamp(), failures = failures + 1, failure = ${failure}
      WHERE name = ${backupJob} AND "startedAt" = ${startedAt} RETURNING name)
    ${eventAfterEnd(ctx, { verb: "failBackup", subjectId: backupJob, after: { failure } })}`,
  );
}

/** Leaves an event of admins where `ended` has a row. */
function eventAfterEnd(
  ctx: Ctx,
  { verb, subjectId, after }: { verb: string; subjectId: string; after: object },
): Prisma.Sql {
  return Prisma.sql`INSERT INTO "AdminEvent" (id, at, "adminId", verb, "subjectId", after, "requestId")
    SELECT ${newId("evt")}, ${ctx.now}::timestamptz, ${adminIdOf(ctx)}, ${verb}, ${subjectId}, ${JSON.stringify(after)}::jsonb,
      ${ctx.requestId} FROM ended`;
}

const restoreVerb = "restoreBackup";

interface Restored {
  file: string;
  madeAt: string;
  /** What an admin has to know. */
  notes: readonly string[];
}

/** Leaves an event in a restored database, so that admins see what it was made from. */
export async function recordRestore(ctx: Ctx, { file, madeAt, notes }: Restored): Promise<void> {
  const after = { madeAt, ...(notes.length > 0 && { notes }) };
  const event = { verb: restoreVerb, subjectId: file.slice(0, 144), after };
  await inTransaction(ctx.db, (tx) => recordAdmin(tx, { ctx, event }));
}

/** Returns what an admin has to know of the restore that made this database. */
export async function notesOfRestore({ db }: Pick<Ctx, "db">): Promise<string[]> {
  const event = await db.adminEvent.findFirst({
    where: { verb: restoreVerb },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    select: { after: true },
  });
  return z.object({ notes: z.array(z.string()).default([]) }).parse(event?.after ?? {}).notes;
}
