const irregular: Record<string, string> = { read: "read", see: "saw", undo: "undid", take: "took" };

// Words that verbs of the gateway begin with, and changes that events tell of.
const known = new Set(
  `add apply approve archive change connect create decide delete disconnect edit end export import issue
   list move open propose read register reject remove rename reopen replace request restore review
   revoke see suspend take undo verify`.split(/\s+/),
);

/** "restore" → "restored"; null for what is no word of ours. */
export function past(word: string): string | null {
  if (!known.has(word)) return null;
  return irregular[word] ?? (word.endsWith("e") ? `${word}d` : regular(word));
}

function regular(word: string): string {
  return word.endsWith("y") ? `${word.slice(0, -1)}ied` : `${word}ed`;
}

/** What an event's detail says was done: `{change: "archive"}`, `{action: "archived"}`, `{archived: true}`. */
export function deedIn(detail: Record<string, unknown>): string | null {
  const told = [detail.change, detail.action, detail.deed].find((one) => typeof one === "string");
  const named = typeof told === "string" ? [told] : Object.keys(detail);
  for (const name of named) {
    const [first = ""] = wordsOf(name);
    const done = past(first) ?? (isPast(first) ? first : null);
    if (done !== null) return done;
  }
  return null;
}

function isPast(word: string): boolean {
  return [...known].some((one) => past(one) === word);
}

/** "restoreMemory" → ["restore", "memory"]. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s._-]+/)
    .map((word) => word.toLowerCase());
}
