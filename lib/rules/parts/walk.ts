import { type Category, commonMemberScope, isCategory } from "@/lib/protocol/scope";
import type { DecideCategory } from "../decide";
import { enter, type Heading, isGranted } from "./parts";

export type View = {
  decideCategory: DecideCategory;
  isAsked: (category: Category) => boolean;
  headings: Map<string, Heading>;
};

type Node = {
  value: unknown;
  category: Category;
  isExact: boolean;
  path: string;
  heading: Heading;
  /** Part of a value that counts as one item. */
  isInside?: boolean;
};

export const hidden = Symbol("hidden");

// What is shown of a node: a denied child is cut out of a granted parent, and a granted child shows
// although its parent asks.
export function walk(node: Node, view: View): unknown {
  const { value, category, isExact, path, isInside } = node;
  if (!isExact || !isTree(value) || (isInside && isSettled(category, view))) {
    return isShown(node, view) ? value : hidden;
  }
  if (Array.isArray(value)) {
    return isInside ? walkElements(node, value, view) : walkItem(node, view);
  }
  const reached = view.decideCategory.namedIn(category);
  const isAsked = view.isAsked(category);
  const below = (name: string, child: unknown) => {
    const at = `${path}.${name}`;
    // A scalar that no rule names fares as what it is in.
    if (isAsked && !isTree(child) && !reached?.has(firstSegment(name))) {
      return isShown({ ...node, value: child, path: at }, view) ? child : hidden;
    }
    return walk({ ...node, ...categoryBelow(category, name), value: child, path: at }, view);
  };
  if (isInside && isGrantedIn(category, view)) {
    enter(node.heading, { name: path, decision: view.decideCategory(category) });
    return cutOut(value, { reached, below });
  }
  const children = membersOf(value, below);
  return children.length > 0 ? Object.fromEntries(children) : hidden;
}

type Cutting = {
  /** First segments of the names that a rule reaches: no other needs a decision of its own. */
  reached: ReadonlySet<string> | null;
  below: Shows;
};

// A copy with little taken out takes a third of the time of one that is put together.
function cutOut(value: Readonly<Record<string, unknown>>, { reached, below }: Cutting): unknown {
  const left = { ...value };
  const names = Object.keys(value);
  let count = names.length;
  for (const name of names) {
    if (!reached?.has(firstSegment(name))) continue;
    const shown = below(name, value[name]);
    if (shown !== hidden) left[name] = shown;
    else {
      delete left[name];
      count--;
    }
  }
  return count === 0 ? hidden : left;
}

// An array, or a named value: one item, even where something is cut out of it.
export function walkItem(node: Node, view: View): unknown {
  const inside: Heading = { ...node.heading, parts: new Map() };
  const shown = walk({ ...node, heading: inside, isInside: true }, view);
  const parts = [...inside.parts.values()];
  const granted = parts.find(isGranted);
  if (granted && shown !== hidden) {
    enter(node.heading, { name: node.path, decision: granted.decision });
  }
  for (const { names, decision } of parts) {
    if (isGranted({ decision })) continue;
    for (const name of new Set(names)) enter(node.heading, { name, decision });
  }
  return shown;
}

// Elements have the category of their array: those with nothing below are decided once for all.
function walkElements(node: Node, elements: readonly unknown[], view: View): unknown {
  let areShown: boolean | undefined;
  const shown = elements.map((value) => {
    if (isTree(value)) return walk({ ...node, value }, view);
    areShown ??= isShown(node, view);
    return areShown ? value : hidden;
  });
  const left = shown.filter((value) => value !== hidden);
  return left.length > 0 ? left : hidden;
}

// Everything below fares as it does: granted with no rule inside, or denied by a rule.
function isSettled(category: Category, view: View): boolean {
  const { decideCategory, isAsked } = view;
  if (isGrantedIn(category, view)) return decideCategory.namedIn(category) === null;
  return isAsked(category) && decideCategory(category).reason.rule === "deny";
}

function isGrantedIn(category: Category, { decideCategory, isAsked }: View): boolean {
  return isAsked(category) && isGranted({ decision: decideCategory(category) });
}

function firstSegment(name: string): string {
  const end = name.indexOf(".");
  return (end === -1 ? name : name.slice(0, end)).toLowerCase();
}

function isShown({ value, category, path, heading, isInside }: Node, view: View): boolean {
  if (!view.isAsked(category)) return false;
  const decision = view.decideCategory(category);
  const items = !isInside && isObject(value) && isEmpty(value) ? 0 : 1;
  enter(heading, { name: path, decision, items });
  return isGranted({ decision });
}

type Member = [name: string, value: unknown];
type Shows = (name: string, value: unknown) => unknown;

// A profile may have thousands: one list, and nothing for what is hidden.
export function membersOf(object: Readonly<Record<string, unknown>>, shows: Shows): Member[] {
  const members: Member[] = [];
  for (const [name, value] of Object.entries(object)) {
    const shown = shows(name, value);
    if (shown !== hidden) members.push([name, shown]);
  }
  return members;
}

// What governs a member: its own category in lower case or, where its name cannot be in one, the nearest above.
export function categoryBelow(
  parent: Category,
  name: string,
): { category: Category; isExact: boolean } {
  let category = parent;
  for (const segment of name.toLowerCase().split(".")) {
    const next = category === "prof:*" ? commonMemberScope(segment) : `${category}.${segment}`;
    if (!isCategory(next)) return { category, isExact: false };
    category = next;
  }
  return { category, isExact: true };
}

function isEmpty(object: object): boolean {
  return Object.keys(object).length === 0;
}

function isTree(value: unknown): value is Record<string, unknown> | unknown[] {
  return typeof value === "object" && value !== null && !isEmpty(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
