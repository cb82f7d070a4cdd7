import { describe, expect, test } from "vitest";
import { faultOfPassword } from "./password-rule";

const own = { email: "margot@example.com", handles: ["margot_k"] };

describe("a new password", () => {
  test.each([
    "a quiet lamp over the harbour",
    "пятнадцать гусей летят",
    "xK9#mQ2$vL7@pR4",
    "🦆🌊🪨🔥🌙🍐🦆🌊🪨🔥🌙🍐🦆🌊🪨",
    "seven geese cross 1 frozen field",
    "xK9#mQ2$vL7@",
  ])("may be %s", async (password) => {
    expect(await faultOfPassword(password, own)).toBeNull();
  });

  test.each([
    ["xK9#mQ2", "shorter than any may be"],
    ["🦆🌊🪨🔥🌙🍐🦆", "that short, whatever its bytes"],
    ["xK9#mQ2$", "short, though without a pattern"],
    ["green lamp 71", "short, of common words"],
    ["Tr0ub4dor&3", "short, a word dressed up"],
    ["x7".padEnd(129, "qwmz9 "), "long"],
    ["aaaaaaaaaaaaaaaa", "one letter"],
    ["abababababababab", "two letters"],
    ["123456789012345", "a count"],
    ["qwertyuiopasdfgh", "a walk over the keys"],
    ["passwordpassword1", "a word twice"],
    ["Password Password 2026", "the same, dressed up"],
    ["correct horse battery staple", "a phrase everybody knows"],
    ["CorrectHorseBatteryStaple1", "the same with a number"],
    ["To be or not to be, that is the question", "a line everybody knows"],
    ["qwerty".repeat(21), "a walk over the keys again and again"],
    ["margot@example.com", "the e-mail address"],
    ["a lamp for MARGOT today", "the name in the address"],
    ["lamps and margot_k and geese", "the handle"],
  ])("may not be %s: %s", async (password) => {
    expect(await faultOfPassword(password, own)).not.toBeNull();
  });

  test("may hold a handle that is too short to give it away", async () => {
    const short = { email: "al@example.com", handles: ["al"] };
    expect(await faultOfPassword("a tall quiet lamp over there", short)).toBeNull();
  });
});
