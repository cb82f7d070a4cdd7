import { BackupRefused } from "@/lib/engine/backup/refused";
import { ConfigurationError } from "@/lib/engine/env";
import { MigrationError } from "@/lib/engine/migrate";
import { StartRefused } from "./embedded-postgres/refusal";

/** Returns what a person can do about it, in one sentence; null for a bug of ours. */
export function explainRefusal(error: unknown): string | null {
  if (
    error instanceof StartRefused ||
    error instanceof ConfigurationError ||
    error instanceof BackupRefused ||
    error instanceof MigrationError
  ) {
    return error.message;
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code.startsWith("ERR_PARSE_ARGS")) return error instanceof Error ? error.message : null;
  return databaseRefusals[code] ?? null;
}

const unreachable =
  "The database that DATABASE_URL names does not answer. Check its address and that it runs.";

const databaseRefusals: Record<string, string> = {
  ECONNREFUSED: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  "28P01": "The database refuses the password in DATABASE_URL.",
  "28000": "The database refuses the user in DATABASE_URL.",
  "3D000": "The database server has no database of the name in DATABASE_URL. Create it first.",
  "55000":
    "A restore of this database was interrupted: run npm run restore again, with the same file.",
  "42501": "The user in DATABASE_URL may not create tables in that database.",
};
