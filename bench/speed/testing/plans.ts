import type { PoolClient } from "pg";
import { z } from "zod";
import { createEngine, installEngine } from "@/lib/engine/engine";
import { loadEnv } from "@/lib/engine/env";
import { createLog } from "@/lib/engine/log";
import { createFrontDoor } from "@/server/front-door/front-door";
import { protocolRoute } from "@/server/front-door/protocol-routes";
import { listen } from "@/server/listen";
import { openSockets, stopServer } from "@/server/stop";
import { measured, wired } from "../endpoints/all";
import { send, unlimited } from "../processes";
import type { Bench } from "../rounds";

// How PostgreSQL finds what each endpoint asks for, told by its own auto_explain while a gateway in this
// process answers: every statement, those within functions and triggers too.

export interface Plan {
  endpoint: string;
  /** The name it was prepared under, or how it begins. */
  statement: string;
  /** The one in the middle. */
  ms: number;
  indexes: string[];
  /** Tables that were read from one end to the other or much of at once, and how many rows that was at most. */
  readMuch: Record<string, number>;
}

const requests = 40;
const explaining = [
  "session_preload_libraries=auto_explain",
  "auto_explain.log_min_duration=0",
  "auto_explain.log_analyze=on",
  "auto_explain.log_nested_statements=on",
  "auto_explain.log_format=json",
  "auto_explain.log_level=notice",
];

export async function explainEndpoints(bench: Bench): Promise<Plan[]> {
  const url = new URL(bench.database.superuserUrl);
  url.searchParams.set("options", explaining.map((setting) => `-c ${setting}`).join(" "));
  const database = { DATABASE_URL: url.href, DATABASE_POOL_MAX: "2" };
  const env = loadEnv({ NODE_ENV: "production", ...unlimited, ...database });
  const engine = installEngine(createEngine(env, createLog({ level: "warn" })));
  const clients: PoolClient[] = [];
  const lines: string[] = [];
  engine.pool.on("connect", (client) => {
    clients.push(client);
    client.on("notice", ({ message = "" }) => lines.push(message));
  });
  const door = createFrontDoor({
    engine,
    protocolRoute,
    next: async (_request, response) => void response.writeHead(404).end(),
  });
  const sockets = openSockets(door);
  const port = await listen(door, "127.0.0.1", 0);
  const plans: Plan[] = [];
  try {
    for (const { line, askings } of measured) {
      const at = new URL(`http://localhost:${port}`);
      const { world, database } = bench;
      const place = { world, databaseUrl: database.url, origin: at.origin };
      const input = wired(await askings(requests, place), at.host);
      const order = { url: at, requests: input, connections: 1, seconds: 60 };
      lines.length = 0;
      const { outcomes } = await send(bench.folder, order);
      if ((outcomes["200"] ?? 0) + (outcomes["201"] ?? 0) !== requests) {
        throw new Error(`${line}: ${JSON.stringify(outcomes)}`);
      }
      plans.push(...summarised(line, lines.splice(0), await namesIn(clients)));
    }
  } finally {
    await stopServer(door, sockets);
    await engine.stop();
  }
  return plans;
}

/** Of prepared statements, by their text. */
async function namesIn(clients: PoolClient[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const client of clients) {
    const { rows } = await client.query<{ name: string; statement: string }>(
      "SELECT name, statement FROM pg_prepared_statements",
    );
    for (const { name, statement } of rows) names.set(statement, name);
  }
  return names;
}

const Node = z.looseObject({
  "Node Type": z.string(),
  "Index Name": z.string().optional(),
  "Relation Name": z.string().optional(),
  "Actual Rows": z.number(),
  "Actual Loops": z.number(),
  "Rows Removed by Filter": z.number().optional(),
  get Plans() {
    return z.array(Node).optional();
  },
});
type Node = z.output<typeof Node>;

const LoggedPlan = z.object({ "Query Text": z.string(), Plan: Node });

export function summarised(
  endpoint: string,
  lines: readonly string[],
  names: ReadonlyMap<string, string>,
): Plan[] {
  const found = new Map<string, { plan: Plan; all: number[] }>();
  for (const message of lines) {
    const [, ms = "", json = ""] =
      /^duration: ([\d.]+) ms {2}plan:\n([\s\S]*)$/.exec(message) ?? [];
    if (json === "") continue;
    const { "Query Text": text, Plan: top } = LoggedPlan.parse(JSON.parse(json));
    const statement = names.get(text) ?? beginningOf(text);
    const one = found.get(statement) ?? {
      plan: { endpoint, statement, ms: 0, indexes: [], readMuch: {} },
      all: [],
    };
    found.set(statement, one);
    one.all.push(Number(ms));
    for (const node of nodesBelow(top)) note(one.plan, node);
  }
  return [...found.values()].map(({ plan, all }) => ({ ...plan, ms: middle(all) }));
}

function beginningOf(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 60);
}

function* nodesBelow(node: Node): Generator<Node> {
  yield node;
  for (const child of node.Plans ?? []) yield* nodesBelow(child);
}

// Where sequential scans are off, a statement that no index fits walks along a whole one: only its rows tell.
const fewRows = 100;

function note({ indexes, readMuch }: Plan, node: Node): void {
  if (node["Actual Loops"] === 0) return;
  const index = node["Index Name"];
  if (index !== undefined && !indexes.includes(index)) indexes.push(index);
  const table = node["Relation Name"];
  if (table === undefined) return;
  // Of one loop, by what the filter left and what it did not.
  const rows = Math.round(node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0));
  if (node["Node Type"] !== "Seq Scan" && rows <= fewRows) return;
  readMuch[table] = Math.max(readMuch[table] ?? 0, rows);
}

function middle(all: number[]): number {
  return all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0;
}
