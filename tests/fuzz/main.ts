import { runTool, say } from "@/bench/tool";
import { caseOf } from "./cases/all";
import { bytesOf, type World } from "./message";
import { type Options, readOptions, usage } from "./options";
import { figuresText, findingText } from "./report";
import { type Figures, fuzz } from "./run";
import { runningTarget, type Target } from "./target";
import { startOwnServer } from "./testing/server";

async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  const target = options.world ? await runningTarget(options.world) : await startOwnServer();
  try {
    return await report(options, target);
  } finally {
    await target.stop();
  }
}

async function report(options: Options, target: Target): Promise<number> {
  say(`seed       ${options.seed}`);
  const figures = await run(options, target.world);
  const unacknowledged = await target.storedUnacknowledged(figures.acknowledged);
  say(figuresText(figures));
  for (const finding of figures.findings) say(findingText(finding, options.seed));
  for (const fault of unacknowledged) say(`✗ stored: ${fault}`);
  const failed = figures.findings.length + unacknowledged.length;
  say(`${figures.requests - figures.findings.length} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function run({ replay, seed, requests, lines }: Options, world: World): Promise<Figures> {
  if (replay !== null) say(bytesOf(world, caseOf(world, seed, replay)).toString("latin1"));
  return fuzz({
    world,
    seed,
    from: replay ?? 0,
    count: replay === null ? requests : 1,
    lines,
    progress: (done) => say(`           ${done} …`),
  });
}

runTool(usage, main);
