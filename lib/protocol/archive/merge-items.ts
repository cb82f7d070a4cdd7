// Categories that differed by case only are the same now: the last value of a name wins.
export function lastOfEach<T extends { category: string; name: string }>(values: T[]): T[] {
  return [...new Map(values.map((value) => [`${value.category} ${value.name}`, value])).values()];
}

/** Keeps the newest of pending items that are the same in these members. */
export function newestPending<T extends { status: string }>(at: keyof T, same: (keyof T)[]) {
  return (items: T[]): T[] => {
    const keyOf = (item: T) => JSON.stringify(same.map((name) => item[name]));
    const newest = new Map<string, T>();
    for (const item of items) {
      if (item.status !== "pending") continue;
      const other = newest.get(keyOf(item));
      if (!other || other[at] <= item[at]) newest.set(keyOf(item), item);
    }
    return items.filter((one) => one.status !== "pending" || newest.get(keyOf(one)) === one);
  };
}
