import { settingNames } from "@/lib/engine/env";
import type { System } from "@/lib/services/admin/system/describe-system";
import type { JobState } from "@/lib/services/admin/system/job-states";
import { settingWords } from "../settings/words";

/** "340 ms", "2.5 s", "12 min", "3.4 h" */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  const [size, unit] =
    ms < 60_000 ? [1_000, "s"] : ms < 3_600_000 ? [60_000, "min"] : [3_600_000, "h"];
  return `${(ms / size).toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}

// Instances look for work once a second, one job after the other.
const usualSeconds = 5;

export function lateness({ startedAt, lateSeconds, tookMs }: JobState): string {
  if (startedAt === null) return "has not run yet";
  if (lateSeconds < usualSeconds) return "on time";
  const late = `${duration(lateSeconds * 1_000)} late`;
  return tookMs === null ? `${late}: the last turn has not ended` : late;
}

export function failed({ failures, failure }: JobState): string {
  if (failures === 0) return "none";
  return `${failures === 1 ? "the last turn" : `${failures} turns in a row`} (${failure ?? "unknown"})`;
}

/** Returns the title of a request class, as the settings call it. */
export function classTitle(name: string): string {
  const setting = settingNames.find((one) => one === `LIMIT_${name.toUpperCase()}`);
  return setting === undefined ? name : settingWords[setting].title;
}

const extension = "CREATE EXTENSION pg_stat_statements;";

/** What to do if PostgreSQL does not collect statement statistics. */
export const slowRemedies: Record<Exclude<System["slow"]["counted"], "yes">, string> = {
  "not loaded": `PostgreSQL does not count statements here. Add pg_stat_statements to shared_preload_libraries in its configuration, start PostgreSQL again, then run once as a superuser in this database: ${extension}`,
  "no extension": `PostgreSQL counts statements, but shows them to nobody in this database. Run once as a superuser in it: ${extension}`,
};
