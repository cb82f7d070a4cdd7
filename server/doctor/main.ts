import { existsSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { createEngine } from "@/lib/engine/engine";
import { ConfigurationError, type Env, loadEnv, readEnvFile, unknownIn } from "@/lib/engine/env";
import { createLog } from "@/lib/engine/log";
import { reachDatabase } from "../database";
import { explainRefusal } from "../refusals";
import { type Check, type Line, note, ok, problem, runChecks } from "./check";
import { checkSchema, databaseChecks } from "./database";
import { keptChecks } from "./kept";
import { checkDisk, checkFiles, checkNode } from "./machine";
import { checkAddress, checkClient, checkMail, checkProxy } from "./reach";

// npm run doctor: what is in order, and what to do about the rest; while the gateway runs or not.

const usage = `
  npm run doctor                     a line for each check; ends with 1 where there is something to do
  npm run doctor -- --json           the same for programs
  npm run doctor -- --mail ADDRESS   sends a mail there
  npm run doctor -- --client ADDRESS reads the description of a program there
`;

interface Wishes {
  mail: string | undefined;
  client: string | undefined;
}

const marks = { ok: "✓", note: "–", problem: "✗" } as const;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      help: { type: "boolean", short: "h" },
      json: { type: "boolean" },
      mail: { type: "string" },
      client: { type: "string" },
    },
  });
  const { help, json, mail, client } = values;
  if (help) return say(usage);
  const lines = await examine({ mail, client });
  if (json) say(JSON.stringify(lines, null, 2));
  else for (const { name, state, text } of lines) say(`${marks[state]} ${name}: ${text}`);
  return lines.some(({ state }) => state === "problem") ? 1 : 0;
}

async function examine(wishes: Wishes): Promise<Line[]> {
  const now = new Date();
  readEnvFile(".env");
  const found: { env?: Env } = {};
  const settings: Check = {
    name: "Settings",
    async run() {
      found.env = loadEnv();
      const unknown = unknownIn(".env");
      return unknown.length === 0
        ? ok("Each is valid.")
        : note(
            `Each is valid, but .env has ${unknown.join(", ")}, which the gateway does not know.`,
          );
    },
  };
  const lines = await runChecks([checkNode(process.versions.node, now), settings], explain);
  const { env } = found;
  if (env === undefined) return lines;
  const around: Check[] = [
    checkFiles(env),
    ...env.PUBLIC_URL.map((address) => checkAddress(address, now)),
    ...[checkProxy(env), checkMail(env, wishes.mail), checkClient(env, wishes.client)],
  ];
  return [...lines, ...(await runChecks(around, messageOf)), ...(await examineStored(env))];
}

/** What only the database knows. The embedded one is started for the moment where no gateway runs. */
async function examineStored(env: Env): Promise<Line[]> {
  const log = createLog({ level: "silent" });
  if (env.DATABASE_URL === undefined && !existsSync(path.resolve(env.DATA_FOLDER, "postgres"))) {
    return [{ name: "Database", ...note("There is none yet: npm start makes one.") }];
  }
  try {
    const database = await reachDatabase(env, log);
    const engine = createEngine({ ...env, DATABASE_URL: database.url }, log);
    try {
      const { rows } = await engine.pool.query<{ bytes: string; isEmpty: boolean }>(
        `SELECT pg_database_size(current_database()) AS bytes, to_regclass('"Job"') IS NULL AS "isEmpty"`,
      );
      const [{ bytes, isEmpty } = { bytes: "0", isEmpty: true }] = rows;
      const checks = [
        ...databaseChecks(database.url, env.DATABASE_URL === undefined),
        checkDisk(env, Number(bytes)),
        ...(isEmpty ? [] : [checkSchema(engine), ...keptChecks(engine)]),
      ];
      const lines = await runChecks(checks, explain);
      return isEmpty
        ? [...lines, { name: "Schema", ...note("None yet: npm start makes it.") }]
        : lines;
    } finally {
      await engine.stop();
      await database.stop();
    }
  } catch (error) {
    return [{ name: "Database", ...problem(explain(error)) }];
  }
}

function explain(error: unknown): string {
  if (error instanceof ConfigurationError) return error.problems.join("; ");
  return explainRefusal(error) ?? messageOf(error);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function say(text: string): number {
  process.stdout.write(`${text}\n`);
  return 0;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  },
);
