import type { Ctx } from "../../context";
import { gatewayJobs } from "../../gateway-jobs";

export interface JobState {
  name: string;
  everySeconds: number;
  /** Null where no instance has run it yet. */
  startedAt: Date | null;
  /** The duration of a finished turn; null while it runs. */
  tookMs: number | null;
  /** How long the next turn is overdue. */
  lateSeconds: number;
  /** Since it last succeeded. */
  failures: number;
  failure: string | null;
}

/** Each job of the gateway: when it last ran, how long that took, and how far behind it is. */
export async function jobStates({ db, now }: Ctx): Promise<JobState[]> {
  const rows = await db.job.findMany();
  return gatewayJobs.map(({ name, everySeconds }) => {
    const row = rows.find((one) => one.name === name);
    if (row === undefined) {
      const never = { startedAt: null, tookMs: null, lateSeconds: 0, failures: 0, failure: null };
      return { name, everySeconds, ...never };
    }
    const { startedAt, finishedAt, failures, failure } = row;
    // A finish before the start belongs to the turn before.
    const took = finishedAt === null ? -1 : finishedAt.getTime() - startedAt.getTime();
    const sinceMs = now.getTime() - startedAt.getTime();
    return {
      name,
      everySeconds,
      startedAt,
      tookMs: took < 0 ? null : took,
      lateSeconds: Math.max(0, sinceMs / 1_000 - everySeconds),
      failures,
      failure,
    };
  });
}
