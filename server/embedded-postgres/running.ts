import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "./holder";
import { readPasswords } from "./initialise";
import { hasCode } from "./refusal";
import { DATABASE, ROLE } from "./start";

/** Where the PostgreSQL of a gateway that runs on this folder listens; null where none does. */
export async function findRunning(dataFolder: string): Promise<string | null> {
  const file = join(dataFolder, "postmaster.pid");
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return "";
    throw error;
  });
  const [pid, , , port] = text.split("\n");
  if (!pid || !port || !isAlive(Number(pid))) return null;
  const passwords = await readPasswords(dataFolder);
  return `postgresql://${ROLE}:${passwords.gateway}@127.0.0.1:${Number(port)}/${DATABASE}`;
}
