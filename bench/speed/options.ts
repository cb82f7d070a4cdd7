import { parseArgs } from "node:util";

export interface Options {
  /** Seconds of each measurement. */
  seconds: number;
  /** Times that floor and gateway take turns on an endpoint. */
  rounds: number;
  connections: number;
  /** Requests of the long run that watches memory; 0 leaves it out. */
  soak: number;
  /** Rows of memories, events and nonces that the growth is measured with; 0 leaves it out. */
  grown: number;
  /** Two processes on one database, too. */
  pair: boolean;
  only: string[] | null;
  /** Whether to tell where the gateway's own CPU went; measuring it costs some. */
  profile: boolean;
  /** Where the table goes; null only prints it. */
  write: string | null;
}

export class UsageError extends Error {}

export const usage = `Measures each endpoint with signed requests, beside a floor written by hand.

  npm run bench

  --seconds      of each measurement (4)
  --rounds       turns that floor and gateway take on an endpoint (3)
  --connections  held open by the load (32)
  --soak         requests of the long run that watches memory (200000); 0 leaves it out
  --grown        memories, events and nonces that the growth is measured with (1000000); 0 leaves it out
  --no-pair      without two processes on one database
  --only         endpoints, comma-separated: profile, memories, propose, access, review
  --profile      tells the ten functions in which the gateway spent most
  --write        a Markdown file whose marked part becomes the table

It starts its own gateway and database in a folder that is gone afterwards. Ends with 0 where every
target holds, 1 where one is missed, 2 where it could not start.
`;

const definitions = {
  seconds: { type: "string", default: "4" },
  rounds: { type: "string", default: "3" },
  connections: { type: "string", default: "32" },
  soak: { type: "string", default: "200000" },
  grown: { type: "string", default: "1000000" },
  "no-pair": { type: "boolean", default: false },
  only: { type: "string" },
  profile: { type: "boolean", default: false },
  write: { type: "string" },
} as const;

export function readOptions(args: string[]): Options {
  const { "no-pair": alone, only, profile, write, ...counts } = parsed(args);
  return {
    seconds: whole("seconds", counts.seconds, 1, 600),
    rounds: whole("rounds", counts.rounds, 1, 50),
    connections: whole("connections", counts.connections, 1, 1_000),
    soak: whole("soak", counts.soak, 0, 10_000_000),
    grown: whole("grown", counts.grown, 0, 10_000_000),
    pair: !alone,
    only: only?.split(",") ?? null,
    profile,
    write: write ?? null,
  };
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: definitions }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function whole(name: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`--${name} must be a whole number from ${least} to ${most}.`);
}
