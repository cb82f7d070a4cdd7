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

/** The shortest of some tries for each text, in turns: the machine's other work is no part of it. */
function msOf(texts: readonly string[]): number[] {
  const shortest = texts.map(() => Number.POSITIVE_INFINITY);
  for (let done = 0; done < tries; done++) {
    texts.forEach((text, which) => {
      const began = performance.now();
      flagsOf(text);
      shortest[which] = Math.min(shortest[which] ?? 0, performance.now() - began);
    });
  }
  return shortest;
}

// Missed twice: what else the machine does comes and goes.
// Missed twice: what else the machine does comes and goes.
test.each(pieces)(
  "10,000 units of %j take less than 50 ms and at most 2.5 times as long as half of them",
  { retry: 1 },
  (piece) => {
    const texts = [5_000, 10_000].map((length) => piece.repeat(length).slice(0, length));
    const [half = 0, whole = 0] = msOf(texts);
    expect(whole).toBeLessThan(msMax);
    // Below a millisecond the clock's own error counts.
    expect(whole).toBeLessThan(Math.max(1, half * growthMax));
  },
);
