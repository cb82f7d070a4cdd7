const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const units: [Intl.RelativeTimeFormatUnit, number, number][] = [
  ["minute", minute, 59.5 * minute],
  ["hour", hour, 23.5 * hour],
  ["day", day, 44.5 * day],
  ["month", 30.44 * day, 360 * day],
  ["year", 365.25 * day, Number.POSITIVE_INFINITY],
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** "3 hours ago", "in 6 days"; what is nearer than half a minute is now. */
export function relativeTime(at: Date, now: Date): string {
  const ms = at.getTime() - now.getTime();
  if (Math.abs(ms) < minute / 2) return "just now";
  const [unit, size] = units.find(([, , below]) => Math.abs(ms) < below) ?? ["year", 365.25 * day];
  const count = Math.round(ms / size);
  return relative.format(count === 0 ? Math.sign(ms) : count, unit);
}

const exact = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

export function exactTime(at: Date): string {
  return `${exact.format(at)} UTC`;
}

const wholeDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** "31 January 2030" */
export function dayWords(at: Date): string {
  return wholeDay.format(at);
}
