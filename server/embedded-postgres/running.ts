import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { findHolder } from "./folder-lock";
import { readPasswords } from "./initialise";
import { hasCode, refusal, StartRefused } from "./refusal";
import { DATABASE, ROLE } from "./start";

/** Returns the address of the PostgreSQL that runs on this folder; null if none does. */
export async function findRunning(dataFolder: string): Promise<string | null> {
  try {
    const holder = await findHolder(dataFolder);
    if (holder?.kind !== "ours") return null;
    const text = await readFile(join(dataFolder, "postmaster.pid"), "utf8");
    const [, , , port] = text.split("\n");
    if (!port) return null;
    const passwords = await readPasswords(dataFolder);
    return `postgresql://${ROLE}:${passwords.gateway}@127.0.0.1:${Number(port)}/${DATABASE}`;
  } catch (error) {
    // It has stopped in between.
    if (hasCode(error, "ENOENT")) return null;
    if (!hasCode(error, "EACCES", "EPERM")) throw refusal(dataFolder, error);
    throw new StartRefused(
      `The data folder ${dataFolder} belongs to another user; run this as the one that runs the gateway.`,
      { cause: error },
    );
  }
}
