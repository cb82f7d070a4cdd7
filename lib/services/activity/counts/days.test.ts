import { expect, test } from "vitest";
import { dayOf, daysBetween, startOfDay } from "./days";

test.each([
  ["UTC", "2026-03-01", "2026-03-01T00:00:00.000Z"],
  ["Asia/Tokyo", "2026-03-01", "2026-02-28T15:00:00.000Z"],
  ["America/Los_Angeles", "2026-03-01", "2026-03-01T08:00:00.000Z"],
  ["Asia/Kathmandu", "2026-03-01", "2026-02-28T18:15:00.000Z"],
  ["Pacific/Kiritimati", "2026-03-01", "2026-02-28T10:00:00.000Z"],
  ["Pacific/Pago_Pago", "2026-03-01", "2026-03-01T11:00:00.000Z"],
  // Clocks go from 23:59 to 01:00, and from 23:59 back to 23:00.
  ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00.000Z"],
  ["Africa/Cairo", "2026-10-30", "2026-10-29T22:00:00.000Z"],
])("in %s the day %s begins at %s", (zone, day, instant) => {
  const begin = startOfDay(day, zone);
  expect(begin.toISOString()).toBe(instant);
  expect(dayOf(begin, zone)).toBe(day);
  expect(dayOf(new Date(begin.getTime() - 1), zone) < day).toBe(true);
});

test("days follow each other without a gap, also where clocks change", () => {
  const days = daysBetween(new Date("2026-03-27T12:00:00Z"), new Date("2026-03-31T12:00:00Z"), {
    zone: "Europe/Berlin",
    max: 92,
  });
  expect(days.map(({ day }) => day)).toEqual([
    ...["2026-03-27", "2026-03-28", "2026-03-29", "2026-03-30", "2026-03-31"],
  ]);
  const hours = days.map(({ from, to }) => (to.getTime() - from.getTime()) / 3_600_000);
  expect(hours).toEqual([24, 24, 23, 24, 24]);
  expect(days.slice(1).map(({ from }) => from)).toEqual(days.slice(0, -1).map(({ to }) => to));
});

test("a long time has its last days", () => {
  const days = daysBetween(new Date(0), new Date("2026-03-01T00:00:00Z"), { zone: "UTC", max: 2 });
  expect(days.map(({ day }) => day)).toEqual(["2026-02-27", "2026-02-28"]);
});
