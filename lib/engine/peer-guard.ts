// Counts failed authentications by network and minute, in memory: refusing a stranger must cost less than
// checking a signature, and never a row.

export interface RateLimitStatus {
  limit: number;
  remaining: number;
  resetAt: Date;
}

export interface PeerGuard {
  standing(peer: string | null, now: Date): RateLimitStatus;
  charge(peer: string | null, now: Date): void;
}

const windowMs = 60_000;
const peersMax = 50_000;

export function createPeerGuard(limit: number): PeerGuard {
  let window = -1;
  let resetAt = new Date(0);
  let failures = new Map<string, number>();

  function turn(now: Date): void {
    const current = Math.floor(now.getTime() / windowMs);
    // A request that began in the minute before must not reset this minute's count.
    if (current > window || current < window - 1) {
      window = current;
      resetAt = new Date((window + 1) * windowMs);
      failures = new Map();
    }
  }

  return {
    standing(peer, now) {
      turn(now);
      const failed = peer === null ? 0 : (failures.get(network(peer)) ?? 0);
      return { limit, remaining: Math.max(0, limit - failed), resetAt };
    },
    charge(peer, now) {
      turn(now);
      if (peer === null) return;
      const key = network(peer);
      const failed = failures.get(key);
      // Full: newcomers go uncounted for the rest of the minute rather than push a counted one out.
      if (failed === undefined && failures.size >= peersMax) return;
      failures.set(key, (failed ?? 0) + 1);
    },
  };
}

// A household or machine owns a whole IPv6 /64, so it counts as one peer.
export function network(peer: string): string {
  if (!peer.includes(":")) return peer;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(peer)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = "", tail] = peer.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros =
    tail === undefined ? [] : Array(Math.max(0, 8 - left.length - right.length)).fill("0");
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":");
}
