import { runTool, say } from "@/bench/tool";
import { measurePair, soak } from "./beyond";
import { measured } from "./endpoints/all";
import { measureBigProfile, measureGrowth, startAmong } from "./grown/grow";
import { plansTable } from "./grown/report";
import { type Options, readOptions, usage } from "./options";
import { databaseIn, startFloor, startGateway, temporaryFolder } from "./processes";
import { hottest, hottestStatements } from "./profile";
import { type Beside, besideBreaches, besideLines, breachesOf, table, writeMarked } from "./report";
import { type Bench, type Figures, measureEndpoint } from "./rounds";
import { explainEndpoints } from "./testing/plans";
import { measureSweeps } from "./testing/sweeps";
import { seedWorld } from "./world";

async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  const { folder, remove } = await temporaryFolder();
  const flags = options.profile ? ["--cpu-prof", `--cpu-prof-dir=${folder}/profiles`] : [];
  const gateway = await startGateway({ DATA_FOLDER: folder }, flags);
  try {
    const database = await databaseIn(folder);
    const world = await seedWorld(database.url);
    const floor = await startFloor(database.url);
    try {
      return await measure({ options, folder, database, gateway, floor, world }, options);
    } finally {
      await floor.stop();
      if (options.profile) say(await hottestStatements(database.url));
    }
  } finally {
    await gateway.stop();
    if (options.profile) say(await hottest(`${folder}/profiles`));
    await remove();
  }
}

async function measure(bench: Bench, options: Options): Promise<number> {
  const { only } = options;
  const all: Figures[] = [];
  for (const endpoint of measured.filter(({ name }) => only?.includes(name) ?? true)) {
    const figures = await measureEndpoint(bench, endpoint);
    all.push(figures);
    say(
      table([figures])
        .split("\n")
        .slice(all.length === 1 ? 0 : 2)
        .join("\n"),
    );
  }
  const beside = await measureBeside(bench, options, all);
  const breaches = [...all.flatMap(breachesOf), ...besideBreaches(beside)];
  for (const line of besideLines(beside)) say(line);
  if (beside.plans.length > 0) say(plansTable(beside.plans));
  for (const breach of breaches) say(`✗ ${breach}`);
  say(JSON.stringify({ endpoints: all, ...beside, breaches }));
  const { write } = options;
  if (write !== null) {
    await writeMarked(write, "bench", `${table(all)}\n\n${besideLines(beside).join("\n")}`);
  }
  return breaches.length === 0 ? 0 : 1;
}

async function measureBeside(
  bench: Bench,
  { soak: many, grown, pair }: Options,
  all: readonly Figures[],
): Promise<Beside> {
  return {
    pair: pair ? await measurePair(bench) : null,
    memory: many > 0 ? await soak(bench, many) : null,
    ...(grown > 0 ? await measureGrown(bench, grown, all) : notGrown),
  };
}

const notGrown = { growth: [], bigProfile: null, plans: [], sweeps: [] };

async function measureGrown(bench: Bench, rows: number, all: readonly Figures[]) {
  // The first gateway has all that was measured on it behind it; these two have nothing.
  const alone = await startAmong(0, bench);
  try {
    const among = await startAmong(rows, bench);
    try {
      const names = all.map(({ name }) => name);
      const [owner] = among.world.owners;
      return {
        growth: await measureGrowth({ alone, among, rows, names }),
        plans: await explainEndpoints(among),
        bigProfile: owner === undefined ? null : await measureBigProfile(among, owner),
        sweeps: await measureSweeps(among.database),
      };
    } finally {
      await among.stop();
    }
  } finally {
    await alone.stop();
  }
}

runTool(usage, main);
