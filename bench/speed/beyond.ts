import { verification, verificationPath } from "./children/verification";
import { measured, signed } from "./endpoints";
import { type Listening, rssMbOf, send, startGateway } from "./processes";
import { quantile } from "./quantile";
import { packed, signedBytes, wireBytes } from "./requests";
import { type Bench, cpuPerRequestMs, turn } from "./rounds";

// What is measured beside the endpoints: what a refusal costs, how fast it starts, what it holds on to, and
// what a second process adds.

export interface Refusals {
  /** Milliseconds of the gateway's CPU, without what node:http itself takes. */
  badSignatureMs: number;
  malformedMs: number;
  /** What one Ed25519 verification adds to node:http, for comparison: under the same load, by the same clock. */
  verificationMs: number;
  /** The same in a loop, with nothing else for the processor to do. */
  loopMs: number;
}

const refusedCount = 8_000;
// What is only refused is compiled late: the first thousands cost up to twice as much.
const refusalWarmUps = 2;
const refusalRounds = 5;

export async function measureRefusals(bench: Bench): Promise<Refusals> {
  const { world, gateway, floor } = bench;
  const [caller, other] = world.agents;
  const [owner] = world.owners;
  if (caller === undefined || other === undefined || owner === undefined) throw new Error("empty");
  const target = `/prof/v1/profile/${owner.did}`;
  const authority = gateway.url.host;
  const forged = { did: caller.did, privateKey: other.privateKey };
  const bad = () => signedBytes({ caller: forged, method: "GET", target }, authority);
  const authorization = `PROF-Signature did="${caller.did}"`;
  const content = Buffer.alloc(0);
  const malformedAt = (path: string) => () =>
    wireBytes({ method: "GET", target: path, authority, authorization, content });
  const malformed = malformedAt(target);
  const cost = async (server: Listening, make: () => Buffer) => {
    const requests = packed(Array.from({ length: refusedCount }, make));
    return cpuPerRequestMs(bench, server, requests);
  };
  const rounds: Refusals[] = [];
  for (let round = -refusalWarmUps; round < refusalRounds; round++) {
    const plain = await cost(floor, malformed);
    const figures = {
      badSignatureMs: (await cost(gateway, bad)) - plain,
      malformedMs: (await cost(gateway, malformed)) - plain,
      verificationMs: (await cost(floor, malformedAt(verificationPath))) - plain,
      loopMs: loopMs(),
    };
    if (round >= 0) rounds.push(figures);
  }
  const middleOf = (figure: keyof Refusals) => {
    const all = rounds.map((one) => one[figure]);
    return quantile(all, 0.5);
  };
  return {
    badSignatureMs: middleOf("badSignatureMs"),
    malformedMs: middleOf("malformedMs"),
    verificationMs: middleOf("verificationMs"),
    loopMs: middleOf("loopMs"),
  };
}

const verifications = 5_000;

function loopMs(): number {
  const verifyOnce = verification();
  const began = process.cpuUsage();
  for (let n = 0; n < verifications; n++) verifyOnce();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000 / verifications;
}

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
    const askings = await profile.askings(Math.ceil(requests / parts), world, database.url);
    const bytes = signed(askings, gateway.url.host);
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
