import type { IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { Engine } from "@/lib/engine/engine";
import { createExpiringMap } from "@/lib/engine/load/expiring-map";
import { network } from "@/lib/engine/peer-guard";
import { peerOf } from "@/lib/http/peer";
import { fieldsOf } from "./wire";

// Statuses that cost the sender nothing: no key, no session, no place in a limit.
const free: ReadonlySet<number> = new Set([400, 401, 404, 405, 413, 421, 429, 431]);
const apartMs = 10;
const atOnce = 50;
const waitMsMax = 1_000;

/** Fifty refusals of a network are answered at once, and then one each 10 ms: it sends no faster than it is answered. */
export function paceRefusals({ env }: Pick<Engine, "env">) {
  const dues = createExpiringMap<number>(waitMsMax + atOnce * apartMs);
  return async (request: IncomingMessage, status: number): Promise<void> => {
    const peer = free.has(status) ? peerOf(fieldsOf(request.headers), env.TRUST_PROXY_HOPS) : null;
    if (peer === null) return;
    const now = performance.now();
    const earliest = now - atOnce * apartMs;
    const due = Math.max(dues.get(network(peer)) ?? earliest, earliest) + apartMs;
    dues.set(network(peer), Math.min(due, now + waitMsMax));
    if (due > now) await setTimeout(Math.min(due - now, waitMsMax));
  };
}
