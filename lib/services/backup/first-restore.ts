import { isUnconfirmed } from "@/lib/engine/backup/restore-state";
import { spawnRestore } from "@/lib/engine/backup/spawn-backup";
import { targetOf } from "@/lib/engine/backup/target/open-target";
import { type KnownBackup, listBackups } from "@/lib/engine/backup/target/retention";
import type { Engine } from "@/lib/engine/engine";
import { publishSessionSecret } from "@/lib/engine/session-secret";
import { notFound, notNow } from "@/lib/protocol/errors";
import { findLink } from "../accounts/links";
import type { Ctx } from "../context";
import { notesOfRestore } from "./record-backup";

// A gateway that nobody has used yet is filled with a backup by the holder of the link for its first admin.

const listedMax = 30;

/** Returns the newest backups that are found, for a link that may restore one; null for any other. */
export async function findRestorable(
  ctx: Ctx,
  { env, log }: Engine,
  token: string,
): Promise<KnownBackup[] | null> {
  if (!(await isFirstAdmins(ctx, token))) return null;
  try {
    return (await listBackups(targetOf(env))).slice(0, listedMax);
  } catch (error) {
    // A file can be named all the same.
    log.warn("the backups cannot be listed", { error });
    return [];
  }
}

export interface FirstRestore {
  token: string;
  /** A path on this machine, or the name of a backup that is kept. */
  file: string;
  passphrase: string | null;
}

let isRestoring = false;

/** Restores a backup beside this process, which goes on with what it holds. Returns what an admin has to know. */
export async function restoreFirst(
  ctx: Ctx,
  { env, pool, log }: Engine,
  { token, ...input }: FirstRestore,
): Promise<string[]> {
  if (!(await isFirstAdmins(ctx, token))) throw notFound("link");
  // The restore looks again, beside the swap.
  if ((await ctx.db.user.count({ take: 1 })) > 0) {
    throw notNow("People have accounts here already: stop the gateway, and run npm run restore.");
  }
  // One at a time: if two ran, the failure of one would say nothing about the database.
  if (isRestoring) throw notNow("Another restore is running: wait for its end.");
  isRestoring = true;
  const { ended, sentence } = await spawnRestore(input, env).done.finally(() => {
    isRestoring = false;
  });
  if (ended !== "well") {
    log.error("a restore failed");
    // A database that cannot be read may be half swapped.
    if (await isUnconfirmed(pool).catch(() => true)) endGateway(log);
    throw notNow(explain(ended, sentence));
  }
  await publishSessionSecret(env, pool);
  const notes = await notesOfRestore(ctx);
  log.info("a backup is restored");
  return notes;
}

/** Stops serving a database whose restore was interrupted. The next start undoes the restore, or says what to do. */
function endGateway(log: Engine["log"]): never {
  log.error("a restore was interrupted, so the gateway stops: start it again");
  process.exitCode = 1;
  process.kill(process.pid, "SIGTERM");
  throw notNow("The restore was interrupted, and the gateway stops: start it again.");
}

async function isFirstAdmins(ctx: Ctx, token: string): Promise<boolean> {
  return (await findLink(ctx, token))?.purpose === "first_admin";
}

// The program ends with one sentence where it has left everything as it was, and with a stack for a bug.
function explain(ended: "badly" | "killed", said: string): string {
  if (ended === "badly" && !said.includes("\n")) return `${said} Nothing was changed.`;
  const what = ended === "killed" ? "was ended from outside" : "failed";
  return `The restore ${what}. Start the gateway again, which ends what is left of it; then npm run restore says more.`;
}
