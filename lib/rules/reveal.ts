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
  const view: View = { decideCategory, isAsked, headings: new Map() };
  const common = revealCommon(content.common, view);
  const named = revealNamedValues(content.namedValues, view);
  const records = revealRecords(content.memories, view);
  const parts = [...view.headings.values()].flatMap(({ parts }) => byReason(parts));
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
  headings: Map<string, Heading>;
};

/** What is told of the items of one kind and category, by how they were decided. */
type Heading = Pick<Part, "kind" | "category"> & { parts: Map<Decision, Part> };

function headingOf({ headings }: View, kind: Part["kind"], category: Category): Heading {
  const key = `${kind} ${category}`;
  const heading = headings.get(key) ?? { kind, category, parts: new Map() };
  headings.set(key, heading);
  return heading;
}

function revealCommon(common: ProfileContent<never>["common"], view: View) {
  const members = membersOf(common, (member, value) => {
    const { category, isExact } = categoryBelow("prof:*", member);
    const heading = headingOf(view, "common", category);
    return walk({ value, category, isExact, path: member, heading }, view);
  });
  // The specification's profile always has preferences, even when none may be seen.
  return { preferences: {}, ...Object.fromEntries(members) };
}

type Node = {
  value: unknown;
  category: Category;
  isExact: boolean;
  path: string;
  heading: Heading;
};

const hidden = Symbol("hidden");

// What is shown of a node: a denied child is cut out of a granted parent, and a granted child shows
// although its parent asks.
function walk({ value, category, isExact, path, heading }: Node, view: View): unknown {
  if (!isExact || !isObject(value) || isEmpty(value)) {
    if (!view.isAsked(category)) return hidden;
    const decision = view.decideCategory(category);
    const items = isObject(value) && isEmpty(value) ? 0 : 1;
    enter(heading, { name: path, decision, items });
    return isGranted({ decision }) ? value : hidden;
  }
  const children = membersOf(value, (name, child) => {
    const below = categoryBelow(category, name);
    return walk({ value: child, ...below, path: `${path}.${name}`, heading }, view);
  });
  return children.length > 0 ? Object.fromEntries(children) : hidden;
}

type Member = [name: string, value: unknown];
type Shows = (name: string, value: unknown) => unknown;

// A profile may have thousands: one list, and nothing for what is hidden.
function membersOf(object: Readonly<Record<string, unknown>>, shows: Shows): Member[] {
  const members: Member[] = [];
  for (const [name, value] of Object.entries(object)) {
    const shown = shows(name, value);
    if (shown !== hidden) members.push([name, shown]);
  }
  return members;
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
    enter(headingOf(view, "named_value", category), { name, decision });
    return isGranted({ decision });
  });
  return byCategory(shown);
}

function revealRecords<R extends { category: Category }>(records: readonly R[], view: View) {
  const shown = new Map<Category, R[]>();
  for (const [category, items] of byCategory(records)) {
    if (!view.isAsked(category)) continue;
    const decision = view.decideCategory(category);
    const heading = headingOf(view, "memory", category);
    enter(heading, { name: null, decision, items: items.length });
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

type Entry = { name: string | null; decision: Decision; items?: number };

function enter({ kind, category, parts }: Heading, { name, decision, items = 1 }: Entry): void {
  const part = parts.get(decision) ?? { kind, category, names: [], items: 0, decision };
  if (name !== null) part.names.push(name);
  part.items += items;
  parts.set(decision, part);
}

/** Decisions that were made apart and stand by the same rule tell the same. */
function byReason(parts: Heading["parts"]): Part[] {
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

function isEmpty(object: Record<string, unknown>): boolean {
  return Object.keys(object).length === 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
