import { z } from "zod";
import {
  choice,
  param,
  place,
  type Query,
  searchParams,
} from "@/lib/http/session/address/search-params";
import { Did } from "@/lib/protocol/did";
import { dayOf, nextDay, startOfDay } from "@/lib/services/activity/counts/days";
import { activityKinds } from "@/lib/services/activity/kinds";
import type { ActivityFilter } from "@/lib/services/activity/matching";

const dayMs = 24 * 60 * 60_000;
const periods = { "24h": dayMs, "7d": 7 * dayMs, "30d": 30 * dayMs, "90d": 90 * dayMs };

const filters = {
  /** `you`, or the DID of an agent. */
  who: param(z.union([z.literal("you"), Did])),
  kind: param(z.enum(activityKinds)),
  outcome: param(z.enum(["ok", "refused"])),
  period: param(z.enum(["24h", "7d", "30d", "90d", "custom"])),
  /** Days, where the period is `custom`. */
  from: param(z.iso.date()),
  to: param(z.iso.date()),
};

const address = searchParams("/dashboard/activity", {
  ...filters,
  /** What the chart tells apart. */
  by: choice(["day", "category"], "day"),
  before: place,
});

/** What the page shows. */
export const activityParams = {
  ...address,
  read: (query: Query) =>
    address.read(query.period === "custom" ? query : { ...query, from: undefined, to: undefined }),
};
export type ActivityView = ReturnType<typeof activityParams.read>;

/** What a file of the log has. */
export const exportParams = (format: "csv" | "json") =>
  searchParams(`/dashboard/activity/export/${format}`, filters);
export type ExportView = ReturnType<ReturnType<typeof exportParams>["read"]>;

export function isFiltered(view: ActivityView): boolean {
  return activityParams.href({ ...view, by: "day", before: undefined }) !== activityParams.path;
}

export interface Reader {
  did: string;
  now: Date;
  zone: string;
}

/** Returns the filter of a view; days are the reader's, and the last one counts whole. */
export function filterOf(
  { who, kind, outcome, period, from, to }: ExportView,
  { did, now, zone }: Reader,
): ActivityFilter {
  const filter = { actor: who === "you" ? did : who, kind, outcome };
  if (period === undefined) return filter;
  if (period !== "custom") return { ...filter, from: new Date(now.getTime() - periods[period]) };
  return {
    ...filter,
    from: from === undefined ? undefined : startOfDay(from, zone),
    to: to === undefined ? undefined : startOfDay(nextDay(to), zone),
  };
}

/** The days of the chart: those of the filter, or the last fourteen. */
export function chartPeriod({ from, to }: ActivityFilter, { now, zone }: Reader) {
  const end = to === undefined || to > now ? now : to;
  if (from !== undefined) return { from, to: end };
  const days = new Date(end.getTime() - 13 * dayMs);
  return { from: startOfDay(dayOf(days, zone), zone), to: end };
}
