import {
  type Category,
  commonMemberScope,
  covers,
  isCategory,
  type Scope,
} from "@/lib/protocol/scope";
import type { DecideCategory, Decision } from "./decide";

export type NamedValue = { category: Category; name: string; value: unknown };

/** What a profile holds; records newest first. */
export type ProfileContent<R extends { category: Category }> = {
  common: Readonly<Record<string, unknown>>;
  namedValues: readonly NamedValue[];
  memories: readonly R[];
};

/** Items of one kind and category that stand or fall by the same rule: their names, never values. */
export type Part = {
  kind: "common" | "named_value" | "memory";
  category: Category;
  names: string[];
  items: number;
  decision: Decision;
};

export type Revealed<R> = {
  common: { preferences: Record<string, unknown>; [member: string]: unknown };
  memories: Record<Category, R[] | Record<string, unknown>>;
  /** How many items of which category are handed out. Decisions 9. */
  counts: Record<Category, number>;
  shown: Part[];
  /** For the owner's eyes: what stays hidden, and why. */
  hidden: Part[];
};

type Asked<R extends { category: Category }> = {
  content: ProfileContent<R>;
  decideCategory: DecideCategory;
  /** Only what these scopes cover; null for everything. */
  within?: readonly Scope[] | null;
};

/** Decisions 5: each item by the category that governs it, never by a scope as a whole. */
export function reveal<R extends { category: Category }>({
  content,
  decideCategory,
  within = null,
}: Asked<R>): Revealed<R> {
  const isAsked = (category: Category) =>
    within === null || within.some((scope) => covers(scope, category));
  const view: View = { decideCategory, isAsked, parts: new Map() };
  const common = revealCommon(content.common, view);
  const named = revealNamedValues(content.namedValues, view);
  const records = revealRecords(content.memories, view);
  const parts = [...view.parts.values()];
  const shown = parts.filter(isGranted);
  return {
    common,
    memories: joinMemories(named, records),
    counts: countItems(shown),
    shown,
    hidden: parts.filter((part) => !isGranted(part)),
  };
}

type View = {
  decideCategory: DecideCategory;
  isAsked: (category: Category) => boolean;
  parts: Map<string, Part>;
};

function revealCommon(common: ProfileContent<never>["common"], view: View) {
  const members = membersOf(Object.entries(common), ([member, value]) => {
    const { category, isExact } = categoryBelow("prof:*", member);
    return walk({ value, category, isExact, path: member, heading: category }, view);
  });
  // The specification's profile always has preferences, even when none may be seen.
  return { preferences: {}, ...Object.fromEntries(members) };
}

type Node = {
  value: unknown;
  category: Category;
  isExact: boolean;
  path: string;
  heading: Category;
};

const hidden = Symbol("hidden");

// What is shown of a node: a denied child is cut out of a granted parent, and a granted child shows
// although its parent asks.
function walk({ value, category, isExact, path, heading }: Node, view: View): unknown {
  const entries = isExact && isObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) {
    if (!view.isAsked(category)) return hidden;
    const decision = view.decideCategory(category);
    const items = isObject(value) && Object.keys(value).length === 0 ? 0 : 1;
    enter(view, { kind: "common", category: heading, name: path, decision, items });
    return isGranted({ decision }) ? value : hidden;
  }
  const children = membersOf(entries, ([name, child]) => {
    const below = { ...categoryBelow(category, name), path: `${path}.${name}`, heading };
    return walk({ value: child, ...below }, view);
  });
  return children.length > 0 ? Object.fromEntries(children) : hidden;
}

type Member = [name: string, value: unknown];

function membersOf(entries: Member[], shownOf: (entry: Member) => unknown): Member[] {
  return entries
    .map((entry): Member => [entry[0], shownOf(entry)])
    .filter(([, value]) => value !== hidden);
}

// What governs a member: its own category in lower case or, where its name cannot be in one, the nearest above.
function categoryBelow(parent: Category, name: string): { category: Category; isExact: boolean } {
  let category = parent;
  for (const segment of name.toLowerCase().split(".")) {
    const next = category === "prof:*" ? commonMemberScope(segment) : `${category}.${segment}`;
    if (!isCategory(next)) return { category, isExact: false };
    category = next;
  }
  return { category, isExact: true };
}

// Decisions 5: by its own category. A scope that names the very value can only take it away.
function revealNamedValues(values: readonly NamedValue[], view: View): Map<Category, NamedValue[]> {
  const shown = values.filter(({ category, name }) => {
    const exact = categoryBelow(category, name).category;
    if (!view.isAsked(category) && !view.isAsked(exact)) return false;
    const whole = view.decideCategory(category);
    const decision = isGranted({ decision: whole }) ? view.decideCategory(exact) : whole;
    enter(view, { kind: "named_value", category, name, decision });
    return isGranted({ decision });
  });
  return byCategory(shown);
}

function revealRecords<R extends { category: Category }>(records: readonly R[], view: View) {
  const shown = new Map<Category, R[]>();
  for (const [category, items] of byCategory(records)) {
    if (!view.isAsked(category)) continue;
    const decision = view.decideCategory(category);
    enter(view, { kind: "memory", category, name: null, decision, items: items.length });
    if (isGranted({ decision })) shown.set(category, items);
  }
  return shown;
}

// Decisions 6: a category with both shows the object, with the records under its member `memories`.
function joinMemories<R>(named: Map<Category, NamedValue[]>, records: Map<Category, R[]>) {
  const categories = new Set([...named.keys(), ...records.keys()]);
  return Object.fromEntries(
    Array.from(categories, (category) => {
      const values = named.get(category);
      const list = records.get(category);
      if (!values) return [category, list ?? []];
      const object = Object.fromEntries(values.map(({ name, value }) => [name, value]));
      return [category, list ? { ...object, memories: list } : object];
    }),
  );
}

type Entry = Pick<Part, "kind" | "category" | "decision"> & { name: string | null; items?: number };

function enter(view: View, { kind, category, decision, name, items = 1 }: Entry): void {
  const { rule, policyId, receiptId } = decision.reason;
  const key = `${kind} ${category} ${rule} ${policyId} ${receiptId}`;
  const part = view.parts.get(key) ?? { kind, category, names: [], items: 0, decision };
  if (name !== null) part.names.push(name);
  part.items += items;
  view.parts.set(key, part);
}

function countItems(shown: readonly Part[]): Record<Category, number> {
  const counts = new Map<Category, number>();
  for (const { category, items } of shown) {
    if (items > 0) counts.set(category, (counts.get(category) ?? 0) + items);
  }
  return Object.fromEntries(counts);
}

function byCategory<T extends { category: Category }>(items: readonly T[]): Map<Category, T[]> {
  const groups = new Map<Category, T[]>();
  for (const item of items) {
    const group = groups.get(item.category);
    if (group) group.push(item);
    else groups.set(item.category, [item]);
  }
  return groups;
}

function isGranted({ decision }: { decision: Decision }): boolean {
  return decision.outcome === "granted";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
