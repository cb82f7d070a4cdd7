import { expect, test } from "vitest";
import { claimedDate } from "./claimed-date";

test.each([
  ["2026-01-15", "2026-01-15", "day"],
  ["2026-01", "2026-01", "month"],
  ["2026", "2026", "year"],
  ["March 2025", "2025-03", "month"],
  ["Mar. 2025", "2025-03", "month"],
  ["2026-01-15T10:00:00+01:00", "2026-01-15T09:00:00.000Z", "instant"],
  ["2026-01-15 10:00:00.123456", "2026-01-15T10:00:00.123Z", "instant"],
  [1_768_471_200, "2026-01-15T10:00:00.000Z", "instant"],
  [1_768_471_200_000, "2026-01-15T10:00:00.000Z", "instant"],
])("%s -> %s, precise to the %s", (value, text, precision) => {
  expect(claimedDate(value)).toEqual({ text, precision });
});

test.each([
  ["2026-02-31"],
  ["2026-13"],
  ["1900"],
  ["2999-01-01"],
  ["1900-01-01T00:00:00Z"],
  ["soon"],
  [-1],
  [1e20],
])("%s -> its text, without a precision", (value) => {
  expect(claimedDate(value)).toEqual({ text: String(value), precision: "none" });
});

test.each([["unknown"], ["n/a"], [""], [null], [undefined], [{}], [true]])(
  "%s -> no date",
  (value) => {
    expect(claimedDate(value)).toBeNull();
  },
);

test("long text -> its first 40 characters", () => {
  expect(claimedDate("😀".repeat(50))?.text).toBe("😀".repeat(40));
});
