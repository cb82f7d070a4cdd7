import type { Pool } from "pg";
import type { Log } from "../log";
import { type Listener, listen } from "./listen";

// Tells every instance about changes by NOTIFY. Notifications are collected and sent outside the transactions:
// inside, all commits would wait for each other.

export interface Live {
  /** Tells every instance, including this one, after a commit. Never waits and never fails. */
  announce(profileId: number): void;
  /** From now on; the answer ends it. */
  follow(profileId: number, follower: Follower): () => void;
  stop(): Promise<void>;
}

export interface Follower {
  changed(): void;
  /** The gateway stops. */
  ended(): void;
}

interface LiveNeed {
  url: string;
  pool: Pool;
  log: Log;
}

const channel = "gateway_changes";
const gatherMs = 100;
// A payload has at most 8,000 bytes.
const idsMax = 500;

export function createLive(need: LiveNeed): Live {
  const { pool, log } = need;
  const followers = new Map<number, Set<Follower>>();
  const gathered = new Set<number>();
  let timer: NodeJS.Timeout | undefined;
  let listener: Listener | undefined;
  let stopped = false;

  const tell = (profileId: number) => {
    for (const follower of followers.get(profileId) ?? []) follower.changed();
  };
  async function send(): Promise<void> {
    timer = undefined;
    const ids = [...gathered];
    gathered.clear();
    await notifyAll(pool, ids);
  }
  return {
    announce(profileId) {
      gathered.add(profileId);
      timer ??= setTimeout(() => {
        send().catch((error: unknown) => log.warn("a change was not announced", { error }));
      }, gatherMs).unref();
    },
    follow(profileId, follower) {
      // A client that reconnects would delay the stop.
      if (stopped) {
        queueMicrotask(() => follower.ended());
        return () => undefined;
      }
      listener ??= listen(
        { ...need, channel },
        {
          heard: (payload) => payload.split(",").map(Number).forEach(tell),
          // Messages sent in between are lost, so everybody has a look.
          back: () => [...followers.keys()].forEach(tell),
        },
      );
      const group = followers.get(profileId) ?? new Set();
      followers.set(profileId, group.add(follower));
      return () => {
        group.delete(follower);
        if (group.size === 0 && followers.get(profileId) === group) followers.delete(profileId);
      };
    },
    async stop() {
      stopped = true;
      clearTimeout(timer);
      for (const follower of [...followers.values()].flatMap((group) => [...group]))
        follower.ended();
      await listener?.stop();
    },
  };
}

async function notifyAll(pool: Pool, ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += idsMax) {
    const payload = ids.slice(from, from + idsMax).join(",");
    await pool.query("SELECT pg_notify($1, $2)", [channel, payload]);
  }
}
