import { runTool, say } from "@/bench/tool";
import { adminSearches, findPages, signIn } from "./browse";
import { startOwnGateway } from "./gateway";
import { measurePage, type PageFigures } from "./measure";
import { type Options, type Running, readOptions, usage } from "./options";
import { breachesOf, heading, json, line } from "./report";
import { seedCrowd, seedProfile } from "./seed/seed";

async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (options.running !== null) return measure(options, options.running);
  const isAdmin = options.area === "admin";
  const gateway = await startOwnGateway(isAdmin ? "Root" : "Alice");
  try {
    say(`${gateway.url}, filling …`);
    if (isAdmin) await seedCrowd(gateway.databaseUrl, options.crowd);
    else await seedProfile(gateway.databaseUrl, gateway.profileDid, options.amounts);
    return await measure(options, gateway);
  } finally {
    await gateway.stop();
  }
}

async function measure({ area, loads, watched }: Options, running: Running): Promise<number> {
  const visitor = await signIn(running);
  const pages: PageFigures[] = [];
  say(heading());
  const found = await findPages(visitor, area);
  for (const address of area === "admin" ? [...found, ...adminSearches] : found) {
    const page = await measurePage({ visitor, address, loads, watched, process: running.process });
    pages.push(page);
    say(line(page));
  }
  const breaches = pages.flatMap(breachesOf);
  for (const breach of breaches) say(`✗ ${breach}`);
  say(json(pages, breaches));
  return breaches.length === 0 ? 0 : 1;
}

runTool(usage, main);
