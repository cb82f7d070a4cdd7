import type { Log } from "../log";
import type { Metrics } from "../metrics";

export interface Watched {
  requestId: string;
  method: string;
  /** Only for the log; contains nothing that a client chose. */
  endpoint: () => string;
}

export interface Watchdog {
  /** Watches a request until the returned function is called. */
  enter(request: Watched): () => void;
  stop(): void;
}

const lookMs = 20;
const blockMsMax = 200;
const namedMax = 10;

/**
 * Logs and counts blocks of the event loop above 200 ms, with the requests that were under way, the latest
 * first.
 */
export function startWatchdog({ log, metrics }: { log: Log; metrics: Metrics }): Watchdog {
  const underWay = new Set<Watched>();
  // A request can end right after its block, before the next look.
  let ended: Watched[] = [];
  let lookedAt = performance.now();

  function look(): void {
    const now = performance.now();
    const durationMs = Math.round(now - lookedAt);
    lookedAt = now;
    if (durationMs > blockMsMax) report(durationMs);
    if (ended.length > 0) ended = [];
  }

  function report(durationMs: number): void {
    metrics.loopBlocked();
    const suspects = [...underWay, ...ended].slice(-namedMax).reverse();
    if (suspects.length === 0) log.info(blocked, { durationMs, count: 0 });
    const count = underWay.size + ended.length;
    for (const { requestId, method, endpoint } of suspects) {
      log.info(blocked, { durationMs, count, requestId, method, endpoint: endpoint() });
    }
  }

  const timer = setInterval(look, lookMs).unref();
  return {
    enter(request) {
      underWay.add(request);
      return () => {
        underWay.delete(request);
        ended.push(request);
      };
    },
    stop: () => clearInterval(timer),
  };
}

const blocked = "the event loop was blocked, with these requests under way";
