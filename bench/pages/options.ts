import { parseArgs } from "node:util";
import type { Amounts } from "./seed/seed";

export interface Options {
  amounts: Amounts;
  /** Timed loads of a page. */
  loads: number;
  /** Loads of a page over which its memory is watched. */
  watched: number;
  /** A gateway that runs already; null starts one. */
  running: Running | null;
}

export interface Running {
  url: string;
  email: string;
  password: string;
  /** Where its memory is to be watched. */
  process: Watched | null;
}

export interface Watched {
  pid: number;
  /** Whether it was started with settle.mjs; another process would be ended by that signal. */
  settles: boolean;
}

export class UsageError extends Error {}

export const usage = `Loads every page of the dashboard with years of data behind it, and measures.

  npm run bench:pages

  --memories, --proposals, --events    how many the profile has (10000, 10000, 100000)
  --loads       timed loads of each page (40)
  --watched     loads of each page over which the memory of the process is watched (200)
  --url         a gateway that runs already and is full, instead of one of its own, with
                --email and --password of whoever signs in
  --pid         with --url: its process, on this machine

Pages are found by following links from the overview. Ends with 0 where every bound holds, 1 where one
is broken, 2 where it could not start.
`;

const definitions = {
  memories: { type: "string", default: "10000" },
  proposals: { type: "string", default: "10000" },
  events: { type: "string", default: "100000" },
  loads: { type: "string", default: "40" },
  watched: { type: "string", default: "200" },
  url: { type: "string" },
  email: { type: "string" },
  password: { type: "string" },
  pid: { type: "string" },
} as const;

export function readOptions(args: string[]): Options {
  const values = parsed(args);
  const { url, email, password, pid } = values;
  if (url !== undefined && (email === undefined || password === undefined)) {
    throw new UsageError("--url needs --email and --password.");
  }
  return {
    amounts: {
      memories: whole(values.memories, "--memories"),
      proposals: whole(values.proposals, "--proposals"),
      events: whole(values.events, "--events"),
    },
    loads: whole(values.loads, "--loads"),
    watched: whole(values.watched, "--watched"),
    running:
      url === undefined
        ? null
        : {
            url,
            email: email ?? "",
            password: password ?? "",
            process: pid === undefined ? null : { pid: whole(pid, "--pid"), settles: false },
          },
  };
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: definitions, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function whole(text: string, name: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`${name} must be a whole number above 0.`);
  return Number(text);
}
