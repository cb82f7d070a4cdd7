import type { JobState } from "@/lib/services/admin/system/job-states";
import { durationWords } from "../../_components/words/time";

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
