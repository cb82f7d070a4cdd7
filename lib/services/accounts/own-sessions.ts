import { inTransaction } from "@/lib/engine/db";
import { forbidden, notFound } from "@/lib/protocol/errors";
import { recordAdmin } from "../audit/record";
import type { Ctx } from "../context";

export interface OwnSession {
  id: string;
  userAgent: string | null;
  createdAt: Date;
  lastSeenAt: Date;
}

const shownMax = 100;

/** Where whoever is signed in is signed in, the last used first. */
export async function listSessions({ db, now, caller }: Ctx): Promise<OwnSession[]> {
  if (caller.kind !== "person") throw forbidden();
  return db.session.findMany({
    where: { userId: caller.userId, expiresAt: { gt: now } },
    select: { id: true, userAgent: true, createdAt: true, lastSeenAt: true },
    orderBy: [{ lastSeenAt: "desc" }, { id: "asc" }],
    take: shownMax,
  });
}

/** One of their own; its very next request is a stranger's. */
export async function endOwnSession(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const ended = await end(ctx, { verb: "endSession", subjectId: id, where: "id = $2", id });
  if (ended === 0) throw notFound("session");
}

/** All but this one. */
export async function endOtherSessions(ctx: Ctx, { keepId }: { keepId: string }): Promise<number> {
  return end(ctx, { verb: "endOtherSessions", subjectId: keepId, where: "id <> $2", id: keepId });
}

interface Ending {
  verb: string;
  subjectId: string;
  where: "id = $2" | "id <> $2";
  id: string;
}

async function end(ctx: Ctx, { verb, subjectId, where, id }: Ending): Promise<number> {
  const { caller, pool } = ctx;
  if (caller.kind !== "person") throw forbidden();
  return inTransaction(pool, async (client) => {
    const { rowCount } = await client.query(
      `DELETE FROM "Session" WHERE "userId" = $1 AND ${where}`,
      [caller.userId, id],
    );
    const ended = rowCount ?? 0;
    if (ended > 0) await recordAdmin(client, { ctx, event: { verb, subjectId, after: { ended } } });
    return ended;
  });
}

const freshMs = 10 * 60_000;

/** Signed in moments ago: asked of who has no password to type. */
export async function isFresh({ db, now }: Ctx, { sessionId }: { sessionId: string }) {
  const since = new Date(now.getTime() - freshMs);
  return (await db.session.count({ where: { id: sessionId, createdAt: { gt: since } } })) > 0;
}
