import { createHmac, randomBytes } from "node:crypto";
import { network } from "@/lib/engine/peer-guard";

// Counts password attempts before hashing: by account, by peer, and by both, so that failures from one network
// lock out nobody elsewhere. In memory, of a fixed size: keys share cells, so many names cannot fill it or push
// a counted one out.

export interface Attempts {
  /** Returns null if the attempt may go on, else when to retry. */
  take(keys: AttemptKeys, now: Date): Date | null;
  /** A success: it was no guess, so it does not count. */
  giveBack(keys: AttemptKeys, now: Date): void;
}

export interface AttemptKeys {
  account?: string;
  peer: string | null;
}

export interface AttemptLimits {
  /** From wherever. Beyond it a peer that has not tried this account yet still has two tries. */
  account: number;
  /** Attempts on one account from one peer. */
  here: number;
  peer: number;
}

const windowMs = 15 * 60_000;
const cellsMax = 65_536;
const newcomerTries = 2;
// The most that a cell of 16 bits can count.
const countMax = 65_535;

export function createAttempts(limits: AttemptLimits): Attempts {
  const salt = randomBytes(32);
  const cells = new Uint16Array(cellsMax);
  let window = -1;

  function turn(now: Date): Date {
    const current = Math.floor(now.getTime() / windowMs);
    // A request that began before the window turned does not turn it back.
    if (current > window) {
      window = current;
      cells.fill(0);
    }
    return new Date((current + 1) * windowMs);
  }

  function cellsOf({ account, peer }: AttemptKeys): { cell: number; limit: number }[] {
    const from = peer === null ? "nowhere" : network(peer);
    const named: [name: string, limit: number][] = [];
    if (account !== undefined) {
      const here = `${from} ${account}`;
      // Failures from many networks must not lock out an owner who comes from another one.
      const isNewcomer = (cells[cellOf(salt, here)] ?? 0) < newcomerTries;
      named.push([`account ${account}`, isNewcomer ? Infinity : limits.account]);
      named.push([here, limits.here]);
    }
    if (peer !== null) named.push([`peer ${from}`, limits.peer]);
    return named.map(([name, limit]) => ({ cell: cellOf(salt, name), limit }));
  }

  return {
    take(keys, now) {
      const resetAt = turn(now);
      const counted = cellsOf(keys);
      if (counted.some(({ cell, limit }) => (cells[cell] ?? 0) >= limit)) return resetAt;
      for (const { cell } of counted) cells[cell] = Math.min(countMax, (cells[cell] ?? 0) + 1);
      return null;
    },
    giveBack(keys, now) {
      turn(now);
      for (const { cell } of cellsOf(keys)) cells[cell] = Math.max(0, (cells[cell] ?? 0) - 1);
    },
  };
}

function cellOf(salt: Uint8Array, name: string): number {
  return createHmac("sha256", salt).update(name).digest().readUInt16BE(0);
}
