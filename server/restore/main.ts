import { createWriteStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { BackupRefused } from "@/lib/engine/backup/refused";
import { targetOf } from "@/lib/engine/backup/target/open-target";
import { isBackupName } from "@/lib/engine/backup/target/retention";
import { type BackupTarget, localFile } from "@/lib/engine/backup/target/target";
import { loadEnv, readEnvFile } from "@/lib/engine/env";
import { createLog } from "@/lib/engine/log";
import { explainRefusal } from "../refusals";
import { afterCopy } from "./after-copy";
import { checkHealth } from "./health-check";
import { restore } from "./restore";

// npm run restore FILE: a file, or the name of one where BACKUP_URL keeps them.

const usage = `
  npm run restore <file>   puts a backup in the place of the database, which is saved first
`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    // The gateway's own first page has started it.
    options: { help: { type: "boolean", short: "h" }, page: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const [named, ...more] = positionals;
  if (values.help) return say(usage);
  if (named === undefined || more.length > 0) throw new BackupRefused(`Name one file.${usage}`);
  readEnvFile(".env");
  const env = loadEnv();
  const log = createLog({ level: "error" });
  const target = targetOf(env);
  const { file, isCopy } = await findFile(target, named);
  try {
    if (isCopy) await fetchFile(target, named, file);
    const now = new Date();
    const { manifest, restorePoint, notes } = await restore({
      env,
      log,
      now,
      file,
      by: values.page ? "gateway" : "shell",
      afterCopy,
      checkHealth,
    });
    // A note says that some of it may be back.
    const without = notes.length === 0 ? ", without what was erased or revoked since" : "";
    say(`The database is as it was at ${manifest.madeAt}${without}.`);
    say("Start the gateway. Everybody signs in again.");
    if (restorePoint !== null) say(`What it was before is in ${restorePoint}.`);
    for (const note of notes) say(note);
  } finally {
    if (isCopy) await rm(file, { force: true });
  }
}

/** Returns the file's path, and whether it is first copied there. */
async function findFile(target: BackupTarget, named: string) {
  const isHere = await stat(named).then(
    (found) => found.isFile(),
    () => false,
  );
  const objects = isHere || !isBackupName(named) ? [] : await target.list();
  if (objects.every(({ name }) => name !== named)) return { file: named, isCopy: false };
  return { file: localFile(target, named), isCopy: target.isElsewhere };
}

async function fetchFile(target: BackupTarget, named: string, file: string): Promise<void> {
  try {
    await mkdir(target.folder, { recursive: true, mode: 0o700 });
    await pipeline(await target.read(named), createWriteStream(file, { mode: 0o600 }));
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    if (code === "") throw cause;
    const advice = ["ENOSPC", "EDQUOT"].includes(code) ? "free some space, and " : "";
    throw new BackupRefused(
      `${named} could not be copied to ${target.folder} (${code}), and the database is as it was: ${advice}restore again.`,
      { cause },
    );
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${explainRefusal(error) ?? text}\n`);
    process.exit(1);
  },
);
