export interface DigestHour {
  every: "day" | "week";
  /** 0 to 23, by the owner's clock. */
  hour: number;
  /** 1 is Monday. */
  weekday: number;
  timeZone: string;
}

const hourMs = 60 * 60_000;

/** Returns the next instant at which the owner's clock shows that hour, of that weekday where it is weekly. */
export function nextDigestAt({ every, hour, weekday, timeZone }: DigestHour, now: Date): Date {
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    hourCycle: "h23",
    weekday: "short",
    minute: "2-digit",
  });
  // The quarter is what zones differ from each other by.
  const first = Math.ceil((now.getTime() + 1) / quarterMs) * quarterMs;
  for (let at = first; at <= first + 8 * 24 * hourMs; at += quarterMs) {
    const parts = clock.formatToParts(at);
    const part = (type: string) => parts.find((one) => one.type === type)?.value;
    const isDay = every === "day" || part("weekday") === weekdays[weekday - 1];
    if (isDay && Number(part("hour")) === hour && part("minute") === "00") return new Date(at);
  }
  // A clock that skips the hour on that day.
  return new Date(first + (every === "day" ? 1 : 7) * 24 * hourMs);
}

const quarterMs = hourMs / 4;
const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
