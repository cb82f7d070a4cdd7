import type { Redis } from "@upstash/redis";
import { type Usage, type UsageQuery, windowSeconds } from "./counters";

// The limiter keeps one number per class, caller and hour, while it counts: `<prefix>:<class>:<caller>:<hour>`.
// Scanning costs nothing while nobody looks.

interface Input extends UsageQuery {
  prefix: string;
}

// Bounds for a walk: how many steps of about how many keys, and for how long.
const stepsMax = 40;
const keysAStep = 1_000;
const walkMsMax = 2_000;

/** As the limiter itself counts them: this hour's, and the share of the last one's that is still near. */
export async function readUsage(
  redis: Redis,
  { prefix, most, at }: Input,
): Promise<Omit<Usage, "countedBy">> {
  const hours = at.getTime() / (windowSeconds * 1_000);
  const hour = Math.floor(hours);
  const shares = new Map([
    [`${hour}`, 1],
    [`${hour - 1}`, 1 - (hours - hour)],
  ]);
  const used = new Map<string, number>();
  const walk = startWalk(redis, prefix);
  while (walk.goesOn()) {
    const keys = (await walk.step()).filter((key) => shares.has(partsOf(key).hour));
    if (keys.length === 0) continue;
    const counts = await redis.mget<(number | null)[]>(keys);
    for (const [place, key] of keys.entries()) {
      const { whose, hour: counted } = partsOf(key.slice(prefix.length + 1));
      const count = Math.floor(Number(counts[place] ?? 0) * (shares.get(counted) ?? 0));
      used.set(whose, (used.get(whose) ?? 0) + count);
    }
  }
  const callers = [...used]
    .filter(([, count]) => count > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([whose, count]) => {
      const end = whose.indexOf(":");
      return { caller: whose.slice(end + 1), class: whose.slice(0, end), used: count };
    });
  return { callers: callers.slice(0, most), isWhole: walk.isDone() && callers.length <= most };
}

function partsOf(key: string): { whose: string; hour: string } {
  const end = key.lastIndexOf(":");
  return { whose: key.slice(0, end), hour: key.slice(end + 1) };
}

function startWalk(redis: Redis, prefix: string) {
  const end = performance.now() + walkMsMax;
  const met = new Set<string>();
  let cursor = "0";
  let steps = 0;
  const isDone = () => steps > 0 && cursor === "0";
  return {
    isDone,
    goesOn: () => !isDone() && steps < stepsMax && performance.now() < end,
    /** Returns keys not seen before: while keys come and go, Redis may return one twice. */
    async step(): Promise<string[]> {
      const [next, keys] = await redis.scan(cursor, { match: `${prefix}:*`, count: keysAStep });
      cursor = String(next);
      steps += 1;
      const fresh = keys.filter((key) => !met.has(key));
      for (const key of fresh) met.add(key);
      return fresh;
    },
  };
}
