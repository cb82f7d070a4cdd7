import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type Relation, relate } from "@/lib/rules/likeness/relate";

// Pairs that were written after the tables: what is changed in those for one of these measures nothing.

const linesOf = (name: string) =>
  readFileSync(path.join(import.meta.dirname, name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
const pairs = linesOf("pairs.txt").map(([relation = "", one = "", other = ""]) => ({
  relation: relation as Relation,
  ...{ one, other, found: relate(one, other), back: relate(other, one) },
}));

test("a pair has one relation, whichever way it is read", () => {
  expect(pairs.filter(({ found, back }) => found !== back)).toEqual([]);
});

describe.each(["same", "contradicts"] as const)("of what is called %s", (relation) => {
  const meant = pairs.filter((pair) => pair.relation === relation);
  const found = pairs.filter((pair) => pair.found === relation);
  const right = found.filter((pair) => pair.relation === relation);

  test("97 in 100 are", () => {
    const wrong = found.filter((pair) => !right.includes(pair));
    expect({ wrong, precision: right.length / found.length }).toMatchObject({
      precision: expect.toSatisfy((share: number) => share >= 0.97),
    });
  });

  test("and 85 in 100 of those that are were found", () => {
    const missed = meant.filter((pair) => !right.includes(pair));
    expect({ missed, recall: right.length / meant.length }).toMatchObject({
      recall: expect.toSatisfy((share: number) => share >= 0.85),
    });
  });
});

test("what only means the same in other words is not claimed to be seen", () => {
  const paraphrases = linesOf("paraphrases.txt");
  expect(paraphrases.map(([one = "", other = ""]) => relate(one, other))).not.toContain(
    "contradicts",
  );
});
