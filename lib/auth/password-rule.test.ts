import { describe, expect, test } from "vitest";
import { faultOfPassword } from "./password-rule";

const own = { email: "margot@example.com", handle: "margot_k" };

describe("a new password", () => {
  test.each([
    "a quiet lamp over the harbour",
    "пятнадцать гусей летят",
    "xK9#mQ2$vL7@pR4",
    "🦆🌊🪨🔥🌙🍐🦆🌊🪨🔥🌙🍐🦆🌊🪨",
    "seven geese cross 1 frozen field",
  ])("may be %s", (password) => {
    expect(faultOfPassword(password, own)).toBeNull();
  });

  test.each([
    ["fourteen chars", "short"],
    ["🦆🌊🪨🔥🌙🍐🦆", "short, whatever its bytes"],
    ["x7".padEnd(129, "qwmz9 "), "long"],
    ["aaaaaaaaaaaaaaaa", "one letter"],
    ["abababababababab", "two letters"],
    ["123456789012345", "a count"],
    ["qwertyuiopasdfgh", "a walk over the keys"],
    ["passwordpassword1", "a word twice"],
    ["Password Password 2026", "the same, dressed up"],
    ["correct horse battery staple", "a phrase everybody knows"],
    ["CorrectHorseBatteryStaple1", "the same with a number"],
    ["margot@example.com", "the e-mail address"],
    ["a lamp for MARGOT today", "the name in the address"],
    ["lamps and margot_k and geese", "the handle"],
  ])("may not be %s: %s", (password) => {
    expect(faultOfPassword(password, own)).not.toBeNull();
  });

  test("may hold a handle that is too short to give it away", () => {
    const short = { email: "al@example.com", handle: "al" };
    expect(faultOfPassword("a tall quiet lamp over there", short)).toBeNull();
  });
});
