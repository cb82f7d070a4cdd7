import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { runTool, say } from "@/bench/tool";
import type { App, Weight } from "./apps";
import type { Evidence } from "./checks/evidence";
import type { Stage } from "./client";
import { clock, readLedgers } from "./ledger";
import { runLoad } from "./load/all";
import { type Options, readOptions, usage } from "./options";
import { breakThings } from "./plan";
import { figuresOf, linesOf } from "./report";
import { type Stand, setUp, type Undo } from "./testing/rig";
import { readStored } from "./testing/stored";
import { idleMsMax } from "./wire";

// Long enough for the busiest code to be compiled, which is held from then on.
const warmUpMs = 20_000;
// Nearly nothing is under way by then, and no client keeps a connection.
const restMs = idleMsMax + 2_000;
// What was freed goes back a little later; and some of it is let go of by finalizers, which the first round only
// wakes: of a siege up to 200 MB were left until the second.
const settleMs = 3_000;
const settleRounds = 2;

async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  const undo: Undo = [];
  let leaving: Promise<void> | undefined;
  const leave = () => {
    leaving ??= undoAll(undo);
    return leaving;
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    // Also when it is sent twice, as some do: to the group, and to each of it.
    process.on(signal, () => void leave().then(() => process.exit(130)));
  }
  try {
    const stand = await setUp(options, undo);
    if (options.keep) say(`ledgers and logs: ${stand.folder}`);
    if (stand.noDisk !== null) say(`no disk can be filled here: ${stand.noDisk}`);
    const held = monitorEventLoopDelay();
    held.enable();
    const evidence = await gather(stand, options);
    const figures = figuresOf(evidence, {
      heldUpMs: Math.round(held.max / 1e6),
      failedStarts: stand.apps.reduce((sum, app) => sum + app.failedStarts(), 0),
      date: new Date().toISOString().slice(0, 10),
      minutes: options.minutes,
      seed: options.seed,
      notRun: stand.noDisk,
    });
    for (const line of linesOf(figures)) say(line);
    say(JSON.stringify(figures));
    return figures.invariants.every(({ breaches }) => breaches === 0) ? 0 : 1;
  } finally {
    await leave();
  }
}

async function gather(stand: Stand, { minutes, seed, only }: Options): Promise<Evidence> {
  const { world, apps } = stand;
  const folder = path.join(stand.folder, "ledgers");
  await mkdir(folder);
  let goesOn = true;
  const gate = openGate();
  const stage: Stage = {
    world,
    board: { pending: new Map(world.owners.map(({ did }) => [did, []])), decided: [], sent: [] },
    folder,
    seed,
    ports: apps.map(({ port }) => port),
    goesOn: () => goesOn,
    mayAsk: gate.passed,
  };
  const load = runLoad(stage);
  const work = async () => {
    await delay(warmUpMs);
    gate.close();
    const before = await weighAtRest(apps);
    gate.open();
    const lateFrom = clock() + minutes * 40_000;
    const endsAt = clock() + minutes * 60_000;
    return {
      before,
      faults: await breakThings(stand, { folder, only, seed, lateFrom, endsAt, say }),
    };
  };
  // A client that fails for a reason of its own ends the run at once, and nobody goes on after its end.
  const { before, faults } = await Promise.race([work(), load.then(never)]).finally(() => {
    goesOn = false;
  });
  await load;
  const after = await weighAtRest(apps);
  return {
    calls: await readLedgers(folder),
    faults,
    world,
    stored: await readStored(stand.databaseUrl()),
    logs: await Promise.all(
      stand.logFiles.map(async (file) => ({
        name: path.basename(file),
        text: await readFile(file, "utf8"),
      })),
    ),
    weights: before.flatMap((was, app) => {
      const is = after[app];
      return was && is ? [{ app, before: was, after: is }] : [];
    }),
    downs: apps.flatMap((one, app) => one.downs().map((span) => ({ app, ...span }))),
    lost: apps.reduce((sum, app) => sum + app.lost(), 0),
  };
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** Shut, nobody begins anything; what is under way goes on to its end. */
function openGate() {
  let opened = Promise.resolve();
  let open = () => {};
  return {
    passed: () => opened,
    open: () => open(),
    close() {
      opened = new Promise((resolve) => {
        open = resolve;
      });
    },
  };
}

/** What each gateway holds when nobody has asked for a while and it has given back what nothing holds. */
async function weighAtRest(apps: readonly App[]): Promise<(Weight | null)[]> {
  await delay(restMs);
  for (let round = 1; round <= settleRounds; round++) {
    for (const app of apps) app.settle();
    await delay(settleMs);
  }
  return Promise.all(apps.map((app) => app.weight()));
}

async function undoAll(undo: Undo): Promise<void> {
  for (const step of undo.splice(0).toReversed()) {
    await step().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  }
}

runTool(usage, main);
