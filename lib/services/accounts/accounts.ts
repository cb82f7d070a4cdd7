import type { Tx } from "@/lib/engine/db";
import type { Role } from "@/lib/engine/prisma-client/enums";
import { newId } from "@/lib/engine/random";
import { forbidden } from "@/lib/protocol/errors";
import type { Ctx } from "../context";
import { mailAddressLink } from "../mail/address-link";
import { createProfile, refusingTaken } from "./new-profile";

export interface NewAccount {
  email: string;
  handle: string;
  name: string;
  /** Null if they sign in with a provider only. */
  passwordHash: string | null;
  /** Whether the address is mailed a link that confirms it. */
  confirms?: boolean;
}

export interface Account {
  userId: string;
  did: string;
}

/** Creates an account for anybody if sign-up is open. Hash the password first: a refusal must not be faster. */
export async function signUp(
  ctx: Ctx,
  { namespace, open, ...account }: NewAccount & { namespace: string; open: boolean },
): Promise<Account> {
  if (!open)
    throw forbidden("New accounts are made by invitation here. Ask an admin of this gateway.");
  return refusingTaken(() =>
    ctx.db.$transaction((tx) => createAccount(tx, ctx, { ...account, namespace, role: "user" })),
  );
}

export interface Credential {
  userId: string;
  passwordHash: string | null;
  suspended: boolean;
}

/** Returns what a password is checked against. It identifies a person, so it comes before any `may`. */
export async function findCredential({ db }: Ctx, email: string): Promise<Credential | null> {
  const user = await db.user.findUnique({
    where: { email },
    select: { id: true, passwordHash: true, state: true },
  });
  if (user === null) return null;
  const { id: userId, passwordHash, state } = user;
  return { userId, passwordHash, suspended: state === "suspended" };
}

/** Stores the hash of the same password at today's cost, unless the password has changed. */
export async function replacePasswordHash(
  { db }: Ctx,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<void> {
  const where = { id: userId, passwordHash: from };
  await db.$transaction([
    // Lets the trigger that notes new passwords pass.
    db.$executeRaw`SELECT set_config('gateway.rehashing', ${userId}, true)`,
    db.user.updateMany({ where, data: { passwordHash: to } }),
  ]);
}

/** Creates a user and a first profile with its initial policies. */
export async function createAccount(
  tx: Tx,
  input: Ctx,
  account: NewAccount & { namespace: string; role: Role; userId?: string },
): Promise<Account> {
  const { email, passwordHash, role, userId = newId("usr"), confirms, ...profile } = account;
  const { name } = profile;
  const createdAt = input.now;
  await tx.user.create({ data: { id: userId, email, name, passwordHash, role, createdAt } });
  const did = await createProfile(tx, input, { ...profile, userId, role });
  if (confirms) await mailAddressLink(tx, { userId, email, now: createdAt });
  return { userId, did };
}
