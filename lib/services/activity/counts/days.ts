/** A day of a reader's calendar; `to` is the next day's `from`. */
export interface Day {
  /** "2026-03-01" */
  day: string;
  from: Date;
  to: Date;
}

const hourMs = 60 * 60_000;
const minuteMs = 60_000;

/** Returns the day of an instant in a time zone: "2026-03-01". */
export function dayOf(at: Date, zone: string): string {
  return calendarOf(zone).format(at);
}

// A formatter is slow to make, and a chart of 92 days formats a thousand instants.
const calendars = new Map<string, Intl.DateTimeFormat>();
const calendarsMax = 100;

function calendarOf(zone: string): Intl.DateTimeFormat {
  const known = calendars.get(zone);
  if (known !== undefined) return known;
  const numeric = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const calendar = new Intl.DateTimeFormat("en-CA", { ...numeric, timeZone: zone });
  if (calendars.size >= calendarsMax) calendars.clear();
  calendars.set(zone, calendar);
  return calendar;
}

export function nextDay(day: string): string {
  return shifted(day, 1);
}

/** Returns the instant a day begins in a time zone, also where its clocks skip midnight. */
export function startOfDay(day: string, zone: string): Date {
  const midnight = new Date(day).getTime();
  // No zone is further from UTC than 14 hours.
  let [before, since] = [midnight - 15 * hourMs, midnight + 15 * hourMs];
  while (since - before > minuteMs) {
    const middle = before + Math.floor((since - before) / 2 / minuteMs) * minuteMs;
    if (dayOf(new Date(middle), zone) < day) before = middle;
    else since = middle;
  }
  return new Date(since);
}

/** Returns the days from one instant to another, at most the last `max` of them. */
export function daysBetween(
  from: Date,
  to: Date,
  { zone, max }: { zone: string; max: number },
): Day[] {
  const last = dayOf(new Date(to.getTime() - 1), zone);
  const earliest = shifted(last, 1 - max);
  const first = dayOf(from, zone);
  const days: Day[] = [];
  let day = [first, earliest].sort().at(-1) ?? first;
  let begin = startOfDay(day, zone);
  while (day <= last) {
    const end = startOfDay(nextDay(day), zone);
    days.push({ day, from: begin, to: end });
    begin = end;
    day = nextDay(day);
  }
  return days;
}

function shifted(day: string, days: number): string {
  return new Date(new Date(day).getTime() + days * 24 * hourMs).toISOString().slice(0, 10);
}
