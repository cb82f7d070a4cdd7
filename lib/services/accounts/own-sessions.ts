import { forbidden, notFound } from "@/lib/protocol/errors";
import { recordAdmin } from "../audit/record";
import { confirmedMs, withAuthority } from "../authority";
import type { Ctx } from "../context";
import { isLive } from "./session-life";
import { type RenewedSession, renewal } from "./sessions";

export interface OwnSession {
  id: string;
  userAgent: string | null;
  createdAt: Date;
  lastSeenAt: Date;
}

const shownMax = 100;

/** The caller's sessions, the last used first. */
export async function listSessions({ db, now, caller }: Ctx): Promise<OwnSession[]> {
  if (caller.kind !== "person") throw forbidden();
  return db.session.findMany({
    where: { userId: caller.userId, ...isLive(now) },
    select: { id: true, userAgent: true, createdAt: true, lastSeenAt: true },
    orderBy: [{ lastSeenAt: "desc" }, { id: "asc" }],
    take: shownMax,
  });
}

/** Ends one of the user's own sessions from its next request on. */
export async function endOwnSession(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const ended = await end(ctx, { verb: "endSession", subjectId: id, which: id });
  if (ended === 0) throw notFound("session");
}

/** Ends all sessions of the caller except the current one. */
export async function endOtherSessions(ctx: Ctx): Promise<number> {
  const { caller } = ctx;
  if (caller.kind !== "person" || caller.sessionId === null) throw forbidden();
  const { sessionId: id } = caller;
  return end(ctx, { verb: "endOtherSessions", subjectId: id, which: { not: id } });
}

interface Ending {
  verb: string;
  subjectId: string;
  which: string | { not: string };
}

async function end(ctx: Ctx, { verb, subjectId, which }: Ending): Promise<number> {
  const { caller } = ctx;
  if (caller.kind !== "person") throw forbidden();
  const { userId } = caller;
  // Two sessions that end each other come one after the other.
  return withAuthority(ctx, { users: [userId] }, async (tx) => {
    const { count: ended } = await tx.session.deleteMany({ where: { userId, id: which } });
    // Links handed out by an ended session end with it.
    await tx.oneTimeLink.deleteMany({ where: { usedAt: null, createdBy: userId } });
    if (ended > 0) await recordAdmin(tx, { ctx, event: { verb, subjectId, after: { ended } } });
    return ended;
  });
}

/** Returns until when the caller's session may make changes that last; null if it must confirm first. */
export async function confirmedUntil({ db, now, caller }: Ctx): Promise<Date | null> {
  if (caller.kind !== "person" || caller.sessionId === null) throw forbidden();
  const session = await db.session.findUnique({
    where: { id: caller.sessionId, ...isLive(now) },
    select: { confirmedAt: true },
  });
  const until = (session?.confirmedAt.getTime() ?? 0) + confirmedMs;
  return until > now.getTime() ? new Date(until) : null;
}

export interface ConfirmedSession extends RenewedSession {
  confirmedUntil: Date;
}

/**
 * Confirms the caller's session by a checked password, and renews it: a thief with a copy of the cookie does
 * not know the password. Returns null if the session or the password has changed since.
 */
export async function confirmSession(
  { db, now, caller, shares }: Ctx,
  { passwordHash }: { passwordHash: string },
): Promise<ConfirmedSession | null> {
  if (caller.kind !== "person" || caller.sessionId === null) throw forbidden();
  const { userId, sessionId: id } = caller;
  const user = { state: "active", passwordHash } as const;
  const { token, fields } = renewal();
  const [renewed] = await shares.run(userId, () =>
    db.session.updateManyAndReturn({
      where: { id, userId, ...isLive(now), user },
      data: { ...fields, confirmedAt: now },
      select: { expiresAt: true },
    }),
  );
  if (renewed === undefined) return null;
  const confirmedUntil = new Date(now.getTime() + confirmedMs);
  return { token, sessionId: fields.id, ...renewed, confirmedUntil };
}
