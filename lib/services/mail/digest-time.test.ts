import { expect, test } from "vitest";
import { nextDigestAt } from "./digest-time";

const day = { every: "day", hour: 8, weekday: 1, timeZone: "Europe/Berlin" } as const;

test.each([
  ["before the hour", "2026-03-01T06:59:59Z", day, "2026-03-01T07:00:00Z"],
  ["at the hour", "2026-03-01T07:00:00Z", day, "2026-03-02T07:00:00Z"],
  ["after a change of the clock", "2026-03-28T12:00:00Z", day, "2026-03-29T06:00:00Z"],
  [
    "an hour that the clock skips",
    "2026-03-28T12:00:00Z",
    { ...day, hour: 2 },
    "2026-03-30T00:00:00Z",
  ],
  ["weekly", "2026-03-03T12:00:00Z", { ...day, every: "week" as const }, "2026-03-09T07:00:00Z"],
  [
    "a zone of three quarters",
    "2026-03-01T00:00:00Z",
    { ...day, timeZone: "Asia/Kathmandu" },
    "2026-03-01T02:15:00Z",
  ],
])("%s", (_case, now, when, next) => {
  expect(nextDigestAt(when, new Date(now))).toEqual(new Date(next));
});
