import Link from "next/link";
import type { Health as State } from "@/lib/services/admin/system/describe-health";
import { Icon } from "../../_components/icon";
import { counted } from "../../_components/words/list";
import { durationWords } from "../../_components/words/time";
import { backupTroubles, isLate, lastBackup, lateness } from "./words";

type Line = readonly [name: string, isWell: boolean, words: string, value: string];

const lateSeconds = 600;

function outboxLine({ outbox }: State): Line {
  const { sendsMail, mailPausedBy, waiting, oldestSeconds, givenUp, pausedWebhooks } = outbox;
  const isLate = oldestSeconds > lateSeconds;
  const isWell = mailPausedBy === null && !isLate && givenUp + pausedWebhooks === 0;
  const troubles = [
    mailPausedBy,
    givenUp > 0 && `${counted(givenUp, "message")} given up within a day`,
    pausedWebhooks > 0 && `${counted(pausedWebhooks, "webhook")} paused`,
  ].filter(Boolean);
  const sinks = sendsMail ? "Mail and webhooks" : "Webhooks; no mail server is set";
  const value =
    waiting === 0
      ? "nothing waits"
      : `${counted(waiting, "message")} ${waiting === 1 ? "waits" : "wait"}`;
  return [
    "Outbox",
    isWell,
    troubles.join("; ") || sinks,
    isLate ? `${value}, since ${durationWords(oldestSeconds * 1_000)}` : value,
  ];
}

function backupLine({ backup }: State, now: Date): Line {
  const troubles = backupTroubles(backup, now);
  const words = troubles || `To ${backup.url}`;
  return ["Backup", troubles === "", words, lastBackup(backup, now)];
}

function linesOf(state: State, now: Date): Line[] {
  const { readiness, versions, jobs } = state;
  const { database, limits, migrations, problems } = readiness;
  const { gateway, node, postgres } = versions;
  const pending = migrations?.pending.length ?? 0;
  const bad = jobs.filter((job) => isLate(job) || job.failures > 0);
  const badNames = bad.map(({ name }) => name).join(", ");
  const [trouble = "on time"] = bad.map((job) => (job.failures > 0 ? "fails" : lateness(job)));
  const answer = database.answers ? `answers in ${database.milliseconds} ms` : "does not answer";
  const counting = limits.healthy ? "answers" : "does not answer";
  const schema = pending === 0 ? "all migrations applied" : `${pending} migrations missing`;
  const version = `Profile Access Gateway ${gateway} on Node.js ${node}`;
  return [
    ["Database", database.answers, `PostgreSQL ${postgres}`, answer],
    ["Limits", limits.healthy, `Counted in ${limits.engine}`, counting],
    ["Jobs", bad.length === 0, badNames || `${jobs.length} run in the background`, trouble],
    outboxLine(state),
    backupLine(state, now),
    ["Version", pending === 0, version, schema],
    ...problems.map((words): Line => ["Not ready", false, words, ""]),
  ];
}

const hrefs: Record<string, string> = { Outbox: "/admin/outbox", Backup: "/admin/backups" };

/** How the gateway is, one line for each part. */
export function Health({ state, now }: { state: State; now: Date }) {
  return (
    <ul className="divide-y divide-line box">
      {linesOf(state, now).map(([name, isWell, words, value]) => (
        <li key={`${name} ${words}`} className="flex flex-wrap items-center gap-x-3 px-4 py-2.5">
          <Icon
            icon={isWell ? "check" : "warning"}
            className={`size-5 ${isWell ? "text-open" : "text-danger"}`}
          />
          <span className="font-semibold rail:w-28">
            {hrefs[name] === undefined ? (
              name
            ) : (
              <Link href={hrefs[name]} className="link">
                {name}
              </Link>
            )}
            <span className="sr-only">{isWell ? ": in order" : ": needs a look"}</span>
          </span>
          <span className="order-last basis-full pl-8 wrap-anywhere text-muted rail:order-none rail:flex-1 rail:basis-40 rail:pl-0">
            {words}
          </span>
          <span className={`ml-auto ${isWell ? "" : "font-medium text-danger"}`}>{value}</span>
        </li>
      ))}
    </ul>
  );
}
