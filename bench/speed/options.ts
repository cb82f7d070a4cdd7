import { readArgs, readWhole } from "@/bench/tool";

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

export const usage = `Measures each endpoint, beside a floor written by hand.

  npm run bench

  --seconds      of each measurement (4)
  --rounds       turns that floor and gateway take on an endpoint (3)
  --connections  held open by the load (32)
  --soak         requests of the long run that watches memory (200000); 0 leaves it out
  --grown        memories, events and nonces that the growth is measured with (1000000); 0 leaves it out
  --no-pair      without two processes on one database
  --only         endpoints, comma-separated: profile, memories, propose, access, review, mcp, token
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
  const { "no-pair": alone, only, profile, write, ...counts } = readArgs(args, definitions);
  return {
    seconds: readWhole("seconds", counts.seconds, 1, 600),
    rounds: readWhole("rounds", counts.rounds, 1, 50),
    connections: readWhole("connections", counts.connections, 1, 1_000),
    soak: readWhole("soak", counts.soak, 0, 10_000_000),
    grown: readWhole("grown", counts.grown, 0, 10_000_000),
    pair: !alone,
    only: only?.split(",") ?? null,
    profile,
    write: write ?? null,
  };
}
