import { type Category, covers, type Scope, sensitiveCategories } from "@/lib/protocol/scope";

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

/** Decisions 5: what no template opens. A scope that reaches into such a category counts too. */
export function isSensitive(scope: Category | Scope): boolean {
  return sensitiveCategories.some((one) => covers(one, scope) || covers(scope, one));
}

// One that only looks like a word of ours ("prof:Health") is shown as it is.
function rootWords(root: string): string {
  if (Object.hasOwn(known, root)) return known[root] ?? root;
  const words = plain(root);
  return Object.values(known).includes(words.toLowerCase()) ? `prof:${root}` : words;
}

function plain(segment: string): string {
  return segment.replace(/[_-]+/g, " ").trim() || segment;
}
