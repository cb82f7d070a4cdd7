import { expect, test } from "vitest";
import { flagsOf } from "@/lib/rules/guard/flags";

// What a hostile text can be made of, over and over.
const pieces = [
  ...["a", "é", "字", "абв", "\u0301", "\u200b", "👩‍", "[", "&", "a.", "a b ", "a@", "x.y "],
  ...["ignore all ", "when a b c, ", "from now on ", "never ask ", "user has ", "behalf without "],
  ...["4111 ", "1:", "0x", "AT61 ", "ab1 ", "%41", "&#65;", "\\u0041", "aGVsbG8g", "eyJ"],
  ...[
    "\ufdfa",
    "\ufdfa a",
    "㏂",
    "5LiN6KaBIGFiIOeUqA== ",
    "6162206364z",
    "a-\n",
    "aB1",
    "1 ",
    "12.3 ",
  ],
  ...["http://", "sk-ant-", "password is ", "secret key is a b c ", "seed phrase is ", "pin "],
];
const msMax = 50;
const growthMax = 2.5;
const tries = 25;

// Missed twice: what else the machine does comes and goes.
test.each(pieces)(
  "10,000 units of %j take less than 50 ms and at most 2.5 times as long as half of them",
  { retry: 1 },
  (piece) => {
    const [half, whole] = [5_000, 10_000].map((length) => piece.repeat(length).slice(0, length));
    const turns = Array.from({ length: tries }, () => ({
      half: msOf(half ?? ""),
      whole: msOf(whole ?? ""),
    }));
    expect(Math.min(...turns.map((turn) => turn.whole))).toBeLessThan(msMax);
    // Both of one turn are as late as the machine makes them. Below a millisecond the clock's own error counts.
    const growths = turns.map((turn) => turn.whole / Math.max(turn.half, 1 / growthMax));
    expect(middleOf(growths)).toBeLessThan(growthMax);
  },
);

function msOf(text: string): number {
  const began = performance.now();
  flagsOf(text);
  return performance.now() - began;
}

function middleOf(all: number[]): number {
  return all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0;
}
