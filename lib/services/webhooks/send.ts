import type { Engine } from "@/lib/engine/engine";
import type { PostSettings } from "@/lib/engine/outbound/public-post";
import { FetchRefused } from "@/lib/engine/outbound/public-request";
import {
  type Answer,
  type Claim,
  type NextDelivery,
  nextDelivery,
  recordFailure,
  recordSuccess,
  release,
} from "./attempts";
import { signatureHeaders } from "./signature";

export interface SendOptions extends PostSettings {
  /** Aborted when the gateway stops: attempts under way end by themselves. */
  signal?: AbortSignal;
}

/** How many webhooks an instance sends to at the same time: one that answers slowly holds up no other. */
const parallelMax = 20;
const running = new WeakMap<Engine["pool"], number>();

/** A turn of one webhook: then others that are due come before it. */
const attemptsMax = 100;
const turnMsMax = 60_000;

/**
 * Sends what is due to webhooks, until nothing is. Returns how many attempts it made. May be called while an earlier
 * call still runs: a webhook is never sent to twice at a time.
 */
export async function sendWebhooks(engine: Engine, options: SendOptions = {}): Promise<number> {
  const turns = new Set<Promise<void>>();
  let attempts = 0;
  const turn = async (claim: Claim) => {
    countRunning(engine, 1);
    try {
      const made = await sendTo(engine, claim, options);
      attempts += made;
    } catch (error) {
      // Its lease ends by itself.
      engine.log.error("a webhook was not worked off", { agentDid: claim.agentDid, error });
    } finally {
      countRunning(engine, -1);
    }
  };
  for (;;) {
    for (const claim of await claimDue(engine, options)) {
      const one = turn(claim).finally(() => turns.delete(one));
      turns.add(one);
    }
    if (turns.size === 0) return attempts;
    await Promise.race(turns);
  }
}

function countRunning({ pool }: Engine, change: 1 | -1): void {
  running.set(pool, (running.get(pool) ?? 0) + change);
}

/** A lease is longer than a turn with its last attempt: a webhook whose sender died is due again after it. */
const leaseMs = 120_000;

async function claimDue({ db, pool, now }: Engine, { signal }: SendOptions): Promise<Claim[]> {
  const free = parallelMax - (running.get(pool) ?? 0);
  if (free <= 0 || signal?.aborted) return [];
  const at = now();
  const until = new Date(at.getTime() + leaseMs);
  return db.$queryRaw<Claim[]>`
    UPDATE "Webhook" SET lease = gen_random_uuid(), "dueAt" = ${until}
    WHERE "agentDid" = ANY(ARRAY(SELECT "agentDid" FROM "Webhook" WHERE "dueAt" <= ${at}
      ORDER BY "dueAt" LIMIT ${free} FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING "agentDid", lease::text, failures`;
}

/** Sends one webhook's messages, one after the other, until one fails. */
async function sendTo(engine: Engine, claim: Claim, options: SendOptions): Promise<number> {
  const end = performance.now() + turnMsMax;
  let attempts = 0;
  while (attempts < attemptsMax && performance.now() < end && !options.signal?.aborted) {
    const next = await nextDelivery(engine.db, claim);
    if (next === null) break;
    const answer = await attempt(engine, next, options);
    attempts++;
    if (!answer.isAccepted) {
      const failures = (attempts > 1 ? 0 : claim.failures) + 1;
      await recordFailure(engine, { claim: { ...claim, failures }, delivery: next, answer });
      return attempts;
    }
    await recordSuccess(engine, { claim, delivery: next, answer });
  }
  await release(engine, attempts > 0 ? { ...claim, failures: 0 } : claim);
  return attempts;
}

async function attempt(
  { env, post, now }: Engine,
  { id, body, url, ...secrets }: NextDelivery,
  { signal: _, ...settings }: SendOptions,
): Promise<Answer> {
  const text = JSON.stringify(body);
  const headers = {
    "Content-Type": "application/json",
    ...signatureHeaders({ id, body: text, now: now(), secrets }),
  };
  try {
    const allowsLoopback = env.NODE_ENV !== "production";
    const posted = await post(url, { body: text, headers }, { allowsLoopback, ...settings });
    const { status } = posted;
    return {
      isAccepted: status >= 200 && status < 300,
      isGone: status === 410,
      answer: `${status} ${posted.text}`.replaceAll("\0", " ").trim().slice(0, 1_024),
    };
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    return { isAccepted: false, isGone: false, answer: error.message };
  }
}
