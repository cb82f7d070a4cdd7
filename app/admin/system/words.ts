import type { BackupHealth } from "@/lib/services/admin/system/backups";
import type { JobState } from "@/lib/services/admin/system/job-states";
import { sizeWords } from "../../_components/words/size";
import { durationWords, relativeTime } from "../../_components/words/time";

// Instances look for work once a second, one job after the other.
const usualSeconds = 5;

export function isLate({ startedAt, lateSeconds }: JobState): boolean {
  return startedAt !== null && lateSeconds >= usualSeconds;
}

export function lateness(job: JobState): string {
  if (job.startedAt === null) return "has not run yet";
  if (!isLate(job)) return "on time";
  const late = `${durationWords(job.lateSeconds * 1_000)} late`;
  return job.tookMs === null ? `${late}: the last turn has not ended` : late;
}

export function failed({ failures, failure }: JobState): string {
  if (failures === 0) return "none";
  return `${failures === 1 ? "the last turn" : `${failures} turns in a row`} (${failure ?? "unknown"})`;
}

// One night was missed, and half of the next day is over.
const backupAgeMsMax = 36 * 60 * 60_000;

/** What to do about the backups; empty where all is well. */
export function backupTroubles({ last, failure, isNightly, url }: BackupHealth, now: Date): string {
  const ageMs = last === null ? 0 : now.getTime() - Date.parse(last.madeAt);
  return [
    failure !== null && `The last attempt failed: ${failure}`,
    last === null && "None was made here yet: press Back up now.",
    isNightly && ageMs > backupAgeMsMax && "The nightly one is overdue: press Back up now.",
    url === null && "Set BACKUP_URL: backups on the disk of the gateway are lost with it.",
  ]
    .filter(Boolean)
    .join(" ");
}

/** "4 hours ago, 12.3 MB" */
export function lastBackup({ isRunning, last }: BackupHealth, now: Date): string {
  if (isRunning) return "being made";
  if (last === null) return "none";
  return `${relativeTime(new Date(last.madeAt), now)}, ${sizeWords(last.bytes)}`;
}
