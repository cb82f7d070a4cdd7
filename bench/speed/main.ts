import { measured } from "./endpoints";
import { type Options, readOptions, UsageError, usage } from "./options";
import { databaseIn, startFloor, startGateway, temporaryFolder } from "./processes";
import { hottest, hottestStatements } from "./profile";
import { breachesOf, table } from "./report";
import { type Bench, type Figures, measureEndpoint } from "./rounds";
import { seedWorld } from "./world";

async function main(args: string[]): Promise<number> {
  if (args.includes("--help")) {
    say(usage);
    return 0;
  }
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

async function measure(bench: Bench, { only }: Options): Promise<number> {
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
  const breaches = all.flatMap(breachesOf);
  for (const breach of breaches) say(`✗ ${breach}`);
  say(JSON.stringify({ endpoints: all, breaches }));
  return breaches.length === 0 ? 0 : 1;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const isUsage = error instanceof UsageError;
    const text = error instanceof Error ? (isUsage ? error.message : error.stack) : String(error);
    process.stderr.write(isUsage ? `${text}\n\n${usage}` : `${text}\n`);
    process.exitCode = 2;
  },
);
