import { appendFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Random, randomOf } from "../fuzz/random";
import { appKinds } from "./kinds/apps";
import { clientKinds } from "./kinds/clients";
import { databaseKinds } from "./kinds/database";
import { diskKinds } from "./kinds/disk";
import type { Excuse, Kind, Rig } from "./kinds/kind";
import { redisKinds } from "./kinds/redis";
import { clock } from "./ledger";

/** What was broken, and until when. */
export interface Fault {
  kind: string;
  excuse: Excuse;
  at: number;
  /** When it had returned. */
  until: number;
  note?: string;
}

export const kinds: Kind[] = [
  ...appKinds,
  ...databaseKinds,
  ...redisKinds,
  ...diskKinds,
  ...clientKinds,
];

/** How soon all is well again, and so how far apart faults are at least. */
export const recoveryMsMax = 5_000;

export interface Planned {
  /** Where the faults are written down, too. */
  folder: string;
  only: string[] | null;
  seed: number;
  /** By the run's clock: from when on no gateway is ended any more, and until when things break. */
  lateFrom: number;
  endsAt: number;
  say: (line: string) => void;
}

/** Each kind once, in one order, and after that by chance for as long as there is time. */
export async function breakThings(rig: Rig, planned: Planned): Promise<Fault[]> {
  const { folder, only, seed, lateFrom, endsAt, say } = planned;
  const able = kinds.filter(({ name }) => name !== "disk full" || rig.disk !== null);
  const chosen = able.filter(({ name }) => only?.includes(name) ?? true);
  const faults: Fault[] = [];
  // By chances of its own: what else is left to chance depends on how many ask for it.
  for (const kind of order(chosen, randomOf(seed, 1), () => clock() > lateFrom)) {
    if (faults.length >= chosen.length && clock() > endsAt) break;
    const fault = await breakOnce(rig, kind, folder);
    faults.push(fault);
    const { until, at, note } = fault;
    say(`  ${kind.name}, ${((until - at) / 1_000).toFixed(1)} s${note ? `: ${note}` : ""}`);
    await delay(kind.excuse === "none" ? 1_000 : recoveryMsMax + 500 + rig.random.below(500));
  }
  return faults;
}

/**
 * Without an end. What is weighed after the last has to have lived through many: so gateways, once it is
 * late, are ended only where nothing else breaks.
 */
export function* order(
  chosen: readonly Kind[],
  random: Random,
  isLate: () => boolean,
): Generator<Kind, never> {
  yield* chosen;
  const lasting = chosen.filter((kind) => !appKinds.includes(kind));
  for (;;) {
    const kind = random.pick(chosen);
    if (lasting.length === 0 || lasting.includes(kind) || !isLate()) yield kind;
  }
}

async function breakOnce(rig: Rig, { name, excuse, inject }: Kind, folder: string) {
  const at = clock();
  const file = path.join(folder, "faults");
  appendFileSync(file, `${JSON.stringify({ kind: name, at })}\n`);
  const note = await inject(rig);
  await rig.cluster.comesBack();
  const fault: Fault = { kind: name, excuse, at, until: clock(), note };
  appendFileSync(file, `${JSON.stringify(fault)}\n`);
  return fault;
}
