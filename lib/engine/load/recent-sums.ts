import { recentMax } from "./expiring-map";

/** Sums what is added per key; a sum expires `ms` after its first addition. */
export function createRecentSums(ms: number) {
  const sums = new Map<string, { amount: number; until: number }>();
  function sumOf(key: string): { amount: number; until: number } {
    const known = sums.get(key);
    if (known !== undefined && known.until > performance.now()) return known;
    return { amount: 0, until: performance.now() + ms };
  }
  return {
    of: (key: string) => sumOf(key).amount,
    add(key: string, amount: number): void {
      const { amount: before, until } = sumOf(key);
      sums.delete(key);
      sums.set(key, { amount: before + amount, until });
      const [oldest] = sums.keys();
      if (sums.size > recentMax && oldest !== undefined) sums.delete(oldest);
    },
  };
}
