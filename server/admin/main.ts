import path from "node:path";
import { createEngine, installEngine } from "@/lib/engine/engine";
import { loadEnv, readEnvFile } from "@/lib/engine/env";
import { createLog } from "@/lib/engine/log";
import { migrate } from "@/lib/engine/migrate";
import { GatewayError } from "@/lib/protocol/errors";
import { contextOf } from "@/lib/services/context";
import { reachDatabase } from "../database";
import { explainRefusal } from "../refusals";
import { readCommand, runCommand, UsageError, usage } from "./commands";

// npm run admin -- …: for a person with a shell on the gateway's machine, while it runs or not.

async function main(): Promise<void> {
  const command = readCommand(process.argv.slice(2));
  if (command === null) return say(usage);
  readEnvFile(".env");
  const env = loadEnv();
  const log = createLog({ level: "error" });
  const database = await reachDatabase(env, log);
  const engine = installEngine(createEngine({ ...env, DATABASE_URL: database.url }, log));
  try {
    await migrate(engine.pool, path.resolve("prisma"), database);
    const [known] = env.PUBLIC_URL;
    const ctx = contextOf(engine, { kind: "shell" });
    const output = await runCommand(ctx, command, known ?? `http://localhost:${env.PORT}`);
    say(output);
    if (known === undefined && output.includes("/link/")) say(elsewhere);
  } finally {
    await engine.stop();
    await database.stop();
  }
}

const elsewhere =
  "  PUBLIC_URL is not set: where the gateway is reached at another address, put that before /link.";

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Ends with 1 where it could not be done, and with 2 where it was not understood. */
function explain(error: unknown): number {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n${usage}\n`);
    return 2;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${refusalOf(error) ?? explainRefusal(error) ?? text}\n`);
  return 1;
}

function refusalOf(error: unknown): string | null {
  if (!(error instanceof GatewayError)) return null;
  const issues: unknown = error.details?.issues;
  const [issue] = Array.isArray(issues) ? issues : [];
  return issue?.message ?? error.message;
}

main().then(
  () => process.exit(0),
  (error: unknown) => process.exit(explain(error)),
);
