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
  // Two clocks differ by a little.
  if (Math.abs(ms) < minute / 2) return ms > 3_000 ? "in a moment" : "just now";
  const [unit, size] = units.find(([, , below]) => Math.abs(ms) < below) ?? ["year", 365.25 * day];
  const count = Math.round(ms / size);
  return relative.format(count === 0 ? Math.sign(ms) : count, unit);
}

const formats = {
  exact: {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  },
  clock: { hour: "2-digit", minute: "2-digit" },
  day: { dateStyle: "long" },
  weekday: { dateStyle: "full" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

// A formatter is slow to make, and a page says a hundred times.
const formatters = new Map<string, Intl.DateTimeFormat>();
const formattersMax = 200;

function formatted(at: Date, format: keyof typeof formats, timeZone: string): string {
  const key = `${format} ${timeZone}`;
  const known = formatters.get(key);
  if (known !== undefined) return known.format(at);
  const made = new Intl.DateTimeFormat("en-GB", { ...formats[format], timeZone });
  if (formatters.size >= formattersMax) formatters.clear();
  formatters.set(key, made);
  return made.format(at);
}

/** "31 January 2030 at 14:05 UTC" */
export function exactTime(at: Date, zone = "UTC"): string {
  return formatted(at, "exact", zone);
}

/** "14:05" */
export function clockTime(at: Date, zone = "UTC"): string {
  return formatted(at, "clock", zone);
}

/** "31 January 2030" */
export function dayWords(at: Date, zone = "UTC"): string {
  return formatted(at, "day", zone);
}

/** "Today", "Yesterday", or the day with its weekday. */
export function dayHeading(at: Date, now: Date, zone = "UTC"): string {
  const name = dayWords(at, zone);
  if (name === dayWords(now, zone)) return "Today";
  if (name === dayWords(new Date(now.getTime() - day), zone)) return "Yesterday";
  return formatted(at, "weekday", zone);
}

/** The clock of whom a page is for. */
export interface ReaderClock {
  now: Date;
  zone: string;
}

/** "until 14:05", "until tomorrow, 14:05", "until 14 December 2026". */
export function untilWords(at: Date, { now, zone }: ReaderClock): string {
  if (dayHeading(at, now, zone) === "Today") return `until ${clockTime(at, zone)}`;
  const isTomorrow = dayHeading(now, at, zone) === "Yesterday";
  return `until ${isTomorrow ? `tomorrow, ${clockTime(at, zone)}` : dayWords(at, zone)}`;
}

/** Things under the day that each belongs to, in the order they come in. */
export function byDay<T>(
  things: readonly T[],
  { at, now, zone }: { at: (thing: T) => Date; now: Date; zone: string },
): { heading: string; things: T[] }[] {
  const days: { heading: string; things: T[] }[] = [];
  for (const thing of things) {
    const heading = dayHeading(at(thing), now, zone);
    const last = days.at(-1);
    if (last?.heading === heading) last.things.push(thing);
    else days.push({ heading, things: [thing] });
  }
  return days;
}

/** "340 ms", "2.5 s", "12 min", "3.4 h" */
export function durationWords(ms: number): string {
  if (ms < second) return `${Math.round(ms)} ms`;
  const [size, unit] = ms < minute ? [second, "s"] : ms < hour ? [minute, "min"] : [hour, "h"];
  return `${(ms / size).toLocaleString("en", { maximumFractionDigits: 1 })} ${unit}`;
}
