import { Ratelimit } from "@upstash/ratelimit";
import { Redis } from "@upstash/redis";
import type { Pool } from "pg";
import { createBreaker, withinDeadline } from "../fallback/breaker";
import type { Log } from "../log";
import type { Metrics } from "../metrics";
import { type Admission, type AdmissionRequest, type Counters, windowSeconds } from "./counters";
import { type Claimed, claim } from "./counters-postgres";
import { readUsage } from "./usage-upstash";

export interface UpstashSettings {
  url: string;
  token: string;
  pool: Pool;
  /** Decides whenever Upstash does not. */
  postgres: Counters;
  log: Log;
  metrics: Pick<Metrics, "limiterFellBack">;
  /** Milliseconds that only go forward. */
  now?: () => number;
}

const name = "Upstash";
const prefix = "gateway:limit";
const answerMsMax = 500;

// The limit is counted in Redis. The nonce is claimed in PostgreSQL, because Redis may lose one in a
// crash; first, because a copied request must not be charged. Protocol 2 and 7.
export function createUpstashCounters(settings: UpstashSettings): Counters {
  const { url, token, pool, postgres, log, metrics, now } = settings;
  const breaker = createBreaker({
    engine: name,
    lost: "the limiter does not answer; PostgreSQL stands in",
    back: "the limiter answers again",
    log,
    now,
  });
  const redis = new Redis({
    url,
    token,
    retry: { retries: 0 },
    readYourWrites: false,
    enableTelemetry: false,
    signal: () => AbortSignal.timeout(answerMsMax),
  });

  function fallBack(input: AdmissionRequest): Promise<Admission> {
    metrics.limiterFellBack();
    return postgres.admit(input);
  }
  return {
    name,
    healthy: breaker.isClosed,
    async admit(input) {
      if (!breaker.mayTry()) return fallBack(input);
      const claimed = await claimSigned(pool, input);
      if (!claimed.known) return { ...claimed, admitted: false, standing: unknown(input) };
      try {
        const counted = await withinDeadline(count(redis, input, claimed), answerMsMax);
        breaker.succeeded();
        return counted;
      } catch (error) {
        breaker.failed(error);
        // Claimed above, so not again; a nonce that was not fresh is refused there as well.
        return fallBack(claimed.fresh ? { ...input, nonce: undefined } : input);
      }
    },
    async usage(input) {
      if (!breaker.isClosed()) return postgres.usage(input);
      try {
        return { ...(await readUsage(redis, { ...input, prefix })), countedBy: name };
      } catch (error) {
        // Nobody waits for this figure, so it does not open the breaker.
        log.warn("the limiter's counts could not be read", { engine: name, error });
        return postgres.usage(input);
      }
    },
  };
}

// Lets through up to 2 × the limit in a trailing hour, as each algorithm of the library does. This one is the
// tightest: at the edge of a window, fixedWindow and tokenBucket admit a whole limit, this one a single call.
// PostgreSQL counts for itself while it stands in: at most one limit more.
async function count(redis: Redis, input: AdmissionRequest, claimed: Claimed): Promise<Admission> {
  const { caller, class: limitClass, limit } = input;
  // Without its cache, the object has no state. Each admission makes its own, so no map of limits can grow.
  const limiter = new Ratelimit({
    redis,
    limiter: Ratelimit.slidingWindow(limit, `${windowSeconds} s`),
    prefix,
    // By default a late answer counts as a yes.
    timeout: 0,
    ephemeralCache: false,
    enableTelemetry: false,
  });
  const key = `${limitClass}:${caller}`;
  const answer = claimed.fresh
    ? await limiter.limit(key)
    : { ...(await limiter.getRemaining(key)), success: false };
  const { success: admitted, remaining, reset } = answer;
  if (!Number.isSafeInteger(remaining)) throw new TypeError("the limiter's answer is no count");
  return { ...claimed, admitted, standing: { limit, remaining, resetAt: new Date(reset) } };
}

async function claimSigned(pool: Pool, input: AdmissionRequest): Promise<Claimed> {
  const { nonce, signer, profileDid } = input;
  const isSigned = nonce !== undefined || signer !== undefined || profileDid !== undefined;
  if (isSigned) return claim(pool, input);
  const revisions = { signer: null, profile: null };
  return { known: true, fresh: true, revisions, recorded: false };
}

// Unused: the caller authenticates the request again.
function unknown({ limit }: AdmissionRequest): Admission["standing"] {
  return { limit, remaining: 0, resetAt: new Date() };
}
