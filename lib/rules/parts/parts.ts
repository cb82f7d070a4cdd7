import type { Category } from "@/lib/protocol/scope";
import type { Decision } from "../decide";

/** Items of one kind and category with the same decision: their names, never values. */
export type Part = {
  kind: "common" | "named_value" | "memory";
  category: Category;
  names: string[];
  items: number;
  decision: Decision;
};

/** The items of one kind and category, grouped by decision. */
export type Heading = Pick<Part, "kind" | "category"> & { parts: Map<Decision, Part> };

export function headingOf(
  headings: Map<string, Heading>,
  { kind, category }: Pick<Part, "kind" | "category">,
): Heading {
  const key = `${kind} ${category}`;
  const heading = headings.get(key) ?? { kind, category, parts: new Map() };
  headings.set(key, heading);
  return heading;
}

type Entry = { name: string | null; decision: Decision; items?: number };

export function enter(
  { kind, category, parts }: Heading,
  { name, decision, items = 1 }: Entry,
): void {
  const part = parts.get(decision) ?? { kind, category, names: [], items: 0, decision };
  if (name !== null) part.names.push(name);
  part.items += items;
  parts.set(decision, part);
}

/** Merges decisions that have the same reason. */
export function byReason(parts: Heading["parts"]): Part[] {
  const merged = new Map<string, Part>();
  for (const part of parts.values()) {
    const { rule, policyId, receiptId } = part.decision.reason;
    const key = `${rule} ${policyId} ${receiptId}`;
    const first = merged.get(key);
    if (first === undefined) merged.set(key, part);
    else {
      first.names.push(...part.names);
      first.items += part.items;
    }
  }
  return [...merged.values()];
}

/** How many items of which category. */
export function countItems(parts: readonly Part[]): Record<Category, number> {
  const counts = new Map<Category, number>();
  for (const { category, items } of parts) {
    if (items > 0) counts.set(category, (counts.get(category) ?? 0) + items);
  }
  return Object.fromEntries(counts);
}

export function isGranted({ decision }: { decision: Decision }): boolean {
  return decision.outcome === "granted";
}
