import { expect, test } from "vitest";
import { type Choice, lastingWords } from "./lasting-words";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const choice = (title: string, note: string | null, until: Date | null): Choice => ({
  ...{ value: title, title, note, until, grant: `for ${title}` },
});
/** What a page says of an end after `ms`, having been open for `elapsed`. */
const endOf = (ms: number, made: string, elapsed = 0, zone = "UTC") => {
  const now = new Date(made);
  const until = new Date(now.getTime() + ms);
  return lastingWords([choice("it", null, until)], { now, zone }, elapsed)[0]?.ends;
};

test("a choice with a note of its own says that, one without an end says who ends it", () => {
  const now = new Date("2026-12-14T14:05:00Z");
  const once = choice("once", "for 15 minutes, then it asks again", new Date(now.getTime() + hour));
  const words = lastingWords([once, choice("open", null, null)], { now, zone: "UTC" }, 0);
  expect(words.map(({ note, ends }) => [note, ends])).toEqual([
    ["for 15 minutes, then it asks again", "for 15 minutes, then it asks again"],
    [null, "until you end it"],
  ]);
});

test.each([
  ["an hour before midnight", hour, "2026-12-14T22:59:00Z", "until 23:59"],
  ["at midnight", hour, "2026-12-14T23:00:00Z", "until tomorrow, 00:00"],
  ["a day on, a minute before midnight", day, "2026-12-14T23:59:00Z", "until tomorrow, 23:59"],
  ["a day on, at midnight", day, "2026-12-15T00:00:00Z", "until tomorrow, 00:00"],
  ["a week on", 7 * day, "2026-12-14T23:59:00Z", "until 21 December 2026"],
])("an end %s is named by the reader's day", (_when, ms, made, words) => {
  expect(endOf(ms, made)).toBe(words);
});

test("midnight is the reader's, not that of UTC", () => {
  const made = "2026-12-14T22:30:00Z";
  expect(endOf(hour, made, 0, "UTC")).toBe("until 23:30");
  expect(endOf(hour, made, 0, "Europe/Berlin")).toBe("until tomorrow, 00:30");
});

test("on a page that stays open the end moves on with the time, past midnight too", () => {
  const made = "2026-12-14T22:30:00Z";
  expect(endOf(hour, made)).toBe("until 23:30");
  expect(endOf(hour, made, minute)).toBe("until 23:31");
  expect(endOf(hour, made, hour)).toBe("until tomorrow, 00:30");
  expect(endOf(hour, made, 2 * hour)).toBe("until 01:30");
  expect(endOf(7 * day, made, 2 * day)).toBe("until 23 December 2026");
});
