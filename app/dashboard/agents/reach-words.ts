import type { Opening, Openings } from "@/lib/rules/effect/openings";
import type { PolicyOrigin } from "@/lib/rules/facts";
import type { CategoryReach } from "@/lib/services/access/sight/reach";
import { list } from "../../_components/words/list";
import { type ReaderClock, untilWords } from "../../_components/words/time";

type Open = Pick<Openings, "reads" | "takes">;

/** Returns the categories that an agent can read, now or after saying why. */
export function openIn(categories: readonly CategoryReach[]): CategoryReach[] {
  return categories.filter((one) => openingOf(one) !== null);
}

/** Whether nothing can open to it: then it does not even ask. */
export function isShut(categories: readonly CategoryReach[]): boolean {
  return categories.length > 0 && categories.every(({ never }) => never !== null);
}

/** Returns the rule behind it: the one that counts now, or the one that opens it after saying why. */
export function openingOf({ reads, takes }: Open): Opening | null {
  return reads ?? takes;
}

/** Returns when it closes to the agent; null where only the owner ends it. */
export function openUntil({ reads, takes }: Open): Date | null {
  const ends = [reads, takes].flatMap((one) => (one === null ? [] : [one.until]));
  const times = ends.flatMap((end) => end?.getTime() ?? []);
  return times.length < ends.length ? null : new Date(Math.max(...times));
}

const behind: readonly [one: string, many: string, origins: readonly PolicyOrigin[]][] = [
  ["a rule of yours", "rules of yours", ["owner", "template"]],
  ["a grant", "grants", ["consent"]],
  ["a connection token", "connection tokens", ["token"]],
];

/** "By 2 rules of yours and a grant until 24 December 2026" */
export function reasonsWords(categories: readonly CategoryReach[], clock: ReaderClock): string {
  const open = openIn(categories);
  if (isShut(categories)) return "Never anything: a rule of yours or an admin forbids it";
  if (open.length === 0) {
    const isClosed = categories.some(({ never }) => never !== null);
    return `Has to ask you first${isClosed ? "; some categories stay closed" : ""}`;
  }
  const parts = behind.flatMap(([one, many, origins]) => {
    const policies = open.flatMap((reach) => openingOf(reach)?.policy ?? []);
    const opening = policies.filter(({ origin }) => origins.includes(origin));
    const count = new Set(opening.map(({ id }) => id)).size;
    if (count !== 1) return count === 0 ? [] : [`${count} ${many}`];
    const [end = null] = opening.map(({ expiresAt }) => expiresAt);
    return [end === null ? one : `${one} ${untilWords(end, clock)}`];
  });
  const isTaken = open.every(({ reads }) => reads === null);
  return `${isTaken ? "After saying why, by" : "By"} ${list(parts)}`;
}
