import { describe, expect, test } from "vitest";
import { grantWords, heldWords, summaryWords } from "./grant-words";

const part = (scope: string, memories: number, values = 0, within: string[] = []) => ({
  ...{ scope, memories, values, within, opens: true },
});
const interests = part("interests", 1_428, 2);
const music = part("music", 28, 0, ["interests"]);
const empty = part("identity", 0);
const partly = { ...part("health", 0), opens: false };
const limited = { ...part("preferences", 3), opens: false };
const day = { grant: "for 1 day", ends: "until tomorrow, 14:05" };

test.each([
  [0, 0, "nothing yet"],
  [1, 0, "1 memory"],
  [1_428, 0, "1,428 memories"],
  [0, 1, "1 value"],
  [2, 3, "2 memories and 3 values"],
])("%d memories and %d values are “%s”", (memories, values, words) => {
  expect(heldWords({ memories, values })).toBe(words);
});

describe("the line beside the buttons", () => {
  test.each([
    [
      "nothing is chosen",
      { parts: [interests, empty], on: [], lasting: undefined },
      "Nothing is open. Switch on what it may read, and choose for how long.",
      "Grant",
    ],
    [
      "only the time is chosen",
      { parts: [interests, empty], on: [], lasting: day },
      "Nothing is open. Switch on what it may read.",
      "Grant",
    ],
    [
      "only a switch is on",
      { parts: [interests, empty], on: ["interests"], lasting: undefined },
      "1,428 memories and 2 values now, and what is added later · 1 of 2 categories · choose for how long",
      "Grant 1 of 2",
    ],
    [
      "a switch is on and its category is empty",
      { parts: [interests, empty], on: ["identity"], lasting: day },
      "Nothing is there yet: what is added later will be read · 1 of 2 categories · until tomorrow, 14:05",
      "Grant 1 of 2 for 1 day",
    ],
    [
      "a switch is on that opens all of another one",
      { parts: [interests, music], on: ["interests", "music"], lasting: day },
      "1,428 memories and 2 values now, and what is added later · 2 of 2 categories · until tomorrow, 14:05",
      "Grant 2 of 2 for 1 day",
    ],
    [
      "the wider of the two is off",
      { parts: [interests, music], on: ["music"], lasting: day },
      "28 memories now, and what is added later · 1 of 2 categories · until tomorrow, 14:05",
      "Grant 1 of 2 for 1 day",
    ],
    [
      "all that was asked for is locked",
      { parts: [], on: [], lasting: undefined },
      "Nothing can be opened. You can only deny this request.",
      "Grant",
    ],
    [
      "only a part of what is added later would be read",
      { parts: [partly], on: ["health"], lasting: day },
      "Nothing is there yet: only a part of what is added later will be read · until tomorrow, 14:05",
      "Grant for 1 day",
    ],
    [
      "an admin's limit leaves only a part of it",
      { parts: [limited], on: ["preferences"], lasting: day },
      "3 memories now · until tomorrow, 14:05",
      "Grant for 1 day",
    ],
    [
      "there is one switch",
      { parts: [music], on: ["music"], lasting: day },
      "28 memories now, and what is added later · until tomorrow, 14:05",
      "Grant for 1 day",
    ],
  ])("says, when %s, what the grant would open", (_case, { on, ...chosen }, line, button) => {
    const all = { ...chosen, on: new Set<string>(on) };
    const { opens, rest, ends } = summaryWords(all);
    expect([opens, rest, ends].filter(Boolean).join(" ")).toBe(line);
    expect(grantWords(all)).toBe(button);
  });

  test("says apart what moves on with the clock, and only that", () => {
    const chosen = { parts: [interests, music], on: new Set(["music"]) };
    const words = summaryWords({ ...chosen, lasting: day });
    const later = summaryWords({ ...chosen, lasting: { ...day, ends: "until tomorrow, 14:06" } });
    expect(later).toEqual({ ...words, ends: "· until tomorrow, 14:06" });
  });
});
