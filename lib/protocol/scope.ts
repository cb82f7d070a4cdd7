import { z } from "zod";

export const scopesPerRequestMax = 50;
/** How many denied scopes an answer or a receipt names. */
export const deniedScopesMax = 100;

const lengthMax = 128;
const segments = "[a-z0-9_-]{1,64}(?:\\.[a-z0-9_-]{1,64})*";

export const Scope = z
  .string()
  .max(lengthMax)
  .regex(
    new RegExp(`^prof:(?:\\*|${segments}(?:\\.\\*)?)$`),
    "Not a scope: prof:<name> in lower case, with optional dotted parts and an optional .* at the end, or prof:*.",
  )
  .meta({
    description:
      "A category, or a wildcard over categories, in lower case. prof:a and prof:a.* both cover prof:a and all below it.",
    examples: ["prof:preferences", "prof:health.*"],
  });
export type Scope = z.output<typeof Scope>;

const category = new RegExp(`^prof:${segments}$`);

export const Category = z
  .string()
  .max(lengthMax)
  .regex(
    category,
    "Not a category: prof:<name> in lower case, with optional dotted parts and no wildcard.",
  )
  .meta({
    description:
      "Where a memory belongs: prof:<name> in lower case with optional dotted parts, no wildcard.",
    examples: ["prof:episodic", "prof:professional.preferences"],
  });
export type Category = z.output<typeof Category>;

/** Checks a category without a schema, which is several times faster. Runs for each member of each profile. */
export function isCategory(text: string): boolean {
  return text.length <= lengthMax && category.test(text);
}

/** Protocol 5: an owner must name these; no template opens them. */
export const sensitiveCategories: readonly Category[] = [
  "prof:health",
  "prof:financial",
  "prof:relationships",
  "prof:identity",
];

/** Returns whether it is a sensitive category, or a scope that reaches into one. */
export function isSensitive(scope: Scope | Category): boolean {
  return sensitiveCategories.some((one) => overlaps(one, scope));
}

/** Whether everything under `inner`, itself a category or a scope, lies under `outer`. Protocol 5. */
export function covers(outer: Scope, inner: Scope | Category): boolean {
  if (outer === "prof:*") return true;
  if (inner === "prof:*") return false;
  const top = root(outer);
  // Runs for each rule and category of a profile, so it builds no string.
  return inner.startsWith(top) && (inner.length === top.length || inner[top.length] === ".");
}

export function overlaps(one: Scope, other: Scope): boolean {
  return covers(one, other) || covers(other, one);
}

/** Protocol 5: `common.preferences.homeTown` is governed by `prof:preferences.hometown`. */
export function commonMemberScope(...path: [string, ...string[]]): Category {
  return `prof:${path.join(".").toLowerCase()}`;
}

/**
 * The keys of all scopes that cover a category, the nearest first: `covers(scope, category)` exactly where
 * `scopeKey(scope)` is among them. For maps of scopes: finding those that cover costs a lookup a segment.
 */
export function coveringKeys(category: Category): string[] {
  if (category === "prof:*") return ["prof:*"];
  const keys = [category];
  for (let end = category.lastIndexOf("."); end > 0; end = category.lastIndexOf(".", end - 1)) {
    keys.push(category.slice(0, end));
  }
  keys.push("prof:*");
  return keys;
}

export function scopeKey(scope: Scope): string {
  const key = root(scope);
  return key === "prof:*" ? scope : key;
}

function root(scope: Scope): string {
  return scope.endsWith(".*") ? scope.slice(0, -2) : scope;
}
