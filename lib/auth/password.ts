import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { createWorkSlots, leaveSlot, type WorkSlots } from "@/lib/engine/load/work-slots";
import { busy } from "@/lib/protocol/errors";

// Argon2id is the package's own choice of algorithm.
const cost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };
const today = "$argon2id$v=19$m=65536,t=3,p=1$";

export interface Turn {
  /** The network or account that waits in line. */
  from: string | null;
  /** Before the turns of others. */
  isFirst?: boolean;
}

const nowhere: Turn = { from: null };

export function hashPassword(password: string, turn = nowhere): Promise<string> {
  return inTurn(turn, async () => hash(normalise(password), cost));
}

/** Takes as long for an account that does not exist: pass null, and the answer is no. */
export async function isPassword(
  password: string,
  passwordHash: string | null,
  turn = nowhere,
): Promise<boolean> {
  const right = await inTurn(turn, async () => verify(passwordHash ?? nobody, normalise(password)));
  return right && passwordHash !== null;
}

export function needsRehash(passwordHash: string): boolean {
  return !passwordHash.startsWith(today);
}

// A hash that no known password has, at today's cost.
const nobody = `${today}bm9ib2R5IGtub3dzIGl0IQ$u3gYvQ0aTqQbLw7mJd5o1Xk2cF9sRz8nHt6pWe4iUyA`;

// The same letters can be typed as different code points.
function normalise(password: string): string {
  return password.normalize("NFC");
}

// Next.js loads this module twice, for forms and for routes; the process has one queue.
const slot = Symbol.for("profile-access-gateway.password-turns");
const shared = globalThis as typeof globalThis & { [slot]?: WorkSlots };
/** How many passwords are hashed at a time: one core stays free for everybody else's requests. */
export const hashingMax = Math.max(1, Math.min(2, availableParallelism() - 1));
shared[slot] ??= createWorkSlots({
  underWayMax: hashingMax,
  underWayMaxPerPeer: 2,
  waitingMaxPerPeer: 60,
});
const turns = shared[slot];

// Each hash takes 64 MiB and a tenth of a second, so hashes wait in a bounded queue, one line per network. They
// run on other threads, so the request gives its slot to other pages.
function inTurn<T>({ from, isFirst }: Turn, work: () => Promise<T>): Promise<T> {
  leaveSlot();
  return new Promise((resolve, reject) => {
    turns.take(from ?? "nowhere", {
      isFirst,
      begin: (release) => work().finally(release).then(resolve, reject),
      refuse: () => reject(busy(tooManyWait, retrySeconds)),
    });
  });
}

const tooManyWait = "Too many passwords are being checked. Try again in a few seconds.";
const retrySeconds = 5;
