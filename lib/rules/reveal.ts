import { type Category, covers, type Scope } from "@/lib/protocol/scope";
import type { DecideCategory } from "./decide";
import { byReason, countItems, enter, headingOf, isGranted, type Part } from "./parts/parts";
import { categoryBelow, cutOut, hidden, type View, walk, walkItem } from "./parts/walk";

export type NamedValue = { category: Category; name: string; value: unknown };

/** The contents of a profile; records are newest first. */
export type ProfileContent<R extends { category: Category }> = {
  common: Readonly<Record<string, unknown>>;
  namedValues: readonly NamedValue[];
  memories: readonly R[];
};

export type Revealed<R> = {
  common: { preferences: Record<string, unknown>; [member: string]: unknown };
  memories: Record<Category, R[] | Record<string, unknown>>;
  /** How many items of which category are handed out. Protocol 9. */
  counts: Record<Category, number>;
  shown: Part[];
  /** For the owner: what stays hidden, and why. */
  hidden: Part[];
};

type Input<R extends { category: Category }> = {
  content: ProfileContent<R>;
  decideCategory: DecideCategory;
  /** Only what these scopes cover; null for everything. */
  within?: readonly Scope[] | null;
};

/** Protocol 5: each item by the category that governs it, never by a scope as a whole. */
export function reveal<R extends { category: Category }>({
  content,
  decideCategory,
  within = null,
}: Input<R>): Revealed<R> {
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

function revealCommon(common: ProfileContent<never>["common"], view: View) {
  const members = cutOut(common, (member, value) => {
    const { category, isExact } = categoryBelow("prof:*", member);
    const heading = headingOf(view.headings, { kind: "common", category });
    return walk({ value, category, isExact, path: member, heading }, view);
  });
  // The specification's profile always has preferences, even if none are visible.
  return { preferences: {}, ...(members === hidden ? {} : members) };
}

// Protocol 5: by its own category. A scope that names the very value, or something in it, can only take it away.
function revealNamedValues(values: readonly NamedValue[], view: View): Map<Category, NamedValue[]> {
  const shown = values.flatMap((named) => {
    const { category, name, value } = named;
    const exact = categoryBelow(category, name);
    if (!view.isAsked(category) && !view.isAsked(exact.category)) return [];
    const heading = headingOf(view.headings, { kind: "named_value", category });
    const decision = view.decideCategory(category);
    if (!isGranted({ decision })) {
      enter(heading, { name, decision });
      return [];
    }
    const left = walkItem({ value, ...exact, path: name, heading }, view);
    return left === hidden ? [] : [{ ...named, value: left }];
  });
  return byCategory(shown);
}

function revealRecords<R extends { category: Category }>(records: readonly R[], view: View) {
  const shown = new Map<Category, R[]>();
  for (const [category, items] of byCategory(records)) {
    if (!view.isAsked(category)) continue;
    const decision = view.decideCategory(category);
    const heading = headingOf(view.headings, { kind: "memory", category });
    enter(heading, { name: null, decision, items: items.length });
    if (isGranted({ decision })) shown.set(category, items);
  }
  return shown;
}

// Protocol 6: a category with both shows the object, with the records under its member `memories`.
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

function byCategory<T extends { category: Category }>(items: readonly T[]): Map<Category, T[]> {
  const groups = new Map<Category, T[]>();
  for (const item of items) {
    const group = groups.get(item.category);
    if (group) group.push(item);
    else groups.set(item.category, [item]);
  }
  return groups;
}
