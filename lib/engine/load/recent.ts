export const recentMax = 10_000;

export interface Recent {
  has(key: string): boolean;
  add(key: string): void;
}

/** Keys that were added within the last `ms`, at most the newest 10,000. */
export function createRecent(ms: number): Recent {
  const until = new Map<string, number>();
  return {
    has: (key) => (until.get(key) ?? 0) > performance.now(),
    add(key) {
      until.delete(key);
      until.set(key, performance.now() + ms);
      const [oldest] = until.keys();
      if (until.size > recentMax && oldest !== undefined) until.delete(oldest);
    },
  };
}
