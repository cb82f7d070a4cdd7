import path from "node:path";
import { checkBackup } from "@/lib/engine/backup/check-backup";
import { targetOf } from "@/lib/engine/backup/target/open-target";
import { listBackups } from "@/lib/engine/backup/target/retention";
import type { Engine } from "@/lib/engine/engine";
import { jobStates } from "@/lib/services/admin/system/job-states";
import { outboxHealth } from "@/lib/services/admin/system/outbox";
import { contextOf } from "@/lib/services/context";
import { goneCopies } from "@/lib/services/gone/gone-targets";
import { type Check, note, ok, problem } from "./check";

// What must not be lost: backups, the list of what they must not bring back, and messages.

const backupHoursMax = 36;
const waitingMinutesMax = 15;
// Rows younger than this may not be copied yet.
const copiedMsMax = 60_000;

export function keptChecks(engine: Engine): Check[] {
  return [
    { name: "Backup", run: () => checkNewest(engine), msMax: 120_000 },
    { name: "Erasures", run: () => checkGone(engine), msMax: 20_000 },
    { name: "Outbox", run: () => checkOutbox(engine) },
    { name: "Jobs", run: () => checkJobs(engine) },
  ];
}

async function checkNewest({ env, now }: Engine) {
  const target = targetOf(env);
  const [newest] = await listBackups(target);
  if (newest === undefined)
    return problem(`None in ${target.description}: npm run backup makes one.`);
  const { name, summary } = newest;
  if (summary === null) return problem(`${name} is not whole: npm run backup makes another.`);
  const hours = Math.floor((now().getTime() - Date.parse(summary.madeAt)) / 3_600_000);
  const text = `${name} in ${target.description} is ${hours} hours old`;
  if (hours > backupHoursMax) {
    return problem(
      `${text}: npm run backup makes one; /admin/backups says how the last night went.`,
    );
  }
  if (target.isElsewhere) return note(`${text}. Its content was not read.`);
  const file = path.join(target.folder, name);
  await checkBackup({ file, passphrase: env.BACKUP_PASSPHRASE });
  const whole = `${text}, and every byte of it is as it was written.`;
  if (env.BACKUP_URL !== undefined) return ok(whole);
  return note(`${whole} It is lost with this disk: set BACKUP_URL.`);
}

/** Whether each copy of "Gone" has the last row that it must have. */
async function checkGone({ env, db, now }: Engine) {
  const until = new Date(now().getTime() - copiedMsMax);
  const last = await db.gone.findFirst({ where: { at: { lt: until } }, orderBy: { id: "desc" } });
  if (last === null) return ok("Nothing was erased or revoked.");
  for (const copy of goneCopies(env)) {
    const lines = await copy.read(last.at);
    const again = "start the gateway again, which writes it";
    if (lines === null) return problem(`${copy.name} is missing: ${again}.`);
    if (lines.gaps.length > 0)
      return problem(`${copy.name} has gaps: move it aside, and ${again} in full.`);
    const key = Buffer.from(last.key);
    if (!lines.entries.some((entry) => key.equals(entry.key))) {
      return problem(
        `${copy.name} lacks what was erased last: start the gateway again, which adds it.`,
      );
    }
  }
  return ok("The list for restores is whole.");
}

async function checkOutbox(engine: Engine) {
  const ctx = contextOf(engine, { kind: "shell" });
  const { waiting, oldestSeconds, givenUp, pausedWebhooks } = await outboxHealth(ctx, engine);
  const minutes = Math.floor(oldestSeconds / 60);
  if (minutes > waitingMinutesMax) {
    return problem(`${waiting} wait, the oldest for ${minutes} minutes: /admin/outbox says why.`);
  }
  const text = `${waiting} wait; ${givenUp} were given up within a day; ${pausedWebhooks} webhooks are paused.`;
  return givenUp > 0 ? problem(`${text} /admin/outbox says why.`) : ok(text);
}

async function checkJobs(engine: Engine) {
  const states = await jobStates(contextOf(engine, { kind: "shell" }));
  const failing = states.filter(({ failure }) => failure !== null);
  if (failing.length === 0) return ok("None fails.");
  return problem(failing.map(({ name, failure }) => `${name}: ${failure}`).join("; "));
}
