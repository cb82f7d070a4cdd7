import { constants, setPriority } from "node:os";
import { parseArgs } from "node:util";
import { refuseOthersTables } from "@/lib/engine/backup/catalog";
import { BackupRefused } from "@/lib/engine/backup/refused";
import { targetOf } from "@/lib/engine/backup/target/open-target";
import { createEngine, type Engine } from "@/lib/engine/engine";
import { loadEnv, readEnvFile } from "@/lib/engine/env";
import { createLog } from "@/lib/engine/log";
import type { Caller } from "@/lib/rules/may";
import { recordBackup } from "@/lib/services/backup/record-backup";
import { contextOf } from "@/lib/services/context";
import { reachDatabase } from "../database";
import { explainRefusal } from "../refusals";
import { withClient } from "../restore/client";
import { dropReplaced } from "../restore/databases";
import { backUp } from "./back-up";

// npm run backup: while the gateway runs or not. The gateway starts it every night, and for an admin.

async function main(): Promise<void> {
  // The gateway comes first.
  setPriority(constants.priority.PRIORITY_LOW);
  const caller = callerOf(process.argv.slice(2));
  readEnvFile(".env");
  const env = loadEnv();
  const log = createLog({ level: "error" });
  const database = await reachDatabase(env, log);
  const engine = createEngine({ ...env, DATABASE_URL: database.url }, log);
  try {
    await refuseEmpty(engine);
    const { file, bytes, tookMs } = await withClient(database.url, async (client) => {
      // Admins and restores see by this connection that a backup is being made, until it is stored.
      await client.query("SET application_name = 'gateway-backup'");
      const outcome = await recordBackup(
        contextOf(engine, caller),
        async () => {
          await refuseOthersTables(client);
          return backUp(env, database.url, engine.now());
        },
        (error) => explainRefusal(error) ?? "The backup failed: npm run backup says more.",
      );
      await dropReplaced(client, client.database ?? "", engine.now());
      return outcome;
    });
    const size = `${(bytes / 1e6).toFixed(1)} MB`;
    const seconds = `${(tookMs / 1_000).toFixed(1)} s`;
    const cover = env.BACKUP_PASSPHRASE === undefined ? "not encrypted" : "encrypted";
    const place = targetOf(env).description;
    process.stdout.write(`${file} is in ${place} (${size}, ${seconds}, ${cover}).\n`);
  } finally {
    await engine.stop();
    await database.stop();
  }
}

function callerOf(args: string[]): Caller {
  const { by } = parseArgs({ args, options: { by: { type: "string" } } }).values;
  if (by === undefined) return { kind: "shell" };
  if (by === "gateway") return { kind: "gateway" };
  return { kind: "person", userId: by, role: "admin", sessionId: null };
}

async function refuseEmpty({ pool }: Engine): Promise<void> {
  const { rows } = await pool.query(`SELECT to_regclass('"Job"') IS NULL AS "isEmpty"`);
  if (rows[0]?.isEmpty) {
    throw new BackupRefused("The database is empty: start the gateway once.");
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`${explainRefusal(error) ?? text}\n`);
    process.exit(1);
  },
);
