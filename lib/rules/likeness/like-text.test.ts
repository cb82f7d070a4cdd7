import { describe, expect, test } from "vitest";
import { likeTextOf, senseOf } from "./like-text";
import vectors from "./vectors.json";

describe("likeTextOf", () => {
  test.each([
    ["Likes Grüße, 3 times!", "likes grusse 3 times"],
    ["住在上海", "rlhvwi vwigfu gfuzjd"],
    ["любит чай", "yuvnjulrbprccuw jjtzymbjr"],
  ])("%s is %s", (text, expected) => {
    expect(likeTextOf(text)).toBe(expected);
  });

  test("differs for texts that differ in one letter of any script", () => {
    for (const [one, other] of [
      ["住在上海", "住在北京"],
      ["любит чай", "любит рай"],
      ["يحب الشاي", "يحب الشاب"],
    ] as const) {
      expect(likeTextOf(one)).not.toBe(likeTextOf(other));
    }
  });

  test("is the same with and without accents, hidden characters and a full stop", () => {
    expect(likeTextOf("Mag Gr\u00fc\u00dfe.")).toBe(likeTextOf("mag gru\u0308\u200bsse"));
  });

  test("has at most 2,000 characters, of the longest claim too", () => {
    expect(likeTextOf("字".repeat(10_000)).length).toBeLessThanOrEqual(2_000);
  });
});

describe("senseOf", () => {
  const related = vectors.filter(({ relation }) => relation !== "same");

  test.each(related)("tells $one from $other", ({ one, other }) => {
    expect(senseOf(one)).not.toBe(senseOf(other));
  });

  test.each([
    ["Likes olives but not figs", "Likes figs but not olives"],
    ["Moved from Berlin to Paris", "Moved from Paris to Berlin"],
    ["Does not smoke and does not drink", "Smokes and drinks"],
  ])("tells %j from %j", (one, other) => {
    expect(senseOf(one)).not.toBe(senseOf(other));
  });

  test.each([
    ["Likes olives", "The user likes olives."],
    ["Prefers tea to coffee", "prefers TEA to coffee!"],
    ["👍", " 👍 "],
  ])("%j says what %j says", (one, other) => {
    expect(senseOf(one)).toBe(senseOf(other));
  });
});
