import { findCredential, replacePasswordHash } from "@/lib/services/accounts/accounts";
import type { Ctx } from "@/lib/services/context";
import { createAttempts } from "./attempts";
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

const signIns = ofGateway(() => createAttempts({ account: 100, here: 20, peer: 60 }));

/** Whose e-mail and password these are. Counted before hashing; one answer for every wrong pair. */
export async function checkPassword(
  ctx: Ctx,
  { email, password, peer }: PasswordTry,
): Promise<Checked> {
  const keys = { account: email, peer };
  const attempts = signIns(ctx);
  const until = attempts.take(keys, ctx.now);
  if (until !== null) return { outcome: "too many", until };
  const found = await findCredential(ctx, email);
  const right = await isPassword(password, found?.passwordHash ?? null);
  if (!right || found?.passwordHash == null) return { outcome: "wrong" };
  attempts.giveBack(keys, ctx.now);
  // Only who knows the password is told of the suspension.
  if (found.suspended) return { outcome: "suspended" };
  const { userId, passwordHash } = found;
  if (!needsRehash(passwordHash)) return { outcome: "right", userId, by: { passwordHash } };
  const to = await hashPassword(password);
  await replacePasswordHash(ctx, { userId, from: passwordHash, to });
  return { outcome: "right", userId, by: { passwordHash: to } };
}

const signUps = ofGateway(() => createAttempts({ account: 0, here: 0, peer: 60 }));

/** Before a stranger has us hash a new password: null, or when to come back. */
export function admitNewcomer(ctx: Ctx, peer: string | null): Date | null {
  return signUps(ctx).take({ peer }, ctx.now);
}

// What one gateway counts is nothing to another in the same process, known by its connections.
function ofGateway<T>(make: () => T): (ctx: Pick<Ctx, "pool">) => T {
  const made = new WeakMap<object, T>();
  return ({ pool }) => {
    const own = made.get(pool) ?? make();
    made.set(pool, own);
    return own;
  };
}
