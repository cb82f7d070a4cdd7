import { readArgs, readWhole } from "@/bench/tool";
import { UsageError } from "@/cli/failure";
import { kinds } from "./plan";

export interface Options {
  minutes: number;
  seed: number;
  /** Connections that are slow on purpose. */
  slow: number;
  /** Only these kinds of faults. */
  only: string[] | null;
  /** Leaves ledgers and logs where they are, and says where. */
  keep: boolean;
  /** Where the table goes; null only prints it. */
}

export const usage = `Breaks what two gateways on one database stand on, under load, and looks afterwards whether anything was
lost, doubled or let in.

  npm run faults -- --minutes 30

  --minutes  how long faults are injected (3); each kind comes once, and then by chance
  --seed     a whole number; the same one makes the same plan (the current second)
  --slow     connections that send their headers or bodies slowly (5000)
  --only     kinds of faults, comma-separated, as the report names them
  --keep     leaves the ledgers and logs, and says where

It starts its own PostgreSQL, Redis and gateways, on loopback and in a folder that is gone afterwards. As root it
puts the database on a disk in memory, to fill it up. Ends with 0 where every invariant holds, 1 where one does
not, 2 where it could not start.
`;

const definitions = {
  minutes: { type: "string", default: "3" },
  seed: { type: "string" },
  slow: { type: "string", default: "5000" },
  only: { type: "string" },
  keep: { type: "boolean", default: false },
} as const;

export function readOptions(args: string[]): Options {
  const { minutes, seed, slow, only, keep } = readArgs(args, definitions);
  return {
    minutes: readWhole("minutes", minutes, 1, 600),
    seed: readWhole("seed", seed ?? String(Math.floor(Date.now() / 1_000)), 0, 2 ** 40),
    slow: readWhole("slow", slow, 2, 20_000),
    only: only === undefined ? null : only.split(",").map(kindNamed),
    keep,
  };
}

function kindNamed(name: string): string {
  if (kinds.some((kind) => kind.name === name)) return name;
  throw new UsageError(`--only takes: ${kinds.map((kind) => kind.name).join(", ")}.`);
}
