import { type Category, commonMemberScope, isCategory } from "@/lib/protocol/scope";
import type { DecideCategory, Decision } from "../decide";
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

// Filters a node: cuts denied children out of a granted parent, and shows granted children of a parent that
// needs consent.
export function walk(node: Node, view: View): unknown {
  const { value, category, isExact, path, heading, isInside } = node;
  if (!isExact || !isTree(value) || (isInside && isSettled(category, view))) {
    return isShown(node, view) ? value : hidden;
  }
  if (Array.isArray(value)) {
    return isInside ? walkElements(node, value, view) : walkItem(node, view);
  }
  // First segments of names: a decision for one of any other would be the same as this one.
  const reached = view.decideCategory.namedIn(category);
  const decision = view.isAsked(category) ? view.decideCategory(category) : null;
  const isWhole = isInside && decision !== null && isGranted({ decision });
  if (isWhole) enter(heading, { name: path, decision });
  return cutOut(value, (name, child) => {
    const isReached = reached?.has(firstSegment(name)) ?? false;
    if (isWhole && !isReached) return child;
    const at = `${path}.${name}`;
    if (decision !== null && !isReached && !isTree(child)) {
      return isEntered({ value: child, path: at, heading, isInside }, decision) ? child : hidden;
    }
    return walk({ ...node, ...categoryBelow(category, name), value: child, path: at }, view);
  });
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

function isShown(node: Node, { decideCategory, isAsked }: View): boolean {
  return isAsked(node.category) && isEntered(node, decideCategory(node.category));
}

type Item = Pick<Node, "value" | "path" | "heading" | "isInside">;

function isEntered({ value, path, heading, isInside }: Item, decision: Decision): boolean {
  const items = !isInside && isObject(value) && isEmpty(value) ? 0 : 1;
  enter(heading, { name: path, decision, items });
  return isGranted({ decision });
}

type Shows = (name: string, value: unknown) => unknown;

// A profile may have thousands of members: a copy takes a third of the time of an object that is put together.
export function cutOut(
  value: Readonly<Record<string, unknown>>,
  shows: Shows,
): Record<string, unknown> | typeof hidden {
  const left = { ...value };
  const names = Object.keys(value);
  let count = names.length;
  for (const name of names) {
    const shown = shows(name, value[name]);
    if (shown === hidden) {
      delete left[name];
      count--;
    } else if (shown !== value[name]) left[name] = shown;
  }
  return count === 0 ? hidden : left;
}

// Returns the category of a member: its own in lower case, or the nearest one above if its name cannot be part
// of a category.
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
