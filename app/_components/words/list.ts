// Apart from the words for categories: these go to the browser, and the protocol need not.

/** "a, b and c"; what does not fit in so many characters is counted: "a, b and 7 more". */
export function list(words: readonly string[], max = listedMax): string {
  const shown = words.slice(0, fittingCount(words, { of: (word) => word.length, max }));
  const rest = words.length - shown.length;
  const parts = rest === 0 ? shown : [...shown, `${rest.toLocaleString("en")} more`];
  const last = parts.at(-1) ?? "nothing";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}

// In characters: twelve categories with short names, two with the longest.
const listedMax = 240;

/** Returns how many of the first items fit in a size together; at least one, if there is any. */
export function fittingCount<T>(
  items: readonly T[],
  { of: sizeOf, max }: { of: (item: T) => number; max: number },
): number {
  let size = 0;
  const end = items.findIndex((item, at) => {
    size += sizeOf(item);
    return at > 0 && size > max;
  });
  return end === -1 ? items.length : end;
}

/** "1 receipt", "2 receipts". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** Items with the same key together, in the order of their first. */
export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
