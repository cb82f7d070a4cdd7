import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import {
  databaseIn,
  type Listening,
  PATH,
  send,
  startGateway,
  temporaryFolder,
} from "@/bench/speed/processes";
import { writeMarked } from "@/bench/speed/report";
import { packed, signedBytes } from "@/bench/speed/requests";
import { seedWorld, type World } from "@/bench/speed/world";
import { readArgs, readWhole, runTool, say } from "@/bench/tool";
import { fillTo } from "./fill";

const usage = `Backs up a database while agents read profiles, and restores it.

  npm run bench:backup

  --megabytes   of the database (1000)
  --write       a Markdown file whose marked part becomes the result

It starts its own gateway and database in a folder that is gone afterwards. Ends with 0 where every
target holds, 1 where one is missed, 2 where it could not start.
`;

const perSecond = 200;
const connections = 16;
const calmSeconds = 20;
const targets = { backupSeconds: 60, restoreSeconds: 120, rssMb: 200, p99Ratio: 2 };

async function main(args: string[]): Promise<number> {
  const options = readArgs(args, {
    megabytes: { type: "string", default: "1000" },
    write: { type: "string" },
  });
  const bytes = readWhole("megabytes", options.megabytes, 10, 100_000) * 1e6;
  const { folder, remove } = await temporaryFolder();
  try {
    const figures = await measure(folder, bytes);
    const text = linesOf(figures).join("\n");
    say(text);
    if (options.write !== undefined) await writeMarked(options.write, "backup", text);
    const breaches = breachesOf(figures);
    for (const breach of breaches) say(`✗ ${breach}`);
    return breaches.length === 0 ? 0 : 1;
  } finally {
    await remove();
  }
}

interface Run {
  seconds: number;
  /** The most that it ever had. */
  rssMb: number;
}

interface Figures {
  databaseMb: number;
  backup: Run;
  restore: Run;
  /** 99 of 100 reads took no longer: alone, and beside the backup. */
  calmMs: number;
  besideMs: number;
}

async function measure(folder: string, bytes: number): Promise<Figures> {
  const gateway = await startGateway({ DATA_FOLDER: folder });
  let made: Omit<Figures, "restore">;
  try {
    const { url } = await databaseIn(folder);
    const world = await seedWorld(url);
    const databaseMb = (await fillTo(url, bytes)) / 1e6;
    const read = (seconds: number) => readProfiles({ folder, gateway, world, seconds });
    await read(calmSeconds);
    const calmMs = await read(calmSeconds);
    const alone = await run(folder, "backup", []);
    // Ends before the backup does, which takes longer beside them.
    const seconds = Math.max(1, Math.floor(alone.seconds));
    const [backup, besideMs] = await Promise.all([run(folder, "backup", []), read(seconds)]);
    made = { databaseMb, backup, calmMs, besideMs };
  } finally {
    await gateway.stop();
  }
  const names = (await readdir(`${folder}/backups`)).filter((name) => name.endsWith(".tar.gz"));
  const file = `${folder}/backups/${names.sort().at(-1)}`;
  return { ...made, restore: await run(folder, "restore", [file]) };
}

interface Reading {
  folder: string;
  gateway: Listening;
  world: World;
  seconds: number;
}

/** As many a second, at even times, whether or not the ones before have an answer. Returns the p99. */
async function readProfiles({ folder, gateway, world, seconds }: Reading): Promise<number> {
  const { agents, owners } = world;
  const requests = Array.from({ length: seconds * perSecond }, (_, n) => {
    const [caller, owner] = [agents[n % agents.length], owners[n % owners.length]];
    if (caller === undefined || owner === undefined) throw new Error("nobody reads");
    const target = `/prof/v1/profile/${owner.did}`;
    return signedBytes({ caller, method: "GET", target }, gateway.url.host);
  });
  const order = { url: gateway.url, requests: packed(requests), connections, perSecond };
  // Until all are sent.
  const sent = await send(`${folder}/load`, { ...order, seconds: seconds * 2 });
  if (sent.outcomes["200"] !== requests.length) {
    throw new Error(`not every request was answered: ${JSON.stringify(sent.outcomes)}`);
  }
  return sent.p99Ms;
}

async function run(folder: string, name: "backup" | "restore", more: string[]): Promise<Run> {
  const began = performance.now();
  const child = spawn(process.execPath, ["server/run.mjs", `server/${name}/main.ts`, ...more], {
    env: { NODE_ENV: "production", PATH, DATA_FOLDER: folder },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "close");
  let rssMb = 0;
  const watching = { ends: false };
  const watch = async () => {
    while (!watching.ends) {
      const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
      rssMb = Math.max(rssMb, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1_024);
      await setTimeout(100);
    }
  };
  const watched = watch();
  const [code] = await ended;
  const seconds = (performance.now() - began) / 1_000;
  watching.ends = true;
  await watched;
  if (code !== 0) throw new Error(`the ${name} ended with ${code}`);
  return { seconds, rssMb };
}

function linesOf({ databaseMb, backup, restore, calmMs, besideMs }: Figures): string[] {
  const ran = ({ seconds, rssMb }: Run) =>
    `${seconds.toFixed(0)} s, at most ${rssMb.toFixed(0)} MB`;
  return [
    `- A database of ${databaseMb.toFixed(0)} MB: backup ${ran(backup)}; restore ${ran(restore)}.`,
    `- ${perSecond} signed reads a second beside the backup: p99 ${besideMs.toFixed(1)} ms, ${(besideMs / calmMs).toFixed(2)} times the ${calmMs.toFixed(1)} ms without it.`,
  ];
}

function breachesOf({ backup, restore, calmMs, besideMs }: Figures): string[] {
  const measured: [what: string, value: number, most: number][] = [
    ["seconds of the backup", backup.seconds, targets.backupSeconds],
    ["MB of the backup", backup.rssMb, targets.rssMb],
    ["seconds of the restore", restore.seconds, targets.restoreSeconds],
    ["times the p99", besideMs / calmMs, targets.p99Ratio],
  ];
  return measured
    .filter(([, value, most]) => !(value < most))
    .map(([what, value, most]) => `${what}: ${value.toFixed(2)}, not below ${most}`);
}

runTool(usage, main);
