export const recentMax = 10_000;

export interface ExpiringMap<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
}

/** Keeps values for `ms` milliseconds, at most the newest 10,000. */
export function createExpiringMap<Value>(ms: number): ExpiringMap<Value> {
  const kept = new Map<string, { value: Value; until: number }>();
  return {
    get(key) {
      const found = kept.get(key);
      return found !== undefined && found.until > performance.now() ? found.value : undefined;
    },
    set(key, value) {
      kept.delete(key);
      kept.set(key, { value, until: performance.now() + ms });
      const [oldest] = kept.keys();
      if (kept.size > recentMax && oldest !== undefined) kept.delete(oldest);
    },
  };
}
