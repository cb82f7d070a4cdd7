import {
  type Category,
  commonMemberScope,
  coveringKeys,
  covers,
  type Scope,
} from "@/lib/protocol/scope";
import type { DecideCategory } from "../decide";
import type { Part } from "../parts/parts";
import { categoryBelow } from "../parts/walk";
import { type NamedValue, type Revealed, reveal } from "../reveal";

/** The contents of a profile, counted: what an agent may see needs no text of a memory. */
export type Holdings = {
  common: Readonly<Record<string, unknown>>;
  namedValues: readonly NamedValue[];
  /** Category → how many memories. */
  memories: Readonly<Record<Category, number>>;
};

/** One item that an agent sees: a named value, or the text of a memory. */
export interface SeenItem {
  id: string;
  kind: Part["kind"];
  category: Category;
  /** The category that decides on it: a member of the profile has one for each name in it. */
  governed: Category;
  name: string | null;
  value: unknown;
  /** When a memory was kept. */
  createdAt?: string;
}

type Held = { id: string; category: Category; content: unknown; createdAt?: string };

/** What decisions hand out of a profile, and what they hide. */
export interface Sight {
  /** One item is all memories of its category, which is its id. */
  seen: SeenItem[];
  /** By which rule it stays hidden: names and counts, never values. */
  hidden: Part[];
}

/** Decides on the holdings item by item, as an answer does; `within`: only what these scopes cover. */
export function sightOf(
  { memories, ...values }: Holdings,
  decideCategory: DecideCategory,
  within: readonly Scope[] | null = null,
): Sight {
  const records = Object.keys(memories).map((id) => ({ id, category: id, content: id }));
  const content = { ...values, memories: records };
  const revealed = reveal({ content, decideCategory, within });
  const hidden = revealed.hidden.map((part) =>
    part.kind === "memory" ? { ...part, items: memories[part.category] ?? 0 } : part,
  );
  return { seen: itemsSeen(revealed), hidden };
}

export interface Counts {
  memories: number;
  values: number;
}

/** Counts what is seen, as all pages of List Memories and the values of the profile add up to. */
export function countSeen(items: readonly SeenItem[], { memories }: Holdings): Counts {
  return sumOf(items.map((item) => countsOf(item, memories)));
}

// One item is in the list for all memories of a category.
function countsOf({ kind, category }: SeenItem, memories: Holdings["memories"]): Counts {
  return kind === "memory"
    ? { memories: memories[category] ?? 0, values: 0 }
    : { memories: 0, values: 1 };
}

export type CountItems = (items: readonly SeenItem[]) => Map<Category, Counts>;

/**
 * Counts what is seen by its category. A value belongs to the nearest one that decisions name, or that has memories:
 * all of it fares alike.
 */
export function counterOf({ memories }: Holdings, decided: readonly Category[]): CountItems {
  const named = new Set([...decided, ...Object.keys(memories)]);
  const categoryOf = ({ kind, category, governed }: SeenItem) =>
    kind === "common"
      ? (coveringKeys(governed).find((key) => named.has(key) && covers(category, key)) ?? category)
      : category;
  return (items) => {
    const counts = new Map<Category, Counts>();
    for (const item of items) {
      const category = categoryOf(item);
      const one = countsOf(item, memories);
      const counted = counts.get(category);
      if (counted === undefined) counts.set(category, one);
      else {
        counted.memories += one.memories;
        counted.values += one.values;
      }
    }
    return counts;
  };
}

export function sumOf(counts: readonly Counts[]): Counts {
  const sum = { memories: 0, values: 0 };
  for (const { memories, values } of counts) {
    sum.memories += memories;
    sum.values += values;
  }
  return sum;
}

/** Splits what is revealed into its values, by path, and its memories. */
export function itemsSeen<R extends Held>({ common, memories }: Revealed<R>): SeenItem[] {
  const members = Object.entries(common).flatMap(([member, value]) => {
    const category = commonMemberScope(member);
    return leaves({ category, governed: category, path: [], value, kind: "common" });
  });
  const kept = Object.entries(memories).flatMap(([category, held]) => {
    if (Array.isArray(held)) return held.map(seenMemory);
    const { memories: records, ...values } = held;
    const named = Object.entries(values).map(([name, value]) =>
      seen({ category, governed: category, path: [name], value, kind: "named_value" }),
    );
    return [...named, ...(Array.isArray(records) ? records.map(seenMemory) : [])];
  });
  return [...members, ...kept];
}

interface Leaf {
  category: Category;
  governed: Category;
  path: string[];
  value: unknown;
  kind: Part["kind"];
}

function leaves(leaf: Leaf): SeenItem[] {
  const { value, path } = leaf;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [seen(leaf)];
  return Object.entries(value).flatMap(([name, below]) =>
    leaves({
      ...leaf,
      governed: categoryBelow(leaf.governed, name).category,
      path: [...path, name],
      value: below,
    }),
  );
}

function seen({ category, governed, path, value, kind }: Leaf): SeenItem {
  const id = JSON.stringify([kind, category, ...path]);
  return { id, kind, category, governed, name: path.length === 0 ? null : path.join(" › "), value };
}

export function seenMemory({ id, category, content, createdAt }: Held): SeenItem {
  return {
    ...{ id, kind: "memory", category, governed: category, name: null, value: content },
    ...(createdAt === undefined ? {} : { createdAt }),
  };
}
