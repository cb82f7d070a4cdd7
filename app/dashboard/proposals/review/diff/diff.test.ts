import fc from "fast-check";
import { expect, test } from "vitest";
import { diffWords } from "./diff";

test.each([
  ["the same", "the same", "=the same"],
  ["", "new", "+new"],
  ["old", "", "-old"],
  ["Works on Mondays.", "Works on most Mondays.", "=Works on |+most |=Mondays."],
  ["Likes tea and rain", "Likes coffee and rain", "=Likes |-tea|+coffee|= and rain"],
])("%j became %j", (before, after, expected) => {
  const signs = { same: "=", added: "+", removed: "-" };
  expect(
    diffWords(before, after)
      .map(({ kind, text }) => signs[kind] + text)
      .join("|"),
  ).toBe(expected);
});

test("both texts can be read out of their difference", () => {
  const words = fc.array(fc.constantFrom("a ", "b ", "c\n", "d", "  ")).map((all) => all.join(""));
  fc.assert(
    fc.property(words, words, (before, after) => {
      const changes = diffWords(before, after);
      const without = (kind: string) =>
        changes
          .filter((change) => change.kind !== kind)
          .map(({ text }) => text)
          .join("");
      expect(without("added")).toBe(before);
      expect(without("removed")).toBe(after);
    }),
  );
});

test("a text of ten thousand words is compared at once", () => {
  const words = (sign: string) => Array.from({ length: 5_000 }, (_, i) => `${sign}${i}`).join(" ");
  expect(diffWords(words("a"), words("b"))).toHaveLength(2);
});

test("shows texts that differ in too many places as one replacement", () => {
  const [before, after] = ["a x ".repeat(500), "b x ".repeat(500)];
  expect(diffWords(before, after)).toEqual([
    { kind: "removed", text: before.trimEnd().slice(0, -2) },
    { kind: "added", text: after.trimEnd().slice(0, -2) },
    { kind: "same", text: " x " },
  ]);
});
