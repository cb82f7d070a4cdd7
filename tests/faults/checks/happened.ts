import { verbs } from "../ledger";
import { type Invariant, isAcknowledged } from "./evidence";

// What nobody did breaks nothing: a form that is refused for its wording would let a run hold for ever.

export const everythingHappened: Invariant = {
  name: "all that is judged has happened",
  breaches({ calls, world, weights, stored }) {
    const done = new Set(calls.filter(isAcknowledged).map(({ verb }) => verb));
    const input = new Set(calls.map(({ app }) => app));
    const weighed = new Set(weights.map(({ app }) => app));
    const logged = new Set(stored.logs.map(({ profile }) => profile));
    const wasSeen = world.canaries.some(
      ({ text, access }) =>
        access !== null &&
        calls.some(
          ({ caller, outcome }) => caller === access.caller && outcome.canaries.includes(text),
        ),
    );
    return [
      ...verbs.filter((verb) => !done.has(verb)).map((verb) => `no ${verb} was acknowledged`),
      ...[...input]
        .filter((app) => !weighed.has(app))
        .map((app) => `gateway ${app} was not weighed at rest, before and after`),
      ...[...new Set(stored.proposals.map(({ profile }) => profile))]
        .filter((profile) => !logged.has(profile))
        .map((profile) => `the log of ${profile} was not read`),
      ...(wasSeen ? [] : ["no canary was seen by whom a grant shows it"]),
    ];
  },
};
