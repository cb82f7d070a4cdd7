import type { Log } from "../log";

// For an engine with a substitute. While it hangs, its timeout is paid once per pause, not by every call.

export interface Breaker {
  isClosed(): boolean;
  /** Returns true for one caller after each pause; the others wait for its result. */
  mayTry(): boolean;
  succeeded(): void;
  failed(error: unknown): void;
}

export interface BreakerSettings {
  engine: string;
  /** Log messages for its failure and its return. */
  lost: string;
  back: string;
  log: Log;
  /** Milliseconds that only go forward. */
  now?: () => number;
}

const pauseMs = 3_000;

export function createBreaker({
  engine,
  lost,
  back,
  log,
  now = () => performance.now(),
}: BreakerSettings): Breaker {
  let closed = true;
  let nextTry = 0;
  return {
    isClosed: () => closed,
    mayTry() {
      if (closed) return true;
      if (now() < nextTry) return false;
      nextTry = now() + pauseMs;
      return true;
    },
    succeeded() {
      if (!closed) log.info(back, { engine });
      closed = true;
    },
    failed(error) {
      if (closed) log.warn(lost, { engine, error });
      closed = false;
      nextTry = now() + pauseMs;
    },
  };
}

export async function withinDeadline<Answer>(
  answer: Promise<Answer>,
  msMax: number,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${msMax} ms`)), msMax);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
