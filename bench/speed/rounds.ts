import { wired } from "./endpoints/all";
import type { Measured } from "./endpoints/measured";
import type { Options } from "./options";
import { cpuOf, cpuOfFamily, type Database, type Listening, rssMbOf, send } from "./processes";
import type { World } from "./world";

export interface Bench {
  options: Pick<Options, "seconds" | "rounds" | "connections">;
  folder: string;
  database: Database;
  gateway: Listening;
  floor: Listening;
  world: World;
}

export interface Turn {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Milliseconds of CPU a request. */
  serverCpuMs: number;
  databaseCpuMs: number;
  rssMb: number;
  /** Answers that were not the success that was asked for. */
  failed: number;
}

export interface Figures {
  name: string;
  line: string;
  target: number;
  ratio: number;
  gateway: Turn;
  floor: Turn;
}

// The engine compiles what is hot only after some thousand times.
export const warmUps = 2;

/** Floor and gateway take turns, so that whatever else the machine does meets both. */
export async function measureEndpoint(bench: Bench, endpoint: Measured): Promise<Figures> {
  const { rounds } = bench.options;
  for (let warmUp = 0; warmUp < warmUps; warmUp++) await turn(bench, endpoint, bench.gateway);
  await turn(bench, endpoint, bench.floor);
  const floors: Turn[] = [];
  const gateways: Turn[] = [];
  for (let round = 0; round < rounds; round++) {
    floors.push(await turn(bench, endpoint, bench.floor));
    gateways.push(await turn(bench, endpoint, bench.gateway));
  }
  const { name, line, target } = endpoint;
  const floor = middle(floors);
  const gateway = middle(gateways);
  return { name, line, target, ratio: gateway.perSecond / floor.perSecond, gateway, floor };
}

// As many as a floor at its fastest could take here; what is over is not sent.
const perSecondMax = 4_000;
let signedPerSecond = 2_000;

export async function turn(bench: Bench, endpoint: Measured, server: Listening): Promise<Turn> {
  const { options, world, database, folder } = bench;
  const { seconds, connections } = options;
  const count = Math.ceil(seconds * signedPerSecond);
  const place = { world, databaseUrl: database.url, origin: server.url.origin };
  const requests = wired(await endpoint.askings(count, place), server.url.host);
  const before = await cpu(server, database);
  const sent = await send(folder, { url: server.url, requests, connections, seconds });
  const after = await cpu(server, database);
  if (sent.answered >= count && signedPerSecond < perSecondMax) signedPerSecond *= 1.5;
  const good = sent.outcomes["200"] ?? 0;
  const created = sent.outcomes["201"] ?? 0;
  return {
    perSecond: sent.answered / sent.seconds,
    p50Ms: sent.p50Ms,
    p99Ms: sent.p99Ms,
    serverCpuMs: ((after.server - before.server) * 1_000) / sent.answered,
    databaseCpuMs: ((after.database - before.database) * 1_000) / sent.answered,
    rssMb: await rssMbOf(server.pid),
    failed: sent.answered - good - created + (sent.outcomes.broken ?? 0),
  };
}

async function cpu(server: Listening, database: Database) {
  return { server: await cpuOf(server.pid), database: await cpuOfFamily(database.pid) };
}

/** The turn in the middle by its requests a second. */
export function middle(turns: Turn[]): Turn {
  const sorted = turns.toSorted((one, other) => one.perSecond - other.perSecond);
  return sorted[Math.floor((sorted.length - 1) / 2)] as Turn;
}
