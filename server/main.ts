import { createEngine, type Engine, installEngine } from "@/lib/engine/engine";
import { type Env, loadEnv, publishEnv, readEnvFile } from "@/lib/engine/env";
import { createLog, type Log, outliveReaders } from "@/lib/engine/log";
import { migrate } from "@/lib/engine/migrate";
import { publishSessionSecret } from "@/lib/engine/session-secret";
import { deliverySinks, gatewayJobs } from "@/lib/services/gateway-jobs";
import { startNightly } from "./backup/nightly";
import { banner } from "./banner";
import { type Database, openDatabase } from "./database";
import { startDeliveries } from "./deliveries";
import { fillWithDemo, firstAdminLink, refuseOccupied } from "./first-steps";
import { createFrontDoor } from "./front-door/front-door";
import { protocolRoute } from "./front-door/protocol-routes";
import { startJobs } from "./jobs/jobs";
import { listen } from "./listen";
import { preparePages } from "./pages";
import { explainRefusal } from "./refusals";
import { refuseUnconfirmed, unconfirmedFlag } from "./restore/databases";
import { openSockets, stopServer } from "./stop";

const root = process.cwd();
const development = process.argv.includes("--dev");
const asksForDemo = process.argv.includes("--demo");

// Closed in this order: dependents come first.
const closing: (() => Promise<void>)[] = [];

async function start(): Promise<void> {
  readEnvFile(".env");
  const given = loadEnv();
  const env: Env = development ? { ...given, NODE_ENV: "development" } : given;
  const log = createLog({ level: env.LOG_LEVEL });
  publishEnv({ NEXT_TELEMETRY_DISABLED: "1" });
  try {
    await open(env, log);
  } catch (error) {
    await close(log);
    throw error;
  }
}

async function open(env: Env, log: Log): Promise<void> {
  const opening = openDatabase(env, log);
  // A failed opening is reported where it is awaited.
  closing.unshift(async () => (await opening.catch(() => null))?.stop());
  const [database, pages] = await Promise.all([opening, preparePages({ root, development, say })]);
  const engine = installEngine(createEngine({ ...env, DATABASE_URL: database.url }, log));
  closing.unshift(() => engine.stop());
  await prepareTables(engine, database);
  await engine.settings.refresh();
  engine.settings.watch();
  if (asksForDemo) await refuseOccupied(engine);
  await publishSessionSecret(env, engine.pool);
  startBackground(engine);

  // In development, Next.js answers everything, because it reloads changed code.
  const server = development
    ? createFrontDoor({ engine, next: pages.handle, upgrade: pages.upgrade })
    : createFrontDoor({ engine, next: pages.handle, protocolRoute, actions: pages.actions });
  const sockets = openSockets(server);
  // Streams of open pages would delay the stop.
  closing.unshift(
    () => engine.live.stop(),
    () => stopServer(server, sockets),
  );
  const port = await listen(server, env.HOST, env.PORT);
  engine.address = env.PUBLIC_URL[0] ?? `http://localhost:${port}`;
  const { address } = engine;
  closing.unshift(startDeliveries(engine, deliverySinks).stop);
  publishEnv({
    NEXTAUTH_URL: address,
    // By the name that a page without PUBLIC_URL shows as its own.
    __NEXT_PRIVATE_ORIGIN: `http://localhost:${port}`,
  });
  const demo = asksForDemo ? await fillWithDemo(engine, address) : null;
  const adminLink = await firstAdminLink(engine, address);
  let stopping = false;
  const stop = async (reason: string, code?: number) => {
    if (stopping) return;
    stopping = true;
    log.info("stopping", { signal: reason });
    await close(log);
    process.exit(code ?? process.exitCode);
  };
  process.on("SIGTERM", (signal) => void stop(signal));
  process.on("SIGINT", (signal) => void stop(signal));
  database.lost.catch((error: Error) => {
    log.error(error.message);
    void stop("database lost", 1);
  });
  say(banner({ engine, address, database, adminLink, demo }));
}

async function prepareTables({ pool }: Engine, database: Database): Promise<void> {
  await migrate(pool, `${root}/prisma`, database);
  // A restore may have replaced the rows since the database was opened: migrations wait for its end.
  await refuseUnconfirmed(pool);
}

function startBackground(engine: Engine): void {
  const jobs = startJobs(engine, gatewayJobs);
  const nightly = startNightly(engine);
  closing.unshift(
    () => nightly.stop(),
    () => jobs.stop(),
  );
}

// Each has its turn whatever became of the one before: the database must not outlive us.
async function close(log: Log): Promise<void> {
  for (const step of closing) {
    await step().catch((error: unknown) => log.error("a step of stopping failed", { error }));
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

outliveReaders();
// A restore that looks whether the gateway starts is gone.
if (process.argv.includes(unconfirmedFlag)) process.once("disconnect", () => process.exit(1));
start().catch((error: unknown) => {
  const sentence = explainRefusal(error);
  const text = error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${sentence ?? text}\n`);
  process.exit(1);
});
