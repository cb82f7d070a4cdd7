import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Env, environmentWith } from "../env";

export interface SpawnedBackup {
  /** The sentence that it ended with, and whether it succeeded. */
  done: Promise<{ succeeded: boolean; sentence: string }>;
  stop(): void;
}

/**
 * Runs `npm run backup` beside this process, which goes on undisturbed, on the same database. `by` is `gateway` or the id
 * of an admin.
 */
export function spawnBackup(by: string, env: Env): SpawnedBackup {
  const words = ["server/run.mjs", "server/backup/main.ts", "--by", by];
  const child = spawn(process.execPath, words, {
    env: environmentWith(placesOf(env)),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      said = (said + chunk).slice(-1_000);
    });
  }
  const done = once(child, "close").then(([code]) => ({
    succeeded: code === 0,
    sentence: said.trim(),
  }));
  return { done, stop: () => void child.kill() };
}

function placesOf({ DATABASE_URL = "", DATA_FOLDER, BACKUP_URL = "" }: Env) {
  return { DATABASE_URL, DATA_FOLDER, BACKUP_URL };
}
