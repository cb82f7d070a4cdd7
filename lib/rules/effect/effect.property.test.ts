import fc from "fast-check";
import { expect, it } from "vitest";
import { consult } from "../testing/oracle";
import { categories, randomFacts } from "../testing/random-facts";
import { effectOf } from "./effect";

// Powers of two: a sum tells which of them it is made of.
const memories = Object.fromEntries(categories.map((category, index) => [category, 2 ** index]));
const namedValues = categories.map((category) => ({ category, name: "a b", value: true }));
const holdings = { common: {}, namedValues, memories };

it("the effect is what the slow reading of the rules says after, less what it says before", () => {
  let changed = 0;
  fc.assert(
    fc.property(
      fc.array(randomFacts, { minLength: 1, maxLength: 4 }),
      randomFacts,
      (many, next) => {
        const { policies, token, purpose } = next;
        const agents = many.map((facts, index) => ({
          ...facts,
          token,
          purpose,
          policies: many[0]?.policies ?? [],
          receipts: facts.receipts.map((receipt) => ({ ...receipt, id: `${receipt.id}_${index}` })),
        }));
        const effects = [...effectOf({ agents, after: policies, holdings })];
        return agents.every((before, index) => {
          const effect = effects[index];
          const after = { ...before, policies };
          const granted = (facts: typeof before, permission: "read" | "propose") =>
            categories.filter((one) => consult(facts, permission, one).outcome === "granted");
          const [then, now] = [granted(before, "read"), granted(after, "read")];
          const [could, can] = [granted(before, "propose"), granted(after, "propose")];
          const gained = now.filter((one) => !then.includes(one));
          const lost = then.filter((one) => !now.includes(one));
          changed += gained.length + lost.length;
          const proposes = effect?.gains.proposes ?? [];
          return (
            effect?.gains.memories === sum(gained) &&
            effect.loses.memories === sum(lost) &&
            effect.gains.values === gained.length &&
            effect.loses.values === lost.length &&
            effect.gains.categories.length === gained.length &&
            (proposes.includes("prof:*") ||
              can.every((one) => could.includes(one) || proposes.includes(one)))
          );
        });
      },
    ),
    { numRuns: 3_000, seed: 29 },
  );
  expect(changed).toBeGreaterThan(3_000);
}, 120_000);

function sum(some: string[]): number {
  return some.reduce((total, category) => total + (memories[category] ?? 0), 0);
}
