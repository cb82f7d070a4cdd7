import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type Env, environmentWith } from "../env";

export interface SpawnedProgram {
  /** How it ended, and the sentence that it ended with. */
  done: Promise<{ ended: "well" | "badly" | "killed"; sentence: string }>;
  stop(): void;
}

/**
 * Runs `npm run backup` beside this process, which goes on undisturbed, on the same database. `by` is `gateway` or the id
 * of an admin.
 */
export function spawnBackup(by: string, env: Env): SpawnedProgram {
  const { DATABASE_URL = "" } = env;
  return spawnProgram(["server/backup/main.ts", "--by", by], { ...placesOf(env), DATABASE_URL });
}

/** Runs `npm run restore` beside this process. Everybody on the machine may read arguments: the passphrase is none. */
export function spawnRestore(
  { file, passphrase }: { file: string; passphrase: string | null },
  env: Env,
): SpawnedProgram {
  const secret: Record<string, string> =
    passphrase === null ? {} : { BACKUP_PASSPHRASE: passphrase };
  return spawnProgram(["server/restore/main.ts", "--page", "--", file], {
    ...placesOf(env),
    ...secret,
  });
}

function spawnProgram(words: string[], env: Record<string, string>): SpawnedProgram {
  const child = spawn(process.execPath, ["server/run.mjs", ...words], {
    env: environmentWith(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      said = (said + chunk).slice(-1_000);
    });
  }
  return { done: endOf(child, () => said.trim()), stop: () => void child.kill() };
}

async function endOf(child: ChildProcess, said: () => string): SpawnedProgram["done"] {
  try {
    const [code] = await once(child, "close");
    return { ended: code === 0 ? "well" : code === null ? "killed" : "badly", sentence: said() };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ended: "badly", sentence: `The program could not be started: ${reason}.` };
  }
}

function placesOf({ DATA_FOLDER, BACKUP_URL = "" }: Env) {
  return { DATA_FOLDER, BACKUP_URL };
}
