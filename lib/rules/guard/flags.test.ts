import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FlagKind, flagKinds } from "@/lib/protocol/flags";
import { flagsOf } from "./flags";
import patternVectors from "./pattern-vectors.json";
import { readPatterns } from "./read/patterns";
import table from "./tables/patterns.json";
import vectors from "./vectors.json";

const kindsOf = (text: string, known: readonly string[] = []) =>
  [...new Set(flagsOf(text, { known }).map(({ kind }) => kind))].sort();

test.each(
  vectors as {
    id: string;
    text: string;
    context?: { known: string[] };
    kinds: string[];
    touches?: string;
  }[],
)("$id: $text", ({ text, context, kinds, touches }) => {
  const flags = flagsOf(text, { known: context?.known ?? [] });
  expect([...new Set(flags.map(({ kind }) => kind))].sort()).toEqual(kinds.toSorted());
  if (touches === undefined) return;
  const at = text.indexOf(touches);
  const isTouched = flags.some(({ start, end }) => start < at + touches.length && end > at);
  expect(isTouched).toBe(true);
});

describe("each pattern", () => {
  const kindOf = new Map(table.patterns.map(({ id, kind }) => [id, kind as FlagKind]));

  test("has a vector", () => {
    expect(patternVectors.map(({ id }) => id)).toEqual(table.patterns.map(({ id }) => id));
  });

  test.each(patternVectors)(
    "$id flags its hit, which nothing else does, and not its near miss",
    ({ id, hit, miss }) => {
      const kind = kindOf.get(id);
      const without = readPatterns({
        ...table,
        patterns: table.patterns.filter((one) => one.id !== id),
      });
      const isIn = (text: string, by?: typeof without) =>
        flagsOf(text, { by }).some((flag) => flag.kind === kind);
      expect([isIn(hit), isIn(hit, without), isIn(miss)]).toEqual([true, false, false]);
    },
  );
});

test("a place is a piece of the text that cuts no character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      for (const { kind, strength, start, end } of flagsOf(text)) {
        expect(flagKinds[kind]).toBe(strength);
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(text.length);
        for (const at of [start, end]) {
          const isInside =
            /[\ud800-\udbff]/.test(text[at - 1] ?? "") && /[\udc00-\udfff]/.test(text[at] ?? "");
          expect(isInside).toBe(false);
        }
      }
    }),
    { numRuns: 500 },
  );
});

describe("a host of the owner's is not flagged", () => {
  const known = ["shop.example", "alice@post.example"];

  test.each([
    "My shop is shop.example",
    "Sells at www.shop.example/tea",
    "Writes as alice@post.example",
  ])("%s", (text) => expect(kindsOf(text, known)).toEqual([]));

  test.each([
    "Sells at shop.example.evil.test",
    "Sells at evil.test/?shop.example",
    "Sells at https://shop.example@evil.test",
    "Writes as mallory@shop.example",
    "Sells at notshop.example",
  ])("but %s is", (text) => expect(kindsOf(text, known)).toContain("link"));
});

test("a text longer than can be read is flagged as such", () => {
  expect(kindsOf("Likes tea. ".repeat(1_000))).toContain("unread");
});
