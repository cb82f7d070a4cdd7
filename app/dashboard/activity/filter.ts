import { z } from "zod";
import { Did } from "@/lib/protocol/did";
import { type ActivityKind, activityKinds } from "@/lib/services/activity/kinds";
import type { ActivityPlace } from "@/lib/services/activity/load-events";
import type { ActivityFilter } from "@/lib/services/activity/matching";
import { firstParam } from "../query";

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

export const periods = { "24h": dayMs, "7d": 7 * dayMs, "30d": 30 * dayMs, "90d": 90 * dayMs };

/** The filter in the address. It is shown again and kept in links. */
export interface Narrowed {
  /** `you`, or the DID of an agent. */
  who?: string;
  kind?: ActivityKind;
  outcome?: "ok" | "refused";
  period?: keyof typeof periods | "custom";
  /** Days, where the period is one's own. */
  from?: string;
  to?: string;
}

export type Query = Record<string, string | string[] | undefined>;

const Day = z.iso.date();
const Input = z.object({
  who: z
    .union([z.literal("you"), Did])
    .optional()
    .catch(undefined),
  kind: z.enum(activityKinds).optional().catch(undefined),
  outcome: z.enum(["ok", "refused"]).optional().catch(undefined),
  period: z.enum(["24h", "7d", "30d", "90d", "custom"]).optional().catch(undefined),
  from: Day.optional().catch(undefined),
  to: Day.optional().catch(undefined),
});

/** Ignores parameters that are not valid. */
export function narrowedBy(query: Query): Narrowed {
  const values = Object.entries(query).map(([name, value]) => [name, firstParam(value)]);
  const { from, to, ...input } = Input.parse(Object.fromEntries(values));
  return input.period === "custom" ? { ...input, from, to } : input;
}

export function filterOf(
  { who, kind, outcome, period, from, to }: Narrowed,
  { did, now }: { did: string; now: Date },
): ActivityFilter {
  const filter = { actor: who === "you" ? did : who, kind, outcome };
  if (period === undefined) return filter;
  if (period !== "custom") return { ...filter, from: new Date(now.getTime() - periods[period]) };
  return {
    ...filter,
    from: from === undefined ? undefined : new Date(from),
    // The last day counts whole.
    to: to === undefined ? undefined : new Date(new Date(to).getTime() + dayMs),
  };
}

export function activityHref(narrowed: Narrowed, after?: ActivityPlace): string {
  const query = new URLSearchParams(given(narrowed));
  if (after !== undefined) query.set("before", `${after.at.toISOString()}~${after.id}`);
  const text = query.toString();
  return `/dashboard/activity${text === "" ? "" : `?${text}`}`;
}

export function exportHref(format: "csv" | "json", narrowed: Narrowed): string {
  const text = new URLSearchParams(given(narrowed)).toString();
  return `/dashboard/activity/export/${format}${text === "" ? "" : `?${text}`}`;
}

export function given(narrowed: Narrowed): [string, string][] {
  return Object.entries(narrowed).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
}
