import { measured, wired } from "./endpoints/all";
import { rssMbOf, send, startGateway } from "./processes";
import { quantile } from "./quantile";
import { type Bench, turn } from "./rounds";

// What is measured beside the endpoints: how fast it starts, what it holds on to, and what a second process adds.

export interface Memory {
  requests: number;
  /** After each tenth of the requests. */
  rssMb: number[];
}

const parts = 10;

/** Reads, one after the other part, and what the process holds after each. */
export async function soak(bench: Bench, requests: number): Promise<Memory> {
  const [profile] = measured;
  if (profile === undefined) throw new Error("nothing to measure");
  const { folder, gateway, world, database, options } = bench;
  const rssMb: number[] = [];
  for (let part = 0; part < parts; part++) {
    const place = { world, databaseUrl: database.url, origin: gateway.url.origin };
    const askings = await profile.askings(Math.ceil(requests / parts), place);
    const bytes = wired(askings, gateway.url.host);
    await send(folder, { ...options, url: gateway.url, requests: bytes, seconds: 600 });
    rssMb.push(await rssMbOf(gateway.pid));
  }
  return { requests, rssMb };
}

const startsCount = 5;

export interface Pair {
  /** The one in the middle of a few. */
  startMs: number;
  /** Requests a second of the two together, as a multiple of one alone. */
  times: number;
}

/** A second process on the same database, which it finds as it is: how fast it starts, and what it adds. */
export async function measurePair(bench: Bench): Promise<Pair> {
  const [profile] = measured;
  if (profile === undefined) throw new Error("nothing to measure");
  const { database, gateway } = bench;
  const start = () => startGateway({ DATA_FOLDER: bench.folder, DATABASE_URL: database.url });
  const starts: number[] = [];
  for (let n = 1; n < startsCount; n++) {
    const one = await start();
    starts.push(one.startMs);
    await one.stop();
  }
  const second = await start();
  starts.push(second.startMs);
  try {
    await turn(bench, profile, second);
    const alone = await turn(bench, profile, gateway);
    const both = await Promise.all([
      turn({ ...bench, folder: `${bench.folder}/one` }, profile, gateway),
      turn({ ...bench, folder: `${bench.folder}/two` }, profile, second),
    ]);
    const together = both.reduce((sum, { perSecond }) => sum + perSecond, 0);
    return { startMs: quantile(starts, 0.5), times: together / alone.perSecond };
  } finally {
    await second.stop();
  }
}
