import { hash, verify } from "@node-rs/argon2";
import { unavailable } from "@/lib/protocol/errors";

// Argon2id is the package's own choice of algorithm.
const cost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };
const today = "$argon2id$v=19$m=65536,t=3,p=1$";
const atOnceMax = 2;
const waitingMax = 64;

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normalise(password), cost));
}

/** Takes as long for an account that does not exist: pass null, and the answer is no. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const right = await inTurn(() => verify(passwordHash ?? nobody, normalise(password)));
  return right && passwordHash !== null;
}

export function needsRehash(passwordHash: string): boolean {
  return !passwordHash.startsWith(today);
}

// Of no password anybody knows, at today's cost.
const nobody = `${today}bm9ib2R5IGtub3dzIGl0IQ$u3gYvQ0aTqQbLw7mJd5o1Xk2cF9sRz8nHt6pWe4iUyA`;

// The same letters can be typed as different code points.
function normalise(password: string): string {
  return password.normalize("NFC");
}

interface Turns {
  running: number;
  waiting: (() => void)[];
}

// Next.js loads this module for forms and for routes each for itself; the turns are one for the process.
const slot = Symbol.for("profile-access-gateway.password-turns");
const shared = globalThis as typeof globalThis & { [slot]?: Turns };
shared[slot] ??= { running: 0, waiting: [] };
const turns = shared[slot];

// Each hash takes 64 MiB and a tenth of a second: a crowd has to queue, and the queue has an end.
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const { waiting } = turns;
  if (turns.running >= atOnceMax) {
    if (waiting.length >= waitingMax) throw unavailable(new Error("the password queue is full"), 5);
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else {
    turns.running += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) turns.running -= 1;
    else next();
  }
}
