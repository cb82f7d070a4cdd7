import path from "node:path";
import { createEngine, installEngine } from "@/lib/engine/engine";
import { type Env, loadEnv, readEnvFile } from "@/lib/engine/env";
import { createLog } from "@/lib/engine/log";
import { migrate } from "@/lib/engine/migrate";
import { GatewayError } from "@/lib/protocol/errors";
import { contextOf } from "@/lib/services/context";
import { openDatabase } from "../database";
import { findRunning } from "../embedded-postgres/running";
import { explainRefusal } from "../refusals";
import { runCommand, usage } from "./commands";

// npm run admin -- …: for whoever has a shell on the gateway's machine, while it runs or not.

async function main(): Promise<number> {
  const words = process.argv.slice(2);
  readEnvFile(".env");
  const env = loadEnv();
  const log = createLog({ level: "error" });
  const database = await reachDatabase(env, log);
  const engine = installEngine(createEngine({ ...env, DATABASE_URL: database.url }, log));
  try {
    await migrate(engine.pool, path.resolve("prisma/migrations"));
    const address = env.PUBLIC_URL[0] ?? `http://localhost:${env.PORT}`;
    const ctx = contextOf(engine, { kind: "shell" });
    process.stdout.write(`${await runCommand(ctx, { words, address })}\n`);
    return 0;
  } finally {
    await engine.stop();
    await database.stop();
  }
}

// Beside a gateway that runs, on its PostgreSQL; else on one that is started for the moment.
async function reachDatabase(env: Env, log: ReturnType<typeof createLog>) {
  if (env.DATABASE_URL === undefined) {
    const url = await findRunning(path.resolve(env.DATA_FOLDER, "postgres"));
    if (url !== null) return { url, stop: async () => {} };
  }
  return openDatabase(env, log);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const known = error instanceof GatewayError ? error.message : explainRefusal(error);
    const text = error instanceof Error ? error.stack : String(error);
    process.stderr.write(`${known ?? text}\n${known === null ? "" : usage}\n`);
    process.exit(1);
  },
);
