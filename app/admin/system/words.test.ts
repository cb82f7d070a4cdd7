import { describe, expect, test } from "vitest";
import { testNow } from "@/tests/support/harness";
import { classTitle } from "../words/setting";
import { failed, lateness } from "./words";

const job = {
  name: "seal-events",
  everySeconds: 2,
  startedAt: testNow,
  tookMs: 12,
  lateSeconds: 0.4,
  failures: 0,
  failure: null,
};

describe("a job", () => {
  test.each([
    [{}, "on time"],
    [{ lateSeconds: 90 }, "1.5 min late"],
    [{ lateSeconds: 90, tookMs: null }, "1.5 min late: the last turn has not ended"],
    [{ startedAt: null, tookMs: null }, "has not run yet"],
  ])("with %o is %s", (given, text) => {
    expect(lateness({ ...job, ...given })).toBe(text);
  });

  test.each([
    [{}, "none"],
    [{ failures: 1, failure: "TypeError" }, "the last turn (TypeError)"],
    [{ failures: 3, failure: "TypeError" }, "3 turns in a row (TypeError)"],
  ])("with %o failed: %s", (given, text) => {
    expect(failed({ ...job, ...given })).toBe(text);
  });
});

test("a class of requests is called as its setting is", () => {
  expect(classTitle("propose")).toBe("Proposing");
  expect(classTitle("unheard-of")).toBe("unheard-of");
});
