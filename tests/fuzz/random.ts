// Chance that can be had again: the same seed and number give the same request.

export interface Random {
  /** From 0 up to, and without, 1. */
  next(): number;
  /** A whole number from 0 up to, and without, `end`. */
  below(end: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  bytes(length: number): Buffer;
}

// Mulberry32: 32 bits of state, passes what a generator of test input has to pass.
export function randomOf(seed: number, number: number): Random {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function below(end: number): number {
    return Math.floor(next() * end);
  }

  function pick<T>(list: readonly T[]): T {
    const item = list[below(list.length)];
    if (item === undefined) throw new Error("Nothing to pick from.");
    return item;
  }

  return {
    next,
    below,
    chance: (share) => next() < share,
    pick,
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
