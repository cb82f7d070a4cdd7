import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { startRedisBridge } from "@/tests/support/redis-bridge";
import { randomOf } from "../../fuzz/random";
import { prepareApp } from "../apps";
import { mountDisk } from "../disk";
import type { Rig } from "../kinds/kind";
import { startRelay } from "../kinds/relay";
import type { Options } from "../options";
import { baseUrl, type World } from "../world";
import { startCluster } from "./cluster";
import { seedWorld } from "./seed";

/** Two gateways, and everything that they stand on, each in its own process. */
export interface Stand extends Rig {
  world: World;
  /** Where ledgers and logs are. */
  folder: string;
  logFiles: string[];
  /** Past the relay. */
  databaseUrl(): string;
  /** Why no disk can be filled here; null where one can. */
  noDisk: string | null;
}

/** What has been started so far, each with its end. */
export type Undo = (() => Promise<void>)[];

const raised = ["PROFILE", "ACCESS", "PROPOSE", "REVIEW", "MEMORIES", "PROPOSALS", "SESSION"];
const limits = Object.fromEntries(raised.map((name) => [`LIMIT_${name}`, "10000000"]));
// A count that was told of is there after a crash too, as at Upstash.
const redisKeeps = ["--appendonly", "yes", "--appendfsync", "always"];

export async function setUp(options: Options, undo: Undo): Promise<Stand> {
  const folder = await mkdtemp(path.join(tmpdir(), "gateway-faults-"));
  if (!options.keep) undo.push(() => rm(folder, { recursive: true, force: true }));
  const mounted = await mountDisk(path.join(folder, "disk"), 500 + 40 * options.minutes);
  const disk = typeof mounted === "string" ? null : mounted;
  if (disk !== null) undo.push(() => disk.unmount());
  const dataFolder = path.join(folder, "disk/postgres");
  const postgresLog = path.join(folder, "postgres.log");
  const cluster = await startCluster({ dataFolder, logFile: postgresLog });
  undo.push(() => cluster.stop());
  const random = randomOf(options.seed, 0);
  const relay = await startRelay(cluster.port, random);
  undo.push(async () => relay.stop());
  const redis = await startRedisBridge(redisKeeps);
  undo.push(redis.stop);
  const env = {
    ...limits,
    DATA_FOLDER: folder,
    DATABASE_URL: cluster.urlAt(relay.port),
    DATABASE_POOL_MAX: "10",
    PUBLIC_URL: baseUrl,
    PEER_LIMIT: "1000000",
    MAX_CONNECTIONS_PER_PEER: "100000",
    // What is sent again much later must be refused for its nonce, not for its age.
    SIGNATURE_SKEW_SECONDS: "3600",
    UPSTASH_REDIS_REST_URL: redis.url,
    UPSTASH_REDIS_REST_TOKEN: redis.token,
  };
  const apps = await Promise.all(
    ["gateway-0", "gateway-1"].map((name) => prepareApp({ name, folder, env })),
  );
  undo.push(async () => void (await Promise.all(apps.map((app) => app.close()))));
  for (const app of apps) await app.start();
  const databaseUrl = () => cluster.urlAt(cluster.port());
  return {
    apps,
    cluster,
    relay,
    redis,
    disk,
    random,
    slow: options.slow,
    world: await seedWorld(databaseUrl(), 20 * options.minutes),
    folder,
    databaseUrl,
    logFiles: [postgresLog, ...apps.map(({ logFile }) => logFile)],
    noDisk: typeof mounted === "string" ? mounted : null,
  };
}
