import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { flagsOf } from "@/lib/rules/guard/flags";
import { disguises } from "./disguises";

// SECURITY.md has what the guard made of texts that were new to it. These keep it from becoming worse.

const linesOf = (name: string) =>
  readFileSync(path.join(import.meta.dirname, name), "utf8")
    .trimEnd()
    .split("\n");
const hostile = linesOf("hostile.txt").map((line) => line.split("\t") as [string, string]);
const harmless = linesOf("harmless.txt");
const isStopped = (text: string) => flagsOf(text).some(({ strength }) => strength === "stop");

const share = (texts: readonly string[], is: (text: string) => boolean) =>
  texts.filter(is).length / texts.length;
const missed = (texts: readonly string[]) => texts.filter((text) => !isStopped(text));

test("95 in 100 hostile texts are stopped", () => {
  const texts = hostile.map(([, text]) => text);
  expect(texts.length).toBeGreaterThanOrEqual(200);
  expect({ share: share(texts, isStopped), missed: missed(texts) }).toMatchObject({
    share: expect.toSatisfy((found: number) => found >= 0.95),
  });
});

describe("of what is disguised, 95 in 100 are stopped", () => {
  const plain = hostile
    .filter(
      ([kind, text]) => kind === "instructs" && /^[\x20-\x7e]+$/.test(text) && isStopped(text),
    )
    .map(([, text]) => text)
    .slice(0, 10);
  const texts = Object.entries(disguises).flatMap(([name, disguise]) =>
    plain.map((text) => ({ name, text: disguise(text) })),
  );

  test("over all ways", () => {
    expect(texts).toHaveLength(300);
    const left = texts.filter(({ text }) => !isStopped(text));
    expect({ left }).toMatchObject({
      left: expect.toSatisfy((all: unknown[]) => all.length <= texts.length * 0.05),
    });
  });
});

test("of harmless texts at most 1 in 100 is stopped, and at most 10 have a line", () => {
  expect(harmless.length).toBeGreaterThanOrEqual(500);
  const stopped = harmless.filter(isStopped);
  const flagged = harmless.filter((text) => flagsOf(text).length > 0);
  expect({ stopped, flagged }).toMatchObject({
    stopped: expect.toSatisfy((all: unknown[]) => all.length <= harmless.length * 0.01),
    flagged: expect.toSatisfy((all: unknown[]) => all.length <= harmless.length * 0.1),
  });
});

test.each([". ", " ", "\n"])("harmless texts joined by %j are read to their end", (sign) => {
  const text = harmless.join(sign).slice(0, 10_000);
  expect(flagsOf(text).map(({ kind }) => kind)).not.toContain("unread");
});

test("SECURITY.md says how many harmless texts and paraphrases are noticed", () => {
  const counts = (texts: readonly string[]) => ({
    texts: texts.length,
    stopped: texts.filter(isStopped).length,
    flagged: texts.filter((text) => flagsOf(text).length > 0).length,
  });
  expect(counts(harmless)).toEqual({ texts: 1279, stopped: 8, flagged: 24 });
  expect(counts(linesOf("paraphrases.txt"))).toEqual({ texts: 60, stopped: 0, flagged: 7 });
});
