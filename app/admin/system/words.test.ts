import { describe, expect, test } from "vitest";
import { testNow } from "@/tests/support/harness";
import { classTitle } from "../words/setting";
import { backupTroubles, failed, lastBackup, lateness } from "./words";

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

describe("the line of backups", () => {
  const hoursAgo = (hours: number) => ({
    file: "gateway-2026-03-01T03-00-00Z.tar.gz",
    bytes: 2_097_152,
    madeAt: new Date(testNow.getTime() - hours * 3_600_000).toISOString(),
    tookMs: 900,
  });
  const backup = {
    startedAt: testNow,
    isRunning: false,
    failure: null,
    last: hoursAgo(9),
    url: "/mnt/backups",
    isNightly: true,
  };
  const overdue = "The nightly one is overdue: press Back up now.";

  test.each([
    [{}, "9 hours ago, 2 MB", ""],
    [{ last: hoursAgo(36) }, "1 day ago, 2 MB", ""],
    [{ last: hoursAgo(37) }, "2 days ago, 2 MB", overdue],
    [{ last: hoursAgo(99), isNightly: false }, "4 days ago, 2 MB", ""],
    [{ last: null }, "none", "None was made here yet: press Back up now."],
    [{ isRunning: true }, "being made", ""],
    [
      { failure: "The disk is full." },
      "9 hours ago, 2 MB",
      "The last attempt failed: The disk is full.",
    ],
    [
      { url: null },
      "9 hours ago, 2 MB",
      "Set BACKUP_URL: backups on the disk of the gateway are lost with it.",
    ],
  ])("with %o says %s, and what to do", (given, value, troubles) => {
    const state = { ...backup, ...given };
    expect(lastBackup(state, testNow)).toBe(value);
    expect(backupTroubles(state, testNow)).toBe(troubles);
  });
});
