import { inTransaction, type Tx } from "@/lib/engine/db";
import type { ProfileState, Role } from "@/lib/engine/prisma-client/enums";
import { newId } from "@/lib/engine/random";
import type { PersonCaller } from "@/lib/rules/may";
import type { Ctx } from "../context";
import { warnUser } from "../mail/enqueue";
import { type Identity, isLinked } from "./identities";
import { createSecretToken, hashSecretToken } from "./secret-token";
import { isLive, sessionEnd, sessionsMax } from "./session-life";

// Opaque sessions: the cookie names a row, and deleting the row ends the session everywhere. These verbs
// identify a person, so they come before any `may`.

const touchMs = 60_000;

export interface SessionUser {
  userId: string;
  sessionId: string;
  email: string;
  name: string | null;
  role: Role;
  profiles: { id: number; did: string; state: ProfileState }[];
}

export interface NewSession {
  userId: string;
  by: Recognised;
  userAgent: string | null;
}

/** The browser's part of a session. */
export interface SessionValue {
  token: string;
  expiresAt: Date;
}

/** A session with a new value and id: copies of the old one, and requests under way in its name, end. */
export interface RenewedSession extends SessionValue {
  sessionId: string;
}

/** Makes the new cookie value of a session, and the columns of its row that change with it. */
export function renewal() {
  const { token, tokenHash } = createSecretToken();
  return { token, fields: { id: newId("ses"), tokenHash } };
}

/** How the user was just identified: by the hash their password was checked against, or by a provider. */
export type Recognised = { passwordHash: string } | Identity;

/** Returns the caller of a session. */
export function callerOf({ userId, sessionId, role }: SessionUser): PersonCaller {
  return { kind: "person", userId, sessionId, role };
}

/** Under whom the requests of a user's scripts are counted. */
export function sessionCaller(userId: string): string {
  return `user:${userId}`;
}

/**
 * Returns null if what identified the user has changed. A change of password, providers or state locks the
 * account first: it is seen here, or ends this session too.
 */
export async function issueSession(
  { db, now, shares }: Ctx,
  { userId, by, userAgent }: NewSession,
): Promise<SessionValue | null> {
  const { token, tokenHash } = createSecretToken();
  const id = newId("ses");
  const expiresAt = sessionEnd(now);
  const issue = async (tx: Tx) => {
    const rows = await tx.$queryRaw<
      { passwordHash: string | null }[]
    >`SELECT "passwordHash" FROM "User" WHERE id = ${userId} AND state = 'active' FOR KEY SHARE`;
    const [user] = rows;
    const holds =
      "passwordHash" in by
        ? user?.passwordHash === by.passwordHash
        : user !== undefined && (await isLinked(tx, { userId, ...by }));
    if (!holds) return null;
    if (!(await isKnownBrowser(tx, { userId, userAgent }))) {
      await warnUser(tx, { now, userId, event: "signed_in" });
    }
    const at = { createdAt: now, lastSeenAt: now, confirmedAt: now, expiresAt };
    const data = { tokenHash, id, userId, userAgent: userAgent?.slice(0, 255), ...at };
    await tx.session.create({ data, select: { id: true } });
    // Deletes all but the new one and the latest. A locked one goes with the next sign-in.
    await tx.$executeRaw`DELETE FROM "Session" WHERE id = ANY(ARRAY
      (SELECT id FROM "Session" WHERE "userId" = ${userId} AND id <> ${id}
       ORDER BY "lastSeenAt" DESC, id OFFSET ${sessionsMax - 1} FOR UPDATE SKIP LOCKED))`;
    await markUserSeen(tx, userId, now);
    return { token, expiresAt };
  };
  return shares.run(userId, () => inTransaction(db, issue));
}

// A browser that was updated is the same one.
async function isKnownBrowser(
  tx: Tx,
  { userId, userAgent }: Pick<NewSession, "userId" | "userAgent">,
): Promise<boolean> {
  const sessions = await tx.session.findMany({
    where: { userId },
    select: { userAgent: true },
    take: sessionsMax,
  });
  const unversioned = (text: string | null) => text?.slice(0, 255).replace(/[\d.]+/g, "");
  return sessions.some((one) => unversioned(one.userAgent) === unversioned(userAgent));
}

/** Returns the user of this session, with the role and state that the database has now. */
export async function findSession({ db, now }: Ctx, token: string): Promise<SessionUser | null> {
  const session = await db.session.findUnique({
    where: { tokenHash: hashSecretToken(token), ...isLive(now), user: { state: "active" } },
    include: {
      user: {
        include: {
          profiles: {
            select: { id: true, did: true, state: true },
            orderBy: { id: "asc" },
            take: 100,
          },
        },
      },
    },
  });
  // Prisma reads the account after the session: it may have been deleted in between.
  if (!session?.user) return null;
  const before = new Date(now.getTime() - touchMs);
  if (session.lastSeenAt < before) {
    await markSessionSeen(db, session.id, now);
    await markUserSeen(db, session.userId, now);
  }
  const { id: userId, email, name, role, profiles } = session.user;
  return { userId, sessionId: session.id, email, name, role, profiles };
}

// A change under way may hold both rows; nobody waits to record a visit.
async function markSessionSeen(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.$executeRaw`UPDATE "Session" SET "lastSeenAt" = ${now} WHERE id IN
    (SELECT id FROM "Session" WHERE id = ${id} AND "lastSeenAt" < ${now} FOR NO KEY UPDATE SKIP LOCKED)`;
}

// Kept after the session has ended, for admins.
async function markUserSeen(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.$executeRaw`UPDATE "User" SET "lastSeenAt" = ${now} WHERE id IN
    (SELECT id FROM "User" WHERE id = ${id} FOR NO KEY UPDATE SKIP LOCKED)`;
}

/** Whether the session is valid and the profile still open to it; for work that outlives a request. */
export async function isSessionLive(
  { db, now }: Ctx,
  { sessionId, profileId }: { sessionId: string; profileId: number },
): Promise<boolean> {
  const user = { state: "active", profiles: { some: { id: profileId, state: "active" } } } as const;
  const where = { id: sessionId, ...isLive(now), user };
  return (await db.session.count({ where })) > 0;
}

/** Ends a session for its holder; one that is gone is not an error. */
export async function endSession({ db, shares }: Ctx, token: string): Promise<void> {
  const where = { tokenHash: hashSecretToken(token) };
  await shares.run(token, () => db.session.deleteMany({ where }));
}
