import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** Caches the last read of each key. Its value tells the revision it is of. */
export interface RevisionCache {
  get<Value extends object>(key: string): Value | undefined;
  set(key: string, value: object, bytes: number): void;
  forget(key: string): void;
}

const bytesMax = 64 * 1024 * 1024;
// What an entry takes beside the estimate of its reader.
const entryBytes = 1_000;
const unusedMs = 10 * 60_000;

export function createRevisionCache(): RevisionCache {
  const cache = new LRUCache<string, object>({
    maxSize: bytesMax,
    maxEntrySize: bytesMax / 16,
    ttl: unusedMs,
    updateAgeOnGet: true,
  });
  return {
    get: <Value extends object>(key: string) => cache.get(key) as Value | undefined,
    set: (key, value, bytes) => void cache.set(key, value, { size: bytes + entryBytes }),
    forget: (key) => void cache.delete(key),
  };
}

interface CachedRead<Value> {
  /** Identifies the read, besides its revision. */
  what: readonly unknown[];
  /** The revision that the request is answered at; undefined for the latest state. */
  revision: string | undefined;
  read: () => Promise<Value>;
  revisionOf: (value: Value) => string;
  /** An estimate of its size in memory. */
  bytesOf: (value: Value) => number;
  isGood?: (value: Value) => boolean;
}

/** Returns the cached value if it is as new as the request, else reads it. */
export async function cachedAtRevision<Value extends object>(
  cache: RevisionCache,
  { what, revision, read, revisionOf, bytesOf, isGood = () => true }: CachedRead<Value>,
): Promise<Value> {
  if (revision === undefined) return read();
  const key = hash("sha256", JSON.stringify(what), "base64");
  const known = cache.get<Value>(key);
  if (known !== undefined && revisionOf(known) === revision && isGood(known)) return known;
  const value = await read();
  cache.set(key, value, bytesOf(value));
  return value;
}
