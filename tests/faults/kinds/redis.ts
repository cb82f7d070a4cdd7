import { setTimeout as delay } from "node:timers/promises";
import type { Kind } from "./kind";

// Limits are counted in PostgreSQL until then, so nobody may notice any of it.

export const redisKinds: Kind[] = (["SIGTERM", "SIGKILL"] as const).map((signal) => ({
  name: signal === "SIGTERM" ? "Redis stopped" : "Redis killed",
  excuse: "none",
  async inject({ redis, random }) {
    await redis.kill(signal);
    await delay(2_000 + random.below(3_000));
    await redis.start();
    return undefined;
  },
}));

redisKinds.push({
  name: "Redis hung",
  excuse: "none",
  async inject({ redis, random }) {
    redis.hang();
    await delay(2_000 + random.below(3_000));
    redis.resume();
    return undefined;
  },
});
