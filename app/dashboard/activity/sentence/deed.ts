// The changes that events name, by what they do or by what was done.
const deeds: Readonly<Record<string, string>> = {
  add: "added",
  approve: "approved",
  archive: "archived",
  change: "changed",
  create: "created",
  delete: "deleted",
  edit: "edited",
  move: "moved",
  reject: "rejected",
  remove: "removed",
  rename: "renamed",
  replace: "replaced",
  restore: "restored",
  revoke: "revoked",
};

/** Returns "restored" for "restore" and for "restored"; null for any other word. */
export function deedOf(word: string): string | null {
  if (Object.hasOwn(deeds, word)) return deeds[word] ?? null;
  return Object.values(deeds).includes(word) ? word : null;
}

/** Returns what an event's detail says was done: `{change: "archive"}`, `{action: "archived"}`, `{archived: true}`. */
export function deedIn(detail: Record<string, unknown>): string | null {
  const named = [detail.change, detail.action, detail.deed].find((one) => typeof one === "string");
  const names = typeof named === "string" ? [named] : Object.keys(detail);
  for (const name of names) {
    const deed = deedOf(wordsOf(name)[0] ?? "");
    if (deed !== null) return deed;
  }
  return null;
}

/** Returns ["restore", "memory"] for "restoreMemory". */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s._-]+/)
    .map((word) => word.toLowerCase());
}
