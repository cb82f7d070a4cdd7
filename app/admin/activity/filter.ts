import { firstParam } from "../query";
import { adminVerbs } from "./sentence";

export const filterNames = ["admin", "verb", "subject", "from", "to"] as const;
export type Input = Partial<Record<string, string | string[]>>;

/** As it stands in an address; days are days of UTC, both of them included. */
export function narrowedBy(query: Input) {
  return Object.fromEntries(filterNames.map((name) => [name, firstParam(query[name])])) as Record<
    (typeof filterNames)[number],
    string | undefined
  >;
}

export function filterOf(query: Input) {
  const { admin, verb, subject, from, to } = narrowedBy(query);
  const end = dayOf(to);
  return {
    adminId: admin,
    verb: adminVerbs.find((one) => one === verb),
    subject,
    from: dayOf(from),
    to: end && new Date(end.getTime() + 24 * 60 * 60_000),
  };
}

function dayOf(text: string | undefined): Date | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? undefined : day;
}
