import { AsyncLocalStorage } from "node:async_hooks";
import { createExpiringMap } from "./expiring-map";
import { createRecentSums } from "./recent-sums";

export interface KeyedLimiter {
  /** Runs the work once the key has a free slot. Nested work of the same key takes none. */
  run<T>(key: string | number, work: () => Promise<T>): Promise<T>;
}

export interface Lines extends KeyedLimiter {
  /** Whether work of the key runs or waits. */
  isBusy(key: string | number): boolean;
}

export interface Settings {
  /** How many pieces of work of one key run at a time. */
  max: number;
  waitingMax?: number;
  waitMsMax?: number;
}

/** Too many wait already, or one has waited for too long. */
export class LimiterFull extends Error {
  override readonly name = "NoShare";
  /** PostgreSQL's for too many connections, which this keeps from happening. */
  readonly code = "53300";
}

interface Line {
  underWay: number;
  waiting: Set<() => void>;
}

/** Limits how much one key, such as a profile, uses of a shared resource, such as the pool's connections. */
export function createKeyedLimiter({ max, waitingMax = 500, waitMsMax = 5_000 }: Settings): Lines {
  const lines = new Map<string | number, Line>();
  const held = new AsyncLocalStorage<{ key: string | number; isOver: boolean }>();

  async function take(line: Line): Promise<void> {
    if (line.underWay < max) {
      line.underWay++;
      return;
    }
    if (line.waiting.size >= waitingMax) throw new LimiterFull();
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        line.waiting.delete(begin);
        reject(new LimiterFull());
      }, waitMsMax);
      const begin = () => {
        clearTimeout(timer);
        resolve();
      };
      line.waiting.add(begin);
    });
  }

  // The one that has waited longest takes over.
  function giveBack(key: string | number, line: Line): void {
    const [next] = line.waiting;
    if (next !== undefined) {
      line.waiting.delete(next);
      next();
      return;
    }
    line.underWay--;
    if (line.underWay === 0) lines.delete(key);
  }

  return {
    isBusy: (key) => lines.has(key),
    async run(key, work) {
      const outer = held.getStore();
      if (outer?.key === key && !outer.isOver) return work();
      const line = lines.get(key) ?? { underWay: 0, waiting: new Set() };
      lines.set(key, line);
      await take(line);
      const share = { key, isOver: false };
      try {
        return await held.run(share, work);
      } finally {
        share.isOver = true;
        giveBack(key, line);
      }
    },
  };
}

/** Limits what accounts use of the pool's connections. */
export interface AccountLimiter extends KeyedLimiter {
  /**
   * Runs expensive reads: one at a time per account, and `max` in total. An account whose last one was slow
   * waits among slow accounts only.
   */
  heavy<T>(account: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs work that keeps a connection for seconds or minutes. Small, ordinary and large work, by bytes written,
   * do not wait for each other. After more than an ordinary amount, all work of an account counts as large for
   * ten minutes.
   */
  long<T>(input: { account: string; bytes: number }, work: () => Promise<T>): Promise<T>;
  /** Runs one piece of work at a time, whatever the account. */
  single<T>(work: () => Promise<T>): Promise<T>;
}

// Reads of an account that is not filled to its limits take less.
const slowMs = 300;
const slowKeptMs = 60_000;

// Its sender has waited for the upload, and would have to begin with that again.
const longWaitMsMax = 60_000;
const longWaitingMax = 8;
const smallBytesMax = 1024 * 1024;
/** Larger work takes up to minutes, and shares one slot. */
export const ordinaryBytesMax = 4 * 1024 * 1024;
const writtenKeptMs = 10 * 60_000;

export function createAccountLimiter({ max }: Pick<Settings, "max">): AccountLimiter {
  const { run } = createKeyedLimiter({ max });
  const [one, single] = [createKeyedLimiter({ max: 1 }), createKeyedLimiter({ max: 1 })];
  const common = { quick: createKeyedLimiter({ max }), slow: createKeyedLimiter({ max: 1 }) };
  const slow = createExpiringMap<true>(slowKeptMs);
  const waits = { waitingMax: longWaitingMax, waitMsMax: longWaitMsMax };
  const small = createKeyedLimiter({ max: Math.ceil(max / 2), ...waits });
  // By size, one at a time: on two cores a second one would only slow down the first.
  const longer = createKeyedLimiter({ max: 1, ...waits });
  const written = createRecentSums(writtenKeptMs);
  async function timed<T>(account: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await work();
    } finally {
      if (performance.now() - began > slowMs) slow.set(account, true);
    }
  }

  return {
    run,
    // In this order: an account waits for itself before it takes a shared slot.
    heavy: (account, work) =>
      run(account, () =>
        one.run(account, () =>
          common[slow.get(account) ? "slow" : "quick"].run("heavy", () => timed(account, work)),
        ),
      ),
    long({ account, bytes }, work) {
      const counted = () => {
        written.add(account, bytes);
        return work();
      };
      if (written.of(account) + bytes > ordinaryBytesMax) return longer.run("large", counted);
      return bytes > smallBytesMax ? longer.run("ordinary", counted) : small.run("small", counted);
    },
    single: (work) => single.run("all", work),
  };
}
