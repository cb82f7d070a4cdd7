import { describe, expect, test, vi } from "vitest";
import { faultOfPassword } from "./password-rule";

const own = { email: "margot@example.com", name: "Kowalska", handles: ["margot_k"] };

// The first, while the list is not loaded yet.
test("the list of well-known passwords is loaded again after a load that failed", async () => {
  const elsewhere = vi.spyOn(process, "cwd").mockReturnValue("/nowhere");
  await expect(faultOfPassword("passwordpassword", own)).rejects.toMatchObject({ code: "ENOENT" });
  elsewhere.mockRestore();
  expect(await faultOfPassword("passwordpassword", own)).toMatch(/best-known/);
});

describe("a new password", () => {
  test.each([
    "a quiet lamp over the harbour",
    "пятнадцать гусей летят",
    "xK9#mQ2$vL7@",
    "🦆🌊🪨🔥🌙🍐🦆🌊🪨🔥🌙🍐",
    "seven geese cross 1 frozen field",
  ])("may be %s", async (password) => {
    expect(await faultOfPassword(password, own)).toBeNull();
  });

  test.each([
    ["xK9#mQ2$vL7", "shorter than any may be", /at least 12/],
    ["🦆🌊🪨🔥🌙🍐🦆🌊🪨🔥🌙", "that short, whatever its bytes", /at least 12/],
    ["x7".padEnd(129, "qwmz9 "), "long", /at most 128/],
    ["aaaaaaaaaaaaaaaa", "one letter", /best-known/],
    ["123456789012345", "a count", /best-known/],
    ["qwertyuiopasdfgh", "a walk over the keys", /best-known/],
    ["passwordpassword", "a word twice", /best-known/],
    ["Password-Password", "the same, dressed up", /best-known/],
    ["To be or not to be", "a line everybody knows", /best-known/],
    ["margot@example.com", "the e-mail address", /out of it/],
    ["a lamp for MARGOT today", "the name in the address", /out of it/],
    ["lamps and margot_k and geese", "the handle", /out of it/],
    ["a lamp for kowalska today", "the name", /out of it/],
  ])("may not be %s: %s", async (password, _what, words) => {
    expect(await faultOfPassword(password, own)).toMatch(words);
  });

  test("may hold a handle that is too short to give it away", async () => {
    const short = { email: "al@example.com", name: null, handles: ["al"] };
    expect(await faultOfPassword("a tall quiet lamp over there", short)).toBeNull();
  });

  test("is judged within 20 ms, whatever its characters", async () => {
    await faultOfPassword("a quiet lamp over the harbour", own);
    for (const worst of [
      ".".repeat(128),
      "a1!".repeat(42),
      "\u00df".repeat(128),
      "x".repeat(1_000),
    ]) {
      const began = performance.now();
      await faultOfPassword(worst, own);
      expect(performance.now() - began).toBeLessThan(20);
    }
  });
});
