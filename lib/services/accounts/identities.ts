import type { Tx } from "@/lib/engine/db";
import { newId, randomBase62 } from "@/lib/engine/random";
import { forbidden, GatewayError, invalidRequest } from "@/lib/protocol/errors";
import { recordAdmin } from "../audit/record";
import { withAuthority } from "../authority";
import type { Ctx } from "../context";
import { warnUser } from "../mail/enqueue";
import { createAccount } from "./accounts";
import { isUniqueViolation, refusingTaken } from "./new-profile";

// Sign-in with other providers. Their tokens are never stored.

export interface Identity {
  provider: string;
  providerAccountId: string;
}

export interface Stranger extends Identity {
  /** Verified by the provider; null if it has none. */
  email: string | null;
  name: string;
  handle: string;
}

export type Arrival =
  | { outcome: "known" | "new"; userId: string }
  | { outcome: "suspended" | "closed" | "no e-mail" | "e-mail in use" };

/** Signs in somebody who returns from a provider: a known user, or a new one if sign-up is open. */
export async function arrive(
  ctx: Ctx,
  { namespace, open, ...stranger }: Stranger & { namespace: string; open: boolean },
): Promise<Arrival> {
  const { provider, providerAccountId, email } = stranger;
  const known = await ctx.db.account.findUnique({
    where: { provider_providerAccountId: { provider, providerAccountId } },
    select: { user: { select: { id: true, state: true } } },
  });
  if (known?.user.state === "suspended") return { outcome: "suspended" };
  if (known !== null) return { outcome: "known", userId: known.user.id };
  if (!open) return { outcome: "closed" };
  if (email === null) return { outcome: "no e-mail" };
  return join(ctx, { ...stranger, email, namespace });
}

const handleTries = 5;

// Never into an account that has the same address: it need not be the same person's.
async function join(
  ctx: Ctx,
  stranger: Stranger & { email: string; namespace: string },
): Promise<Arrival> {
  const { provider, providerAccountId, email, name, namespace } = stranger;
  for (let tried = 0; tried < handleTries; tried++) {
    if ((await ctx.db.user.count({ where: { email } })) > 0) return { outcome: "e-mail in use" };
    const handle = tried === 0 ? stranger.handle : `${stranger.handle}-${randomBase62(4)}`;
    const account = { email, handle, name, namespace, passwordHash: null, role: "user" } as const;
    try {
      return await refusingTaken(() =>
        ctx.db.$transaction(async (tx) => {
          const { userId } = await createAccount(tx, ctx, account);
          const createdAt = ctx.now;
          await tx.account.create({ data: { provider, providerAccountId, userId, createdAt } });
          return { outcome: "new", userId } as const;
        }),
      );
    } catch (error) {
      // Taken: by another handle's owner, by another tab of the same person, or for good.
      if (!(error instanceof GatewayError) || error.code !== "PROF006") throw error;
    }
  }
  return { outcome: "e-mail in use" };
}

/** The providers that the caller can sign in with; one account at each. */
export async function listIdentities({ db, caller }: Ctx): Promise<string[]> {
  if (caller.kind !== "person") throw forbidden();
  const where = { userId: caller.userId };
  const linked = await db.account.findMany({ where, select: { provider: true }, take: 20 });
  return linked.map(({ provider }) => provider);
}

/** Part of a transaction that has locked the user; or, on the db, for a look. */
export async function isLinked(
  tx: Tx,
  { userId, provider, providerAccountId }: Identity & { userId: string },
): Promise<boolean> {
  return (await tx.account.count({ where: { userId, provider, providerAccountId } })) > 0;
}

/** `elsewhere`: it is linked to another user's account. `another`: this account has one of the provider. */
export type Linking = "linked" | "elsewhere" | "another";

/** To the caller's account. */
export async function linkIdentity(ctx: Ctx, identity: Identity): Promise<Linking> {
  const { caller, db, now, requestId } = ctx;
  if (caller.kind !== "person") throw forbidden();
  const { userId } = caller;
  const { provider } = identity;
  try {
    await withAuthority(ctx, { users: [userId], lasting: true }, async (tx) => {
      await tx.account.create({ data: { ...identity, userId, createdAt: now } });
      const event = { verb: "linkSignIn", subjectId: userId, after: { provider } };
      await tx.adminEvent.create({
        data: { id: newId("evt"), at: now, adminId: userId, requestId, ...event },
      });
      await warnUser(tx, { now, userId, event: "sign_in_linked" });
    });
    return "linked";
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const holder = await db.account.findUnique({ where: { provider_providerAccountId: identity } });
    if (holder === null) return "another";
    return holder.userId === userId ? "linked" : "elsewhere";
  }
}

/** Refuses to unlink the only way to sign in. */
export async function unlinkIdentity(ctx: Ctx, { provider }: { provider: string }): Promise<void> {
  const { caller } = ctx;
  if (caller.kind !== "person") throw forbidden();
  const { userId } = caller;
  // The account is locked: of two sign-ins that are unlinked at once, one is the only one left.
  await withAuthority(ctx, { users: [userId], lasting: true }, async (tx) => {
    const rowCount = await tx.$executeRaw`DELETE FROM "Account" a USING "User" u
       WHERE a."userId" = ${userId} AND a.provider = ${provider} AND u.id = ${userId}
         AND (u."passwordHash" IS NOT NULL
           OR EXISTS (SELECT FROM "Account" o WHERE o."userId" = ${userId} AND o.provider <> ${provider}))`;
    if (rowCount === 0) {
      const message = "This is your only way to sign in. Set a password first.";
      throw invalidRequest([{ path: "form", message }]);
    }
    const event = { verb: "unlinkSignIn", subjectId: userId, before: { provider } };
    await recordAdmin(tx, { ctx, event });
    await warnUser(tx, { now: ctx.now, userId, event: "sign_in_unlinked" });
  });
}

/** Part of a transaction that has locked the user, who has a password. Returns the providers in order. */
export async function unlinkAll(tx: Tx, userId: string): Promise<string[]> {
  const whose = { where: { userId } };
  const rows = await tx.account.findMany({ ...whose, select: { provider: true } });
  await tx.account.deleteMany(whose);
  return rows.map(({ provider }) => provider).sort();
}
