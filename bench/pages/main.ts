import { findPages, signIn } from "./browse";
import { startOwnGateway } from "./gateway";
import { measurePage, type PageFigures } from "./measure";
import { type Options, type Running, readOptions, UsageError, usage } from "./options";
import { breachesOf, heading, json, line } from "./report";
import { seedProfile } from "./seed/seed";

async function main(args: string[]): Promise<number> {
  if (args.includes("--help")) {
    say(usage);
    return 0;
  }
  const options = readOptions(args);
  if (options.running !== null) return measure(options, options.running);
  const gateway = await startOwnGateway();
  try {
    say(`${gateway.url}, filling …`);
    await seedProfile(gateway.databaseUrl, gateway.profileDid, options.amounts);
    return await measure(options, gateway);
  } finally {
    await gateway.stop();
  }
}

async function measure({ loads, watched }: Options, running: Running): Promise<number> {
  const visitor = await signIn(running);
  const pages: PageFigures[] = [];
  say(heading());
  for (const address of await findPages(visitor)) {
    const page = await measurePage({ visitor, address, loads, watched, process: running.process });
    pages.push(page);
    say(line(page));
  }
  const breaches = pages.flatMap(breachesOf);
  for (const breach of breaches) say(`✗ ${breach}`);
  say(json(pages, breaches));
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
