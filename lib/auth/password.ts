import { hash, verify } from "@node-rs/argon2";
import { busy } from "@/lib/protocol/errors";

// Argon2id is the package's own choice of algorithm.
const cost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 };
const today = "$argon2id$v=19$m=65536,t=3,p=1$";
const atOnceMax = 2;
const waitingMax = 256;
const waitingOfOneMax = 60;

/** `from`: the network, or account, whose turn it takes. */
export function hashPassword(password: string, from: string | null = null): Promise<string> {
  return inTurn(from, () => hash(normalise(password), cost));
}

/** Takes as long for an account that does not exist: pass null, and the answer is no. */
export async function isPassword(
  password: string,
  passwordHash: string | null,
  from: string | null = null,
): Promise<boolean> {
  const right = await inTurn(from, () => verify(passwordHash ?? nobody, normalise(password)));
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
  /** By whose turn it is; the first of them is next. */
  waiting: Map<string, (() => void)[]>;
}

// Next.js loads this module for forms and for routes each for itself; the turns are one for the process.
const slot = Symbol.for("profile-access-gateway.password-turns");
const shared = globalThis as typeof globalThis & { [slot]?: Turns };
shared[slot] ??= { running: 0, waiting: new Map() };
const turns = shared[slot];

// Each hash takes 64 MiB and a tenth of a second: a crowd has to queue, and the queue has an end. Each network has its
// turn, so that whoever sends many waits for themselves.
async function inTurn<T>(from: string | null, work: () => Promise<T>): Promise<T> {
  if (turns.running >= atOnceMax) await wait(from ?? "nowhere");
  else turns.running += 1;
  try {
    return await work();
  } finally {
    const next = takeNext();
    if (next === undefined) turns.running -= 1;
    else next();
  }
}

function wait(from: string): Promise<void> {
  const own = turns.waiting.get(from) ?? [];
  const all = [...turns.waiting.values()].reduce((sum, { length }) => sum + length, 0);
  if (own.length >= waitingOfOneMax || all >= waitingMax) {
    throw busy("Too many passwords are being checked. Try again in a few seconds.", 5);
  }
  turns.waiting.set(from, own);
  return new Promise((resolve) => own.push(resolve));
}

function takeNext(): (() => void) | undefined {
  const [first] = turns.waiting;
  if (first === undefined) return undefined;
  const [from, own] = first;
  const next = own.shift();
  turns.waiting.delete(from);
  if (own.length > 0) turns.waiting.set(from, own);
  return next;
}
