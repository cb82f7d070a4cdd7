import { Pool } from "pg";
import { sessionAt } from "../db";
import type { Log } from "../log";
import type { Metrics } from "../metrics";
import { createBreaker, withinDeadline } from "./breaker";

// A streaming replica that reads may go to. Whoever asks it asks in a way that only a replica that has
// caught up can answer, and asks the primary where there is no answer. So it can make nothing fail, nothing
// stale, and nothing later than its deadline, and that only until it is known not to answer.

export interface Replica {
  /** The answer, or undefined where the primary has to be asked: it is behind, or does not answer. */
  ask<Answer>(question: (pool: Pool) => Promise<Answer | undefined>): Promise<Answer | undefined>;
  state(): ReplicaState;
  stop(): Promise<void>;
}

/** Since the process began. */
export interface ReplicaState {
  answers: boolean;
  served: number;
  behind: number;
  failed: number;
}

export interface ReplicaSettings {
  url: string;
  poolMax: number;
  log: Log;
  metrics: Pick<Metrics, "replicaAsked">;
  answerMsMax?: number;
  now?: () => number;
}

const engine = "replica";
const unansweredMax = 5;

export function createReplica(settings: ReplicaSettings): Replica {
  const { url, poolMax, log, metrics, answerMsMax = 100, now } = settings;
  const pool = new Pool({
    ...sessionAt(url, ["-c default_transaction_read_only=on"]),
    max: poolMax,
    // Longer than anybody waits: a slow handshake is done by the time it is asked again.
    connectionTimeoutMillis: 2_000,
    statement_timeout: answerMsMax,
    query_timeout: answerMsMax,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: "gateway replica",
  });
  const breaker = createBreaker({
    engine,
    lost: "the read replica does not answer; the primary stands in",
    back: "the read replica answers again",
    log,
    now,
  });
  const counts = { served: 0, behind: 0, failed: 0 };
  const count = (outcome: keyof typeof counts) => {
    counts[outcome]++;
    metrics.replicaAsked(outcome);
  };
  // One that idles breaks when the replica goes; the next question finds that out by itself.
  pool.on("error", (error) => log.debug("a connection to the read replica broke", { error }));

  let isLooking = false;
  let unanswered = 0;

  // Beside the requests, so that none of them waits for what may still hang.
  async function lookAgain(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      await withinDeadline(pool.query("SELECT"), answerMsMax);
      breaker.succeeded();
    } catch (error) {
      breaker.failed(error);
    } finally {
      isLooking = false;
    }
  }

  // One question may ask for too much; so what is amiss shows in a look at it, or in several one after the other.
  function noAnswer(error: unknown): void {
    unanswered++;
    if (unanswered >= unansweredMax) breaker.failed(error);
    else void lookAgain();
  }
  return {
    async ask(question) {
      if (!breaker.isClosed()) {
        if (breaker.mayTry()) void lookAgain();
        count("failed");
        return undefined;
      }
      try {
        const answer = await withinDeadline(question(pool), answerMsMax);
        unanswered = 0;
        count(answer === undefined ? "behind" : "served");
        return answer;
      } catch (error) {
        noAnswer(error);
        count("failed");
        return undefined;
      }
    },
    state: () => ({ answers: breaker.isClosed(), ...counts }),
    async stop() {
      // What hangs says no goodbye.
      await withinDeadline(pool.end(), 1_000).catch((error: unknown) =>
        log.debug("the read replica did not say goodbye", { engine, error }),
      );
    },
  };
}
