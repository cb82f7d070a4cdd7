import { readArgs, readWhole } from "@/bench/tool";
import { UsageError } from "@/cli/failure";
import type { Area } from "./browse";
import type { Crowd } from "./seed/people";
import type { Amounts } from "./seed/seed";

export interface Options {
  area: Area;
  /** What the profile has, for the dashboard. */
  amounts: Amounts;
  /** Who there is, for the admin pages. */
  crowd: Crowd;
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

export const usage = `Loads every page of the dashboard, or with --admin of the admin pages and the lists under
/api/admin, with years of data behind it, and measures.

  npm run bench:pages
  npm run bench:pages -- --admin

  --memories, --proposals, --events    how many the profile has (10000, 10000, 100000)
  --users, --agents, --actions         with --admin: how many there are (10000, 1000, 10000)
  --loads       timed loads of each page (50)
  --watched     loads of each page over which the memory of the process is watched (200)
  --url         a gateway that runs already and is full, instead of one of its own, with
                --email and --password of whoever signs in
  --pid         with --url: its process, on this machine

Pages are found by following links from the first one. Ends with 0 where every bound holds, 1 where one
is broken, 2 where it could not start.
`;

const most = 1_000_000_000;

const definitions = {
  memories: { type: "string", default: "10000" },
  proposals: { type: "string", default: "10000" },
  events: { type: "string", default: "100000" },
  admin: { type: "boolean", default: false },
  users: { type: "string", default: "10000" },
  agents: { type: "string", default: "1000" },
  actions: { type: "string", default: "10000" },
  loads: { type: "string", default: "50" },
  watched: { type: "string", default: "200" },
  url: { type: "string" },
  email: { type: "string" },
  password: { type: "string" },
  pid: { type: "string" },
} as const;

export function readOptions(args: string[]): Options {
  const values = readArgs(args, definitions);
  const { url, email, password, pid } = values;
  if (url !== undefined && (email === undefined || password === undefined)) {
    throw new UsageError("--url needs --email and --password.");
  }
  return {
    area: values.admin ? "admin" : "dashboard",
    crowd: {
      users: readWhole("users", values.users, 1, most),
      agents: readWhole("agents", values.agents, 1, most),
      actions: readWhole("actions", values.actions, 1, most),
    },
    amounts: {
      memories: readWhole("memories", values.memories, 1, most),
      proposals: readWhole("proposals", values.proposals, 1, most),
      events: readWhole("events", values.events, 1, most),
    },
    loads: readWhole("loads", values.loads, 1, most),
    watched: readWhole("watched", values.watched, 1, most),
    running:
      url === undefined
        ? null
        : {
            url,
            email: email ?? "",
            password: password ?? "",
            process:
              pid === undefined ? null : { pid: readWhole("pid", pid, 1, most), settles: false },
          },
  };
}
