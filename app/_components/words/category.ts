import type { Category, Scope } from "@/lib/protocol/scope";

// The one place that turns categories and scopes into words.

const known: Record<string, string> = {
  "*": "everything",
  preferences: "preferences",
  interests: "interests",
  episodic: "episodes",
  professional: "professional facts",
  health: "health",
  financial: "money matters",
  relationships: "relationships",
  identity: "identity",
};

/** "prof:preferences.travel" → "preferences › travel"; a wildcard reads like what it stands for. */
export function categoryWords(scope: Category | Scope): string {
  const [root = "", ...below] = scope
    .replace(/^prof:/, "")
    .replace(/\.\*$/, "")
    .split(".");
  return [rootWords(root), ...below.map(plain)].join(" › ");
}

/** At the beginning of a line. */
export function categoryTitle(scope: Category | Scope): string {
  const words = categoryWords(scope);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// A root that only resembles a known one ("prof:money_matters", or "prof:Health" in old events) is shown as it
// is.
function rootWords(root: string): string {
  if (Object.hasOwn(known, root)) return known[root] ?? root;
  const words = plain(root);
  return Object.values(known).includes(words.toLowerCase()) ? `prof:${root}` : words;
}

function plain(segment: string): string {
  return segment.replace(/[_-]+/g, " ").trim() || segment;
}

/** The categories that have words of their own here. */
export const knownCategories: readonly Category[] = Object.keys(known)
  .filter((name) => name !== "*")
  .map((name) => `prof:${name}`);

/** "Hobbies › bee keeping" → "prof:hobbies.bee_keeping"; what cannot be one is left to be refused. */
export function categoryTyped(typed: string): string {
  const text = typed.trim();
  if (text.startsWith("prof:")) return text;
  const [root = "", ...below] = text.split(/[›>/.]/).map(segment);
  const named = Object.keys(known).find((name) => segment(known[name] ?? "") === root);
  return `prof:${[named ?? root, ...below].join(".")}`;
}

function segment(words: string): string {
  const letters = words.normalize("NFKD").replace(/\p{M}+/gu, "");
  return letters.trim().toLowerCase().replace(/\s+/g, "_");
}
