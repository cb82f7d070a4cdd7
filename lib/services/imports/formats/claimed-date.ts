/** A date as its source claims it, no more precise than it was. */
export interface ClaimedDate {
  /** The beginning of an ISO 8601 date ("2026-01"), which `new Date` reads; with "none", the source's own text. */
  text: string;
  precision: "instant" | "day" | "month" | "year" | "none";
}

const months =
  "january february march april may june july august september october november december".split(
    " ",
  );
const textMax = 40;
const unknown =
  /^(?:unknown|unavailable|none|no date|not available|date unknown|n\/a|null|-|\?)?$/i;
const hasZone = /(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;

/** Reads a claimed date; null where the source has none or says that it is unknown. */
export function claimedDate(value: unknown): ClaimedDate | null {
  if (typeof value === "number") {
    const isSeconds = Math.abs(value) < 1e11;
    return instant(new Date(isSeconds ? value * 1_000 : value)) ?? asText(String(value));
  }
  if (typeof value !== "string") return null;
  const text = value.trim();
  return unknown.test(text) ? null : (exactDate(text) ?? asText(text));
}

/** Reads a date that a memory can have; null for any other text. */
export function exactDate(text: string): ClaimedDate | null {
  if (text.length > textMax) return null;
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? [];
  if (year !== undefined) {
    const precision = day !== undefined ? "day" : month !== undefined ? "month" : "year";
    return bounded(new Date(text), { text, precision });
  }
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(text)) {
    const time = text.replace(" ", "T");
    return instant(new Date(hasZone.test(time.slice(10)) ? time : `${time}Z`));
  }
  const [, name = "", named] = /^([a-z]{3,9})\.? (\d{4})$/i.exec(text) ?? [];
  const index = months.findIndex((one) => one.startsWith(name.toLowerCase()));
  if (named === undefined || index === -1) return null;
  return exactDate(`${named}-${String(index + 1).padStart(2, "0")}`);
}

function instant(at: Date): ClaimedDate | null {
  const isDate = !Number.isNaN(at.getTime());
  return isDate ? bounded(at, { text: at.toISOString(), precision: "instant" }) : null;
}

function bounded(at: Date, claimed: ClaimedDate): ClaimedDate | null {
  const year = at.getUTCFullYear();
  // `new Date` reads the 31st of February as a day of March.
  const isSame = year >= 1990 && year <= 2100 && at.toISOString().startsWith(claimed.text);
  return isSame ? claimed : null;
}

function asText(text: string): ClaimedDate {
  return { text: [...text.slice(0, 2 * textMax)].slice(0, textMax).join(""), precision: "none" };
}
