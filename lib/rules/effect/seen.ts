import { type Category, commonMemberScope } from "@/lib/protocol/scope";
import type { Part } from "../parts/parts";
import type { Revealed } from "../reveal";

/** One item that an agent sees: a named value, or the text of a memory. */
export interface SeenItem {
  id: string;
  category: Category;
  name: string | null;
  value: unknown;
}

type Held = { id: string; category: Category; content: unknown };

/** Splits what is revealed into its values, by path, and its memories. */
export function itemsSeen<R extends Held>({ common, memories }: Revealed<R>): SeenItem[] {
  const members = Object.entries(common).flatMap(([member, value]) =>
    leaves({ category: commonMemberScope(member), path: [], value, kind: "common" }),
  );
  const kept = Object.entries(memories).flatMap(([category, held]) => {
    if (Array.isArray(held)) return recordsOf(held);
    const { memories: records, ...values } = held;
    const named = Object.entries(values).map(([name, value]) =>
      seen({ category, path: [name], value, kind: "named_value" }),
    );
    return [...named, ...(Array.isArray(records) ? recordsOf(records) : [])];
  });
  return [...members, ...kept];
}

interface Leaf {
  category: Category;
  path: string[];
  value: unknown;
  kind: Part["kind"];
}

function leaves(leaf: Leaf): SeenItem[] {
  const { value, path } = leaf;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [seen(leaf)];
  return Object.entries(value).flatMap(([name, below]) =>
    leaves({ ...leaf, path: [...path, name], value: below }),
  );
}

function seen({ category, path, value, kind }: Leaf): SeenItem {
  const id = JSON.stringify([kind, category, ...path]);
  return { id, category, name: path.length === 0 ? null : path.join(" › "), value };
}

function recordsOf(records: readonly Held[]): SeenItem[] {
  return records.map(({ id, category, content }) => ({ id, category, name: null, value: content }));
}
