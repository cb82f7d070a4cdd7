import fc from "fast-check";
import { expect, test } from "vitest";
import { drawnPieces, hiddenCount, inertPieces, visibleText } from "./inert";

function shown(text: string): string {
  return inertPieces(text)
    .map((piece) => (piece.kind === "token" ? `[${piece.text}]` : piece.text))
    .join("");
}

test.each([
  ["plain text", "plain text"],
  ["two\nlines", "two\nlines"],
  ["שלום and مرحبا", "שלום and مرحبا"],
  ["turned \u202eround\u202c", "turned [U+202E]round[U+202C]"],
  ["isolated \u2066x\u2069", "isolated [U+2066]x[U+2069]"],
  ["zero\u200bwidth", "zero[U+200B]width"],
  ["bell\u0007 escape\u001b[31m", "bell[U+0007] escape[U+001B][31m"],
  ["tag \u{e0041}", "tag [U+E0041]"],
  ["blank \u2800\u3164", "blank [U+2800][U+3164]"],
  ["no character \ufdd0\ufffc", "no character [U+FDD0][U+FFFC]"],
  ["👩‍🔬 ❤️ 👍🏽 1️⃣", "👩‍🔬 ❤️ 👍🏽 1️⃣"],
  ["joined a\u200db", "joined a[U+200D]b"],
  [`z${"\u0301".repeat(40)}`, `z${"\u0301".repeat(4)}[+36]`],
  ["<script>alert(1)</script>", "<script>alert(1)</script>"],
])("%j is shown as %j", (text, expected) => {
  expect(shown(text)).toBe(expected);
});

test("a token says what it stands for", () => {
  expect(inertPieces("\u202e")).toEqual([
    { kind: "token", text: "U+202E", meaning: "right-to-left override" },
  ]);
});

test("visibleText leaves out invisible characters", () => {
  expect(visibleText("a\u202eb\u200bc")).toBe("abc");
  expect(hiddenCount("a\u202eb\u200bc")).toBe(2);
});

test("no text keeps a hidden character, and none is lost but those", () => {
  const hidden = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/u;
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(visibleText(text)).not.toMatch(hidden);
      expect(visibleText(visibleText(text))).toBe(visibleText(text));
    }),
  );
});

test("draws the first hidden characters and counts the others, and keeps all that is visible", () => {
  const drawn = drawnPieces("\u200ba".repeat(500));
  expect(drawn.length).toBeLessThan(20);
  expect(
    drawn
      .filter(({ kind }) => kind === "text")
      .map(({ text }) => text)
      .join(""),
  ).toBe("a".repeat(500));
  expect(drawn.at(-1)).toEqual({
    kind: "token",
    text: "+492",
    meaning: "492 more hidden characters",
  });
});
