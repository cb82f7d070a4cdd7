import { createHash } from "node:crypto";
import type { Role } from "@/lib/engine/prisma-client/enums";
import { newId } from "@/lib/engine/random";
import { userDid } from "@/lib/protocol/did";
import { forbidden, invalidRequest } from "@/lib/protocol/errors";
import { defaultTemplate, type PolicyDraft, templates } from "@/lib/rules/templates";
import { recordIn } from "../audit/record";
import type { Ctx, Tx } from "../context";

export interface NewAccount {
  email: string;
  handle: string;
  name: string;
  passwordHash: string;
}

export interface Account {
  userId: string;
  did: string;
}

/** For anybody, where signing up is open. Hash the password before: a refusal must not be faster. */
export async function signUp(
  ctx: Ctx,
  { namespace, open, ...account }: NewAccount & { namespace: string; open: boolean },
): Promise<Account> {
  if (!open) throw forbidden("This gateway takes no new accounts.");
  return refusingTaken(() =>
    ctx.db.$transaction((tx) => createAccount(tx, ctx, { ...account, namespace, role: "user" })),
  );
}

export interface Credential {
  userId: string;
  passwordHash: string | null;
  suspended: boolean;
}

/** What a password is checked against. Part of recognising a person, so it comes before any `may`. */
export async function findCredential({ db }: Ctx, email: string): Promise<Credential | null> {
  const user = await db.user.findUnique({
    where: { email },
    select: { id: true, passwordHash: true, state: true },
  });
  if (user === null) return null;
  const { id: userId, passwordHash, state } = user;
  return { userId, passwordHash, suspended: state === "suspended" };
}

/** The same password at today's cost, unless it was changed meanwhile. */
export async function replacePasswordHash(
  { db }: Ctx,
  { userId, from, to }: { userId: string; from: string; to: string },
): Promise<void> {
  const where = { id: userId, passwordHash: from };
  await db.user.updateMany({ where, data: { passwordHash: to } });
}

/** A user, a first profile, and what its policies start from. */
export async function createAccount(
  tx: Tx,
  asked: Ctx,
  account: NewAccount & { namespace: string; role: Role },
): Promise<Account> {
  const { email, handle, name, passwordHash, namespace, role } = account;
  const { now } = asked;
  const userId = newId("usr");
  const did = userDid(namespace, handle);
  const retired = await tx.retiredDid.findUnique({ where: { didHash: hashDid(did) } });
  if (retired !== null) throw taken();
  await tx.user.create({ data: { id: userId, email, name, passwordHash, role, createdAt: now } });
  const profile = await tx.profile.create({
    data: {
      did,
      ownerId: userId,
      common: { identity: { displayName: name }, preferences: {} },
      createdAt: now,
      updatedAt: now,
      policies: {
        create: templates[defaultTemplate].policies.map((draft) => policyRow(draft, now)),
      },
    },
  });
  const ctx = { ...asked, caller: { kind: "person", userId, role } } as const;
  const subject = { id: profile.id, did, ownerId: userId, state: profile.state };
  await recordIn(tx, { ctx, profile: subject, event: { verb: "createProfile" } });
  return { userId, did };
}

function policyRow({ allow, deny, permissions, purposes, ...rest }: PolicyDraft, now: Date) {
  return {
    id: newId("pol"),
    allow: [...allow],
    deny: [...deny],
    permissions: [...permissions],
    purposes: [...purposes],
    createdAt: now,
    updatedAt: now,
    ...rest,
  };
}

/** The database decides who was first; whoever was not is told so. */
export async function refusingTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error)) throw taken();
    throw error;
  }
}

// One text for both: which of the two it is would tell strangers who has an account.
function taken() {
  const message =
    "This e-mail address or this handle is already in use. Sign in, or choose another.";
  return invalidRequest([{ path: "handle", message }]);
}

/** What is kept of a DID that was deleted, so that nobody can take it up again. */
export function hashDid(did: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash("sha256").update(did).digest());
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "P2002";
}
