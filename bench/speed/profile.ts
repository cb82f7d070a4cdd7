import { readdir, readFile } from "node:fs/promises";
import { Client } from "pg";
import { z } from "zod";

const Profile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

const noticeMax = 40;
const idle = new Set(["(idle)", "(program)"]);

/** Where the CPU went, by the time in each function itself. */
export async function hottest(folder: string): Promise<string> {
  const spent = new Map<string, number>();
  for (const file of await readdir(folder)) {
    const { nodes, samples, timeDeltas } = Profile.parse(
      JSON.parse(await readFile(`${folder}/${file}`, "utf8")),
    );
    const names = new Map(nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)]));
    for (const [n, id] of samples.entries()) {
      const name = names.get(id) ?? "";
      spent.set(name, (spent.get(name) ?? 0) + (timeDeltas[n] ?? 0));
    }
  }
  const busy = [...spent].filter(([name]) => !idle.has(name));
  const total = busy.reduce((sum, [, time]) => sum + time, 0);
  return busy
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, noticeMax)
    .map(([name, time]) => `${((time / total) * 100).toFixed(1).padStart(5)} %  ${name}`)
    .join("\n");
}

function nameOf({
  functionName,
  url,
  lineNumber,
}: z.output<typeof Profile>["nodes"][0]["callFrame"]) {
  const name = functionName === "" ? "(anonymous)" : functionName;
  if (url === "") return name;
  return `${name}  ${url.replace(/^.*\/(node_modules|dist)\//, "$1/")}:${lineNumber + 1}`;
}

const statementsMax = 15;

/** Where PostgreSQL's time went, from its own count. */
export async function hottestStatements(databaseUrl: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{
      query: string;
      calls: string;
      mean: number;
      total: number;
    }>(
      `SELECT left(regexp_replace(query, '\\s+', ' ', 'g'), 90) AS query, calls,
         mean_exec_time AS mean, total_exec_time AS total
       FROM statistics.pg_stat_statements ORDER BY total_exec_time DESC LIMIT $1`,
      [statementsMax],
    );
    return rows
      .map(({ query, calls, mean, total }) => {
        return `${total.toFixed(0).padStart(7)} ms, ${calls} × ${mean.toFixed(2)} ms  ${query}`;
      })
      .join("\n");
  } finally {
    await client.end();
  }
}
