import type { CallerName, Draft, World } from "../message";
import { type Random, randomOf } from "../random";
import { bodyCase } from "./bodies";
import { bytesCase, framingCase, targetCase } from "./bytes";
import { credentialCase } from "./credentials";
import { doorCase } from "./doors";
import { headerCase } from "./headers";
import { pathCase, queryCase } from "./queries";

const shares: readonly [share: number, make: (random: Random, world: World) => Draft][] = [
  [0.36, bodyCase],
  [0.06, doorCase],
  [0.16, queryCase],
  [0.08, pathCase],
  [0.12, credentialCase],
  [0.08, headerCase],
  [0.06, targetCase],
  [0.04, framingCase],
  [0.04, bytesCase],
];

/** The request of this number in the run of this seed. */
export function caseOf(world: World, seed: number, number: number): Draft {
  const random = randomOf(seed, number);
  const draft = made(random, world);
  // Who is not at hand is stood in for.
  return isPresent(world, draft.caller) ? draft : { ...draft, caller: "agent" };
}

function made(random: Random, world: World): Draft {
  let at = random.next();
  for (const [share, make] of shares) {
    if (at < share) return make(random, world);
    at -= share;
  }
  return bodyCase(random, world);
}

function isPresent({ signers, token, clientToken }: World, caller: CallerName): boolean {
  if (caller === "token") return token !== null;
  if (caller === "client") return clientToken !== null;
  return caller === "nobody" || caller in signers;
}
