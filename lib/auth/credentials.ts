import { network } from "@/lib/engine/peer-guard";
import { findCredential, replacePasswordHash } from "@/lib/services/accounts/accounts";
import type { Ctx } from "@/lib/services/context";
import { type AttemptKeys, type AttemptLimits, type Attempts, createAttempts } from "./attempts";
import { hashPassword, isPassword, needsRehash } from "./password";

export interface PasswordTry {
  email: string;
  password: string;
  peer: string | null;
}

export type Checked =
  | { outcome: "right"; userId: string; by: { passwordHash: string } }
  | { outcome: "wrong" }
  | { outcome: "suspended" }
  | { outcome: "too many"; until: Date };

const signIns = ofGateway("sign-ins", { account: 100, here: 20, peer: 60 });
// Right ones are no guesses, and cost as much.
const allSignIns = ofGateway("all-sign-ins", { account: 300, here: 150, peer: 600 });

// A network gets its first hash at once, one sign-in at a time, until one failed or five succeeded.
const firstTurns = ofGateway("first-turns", { account: 0, here: 0, peer: 1 });
const rightFirstTurns = ofGateway("right-first-turns", { account: 0, here: 0, peer: 5 });

/**
 * Returns the account of this e-mail and password. Counts the attempt before hashing; every wrong pair gets one
 * answer.
 */
export async function checkPassword(
  ctx: Ctx,
  { email, password, peer }: PasswordTry,
): Promise<Checked> {
  const keys = { account: email, peer };
  const attempts = signIns(ctx);
  const until = attempts.take(keys, ctx.now) ?? allSignIns(ctx).take(keys, ctx.now);
  if (until !== null) return { outcome: "too many", until };
  const isFirst = firstTurns(ctx).take({ peer }, ctx.now) === null;
  const turn = { from: peer && network(peer), isFirst };
  const found = await findCredential(ctx, email);
  const right = await isPassword(password, found?.passwordHash ?? null, turn);
  if (!right || found?.passwordHash == null) return { outcome: "wrong" };
  attempts.giveBack(keys, ctx.now);
  const mayAgain = isFirst && rightFirstTurns(ctx).take({ peer }, ctx.now) === null;
  if (mayAgain) firstTurns(ctx).giveBack({ peer }, ctx.now);
  // Only somebody with the right password learns about the suspension.
  if (found.suspended) return { outcome: "suspended" };
  const { userId, passwordHash } = found;
  if (!needsRehash(passwordHash)) return { outcome: "right", userId, by: { passwordHash } };
  const to = await hashPassword(password, turn);
  await replacePasswordHash(ctx, { userId, from: passwordHash, to });
  return { outcome: "right", userId, by: { passwordHash: to } };
}

const signUps = ofGateway("sign-ups", { account: 0, here: 0, peer: 60 });

/** Called before hashing a stranger's new password. Returns null, or when to retry. */
export function admitNewcomer(ctx: Ctx, peer: string | null): Date | null {
  return signUps(ctx).take({ peer }, ctx.now);
}

const newPasswords = ofGateway("new-passwords", { account: 1, here: 1, peer: 1 });

/** Hashes the first new password of a network, or of an account, before those of others that wait. */
export function hashNewPassword(
  ctx: Ctx,
  { password, ...of }: AttemptKeys & { password: string },
): Promise<string> {
  const from = of.account ?? (of.peer && network(of.peer));
  const isFirst = newPasswords(ctx).take(of, ctx.now) === null;
  return hashPassword(password, { from, isFirst });
}

// Counts belong to one gateway, identified by its pool. Next.js loads this module twice, for forms and for
// routes; both must share them.
function ofGateway(name: string, limits: AttemptLimits): (ctx: Pick<Ctx, "pool">) => Attempts {
  const slot = Symbol.for(`profile-access-gateway.${name}`);
  const shared: Record<symbol, WeakMap<object, Attempts> | undefined> = globalThis as never;
  shared[slot] ??= new WeakMap();
  const made = shared[slot];
  return ({ pool }) => {
    const own = made.get(pool) ?? createAttempts(limits);
    made.set(pool, own);
    return own;
  };
}
