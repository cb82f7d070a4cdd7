import { type Db, inBackgroundTransaction, inTransaction, retryingDeadlock } from "@/lib/engine/db";
import type { Engine } from "@/lib/engine/engine";
import { hashSecretToken } from "../accounts/secret-token";
import { record } from "../audit/record";
import { type Ctx, contextOf } from "../context";
import { lockProfile } from "../profile-gate";
import { endToken } from "../tokens/tokens";
import { notifyAgents } from "../webhooks/notify-agents";

/** RFC 7009: ends the connection of a token of this client's. Returns whether the token is known. */
export async function revokeSecret(
  ctx: Ctx,
  { secret, clientId }: { secret: string; clientId: string },
): Promise<boolean> {
  const known = await ctx.db.connectionSecret.findUnique({
    where: { secretHash: hashSecretToken(secret), token: { clientId } },
    select: { token: { select: { id: true, profileId: true } } },
  });
  if (known !== null) await endConnection(ctx, known.token, "client");
  return known !== null;
}

/** Its client ended it; a code or a refresh token of it came again; nobody has used it. */
export type Ending = "client" | "reused" | "unused";

/**
 * Ends it at its next call, for good: its secrets go, so that undoing an end of before brings nothing back. By the
 * gateway itself; its owner reads in the log why.
 */
export async function endConnection(
  ctx: Ctx,
  { id: tokenId, profileId }: { id: string; profileId: number },
  because: Ending,
) {
  const { db, now, announce, shares } = ctx;
  const { did, ownerId } = await db.profile.findUniqueOrThrow({
    where: { id: profileId },
    select: { did: true, ownerId: true },
  });
  const asGateway: Ctx = { ...ctx, caller: { kind: "gateway" } };
  const end = () =>
    inTransaction(db, async (tx) => {
      const locked = await lockProfile(tx, profileId);
      const ended = await endToken(tx, { tokenId, profileId, now });
      await tx.connectionSecret.deleteMany({ where: { tokenId } });
      if (ended === null) return false;
      const profile = { id: profileId, did, ...locked };
      const event = {
        verb: "editTokens",
        subjectId: tokenId,
        detail: { ...ended.detail, because },
      };
      await record(tx, { ctx: asGateway, profile, event });
      await notifyAgents(tx, now, ended.ended);
      return true;
    });
  if (await shares.run(ownerId, () => retryingDeadlock(end))) announce(profileId);
}

const endedMax = 100;
/** Its code has run out by then. */
const unusedMinutes = 5;

/** Ends connections without a usable secret: the code was never redeemed, or all tokens have expired. */
export async function endUnusedConnections(engine: Engine): Promise<number> {
  const ctx = contextOf(engine, { kind: "gateway" });
  const before = new Date(ctx.now.getTime() - unusedMinutes * 60_000);
  const unused = await ctx.db.$queryRaw<{ id: string; profileId: number }[]>`
    SELECT t.id, t."profileId" FROM "ConnectionToken" t
    WHERE t."clientId" IS NOT NULL AND t."revokedAt" IS NULL AND t."createdAt" <= ${before}
      AND NOT EXISTS (SELECT FROM "ConnectionSecret" s WHERE s."tokenId" = t.id)
    ORDER BY t."createdAt" LIMIT ${endedMax}`;
  for (const connection of unused) await endConnection(ctx, connection, "unused");
  return unused.length;
}

const sweptMax = 1_000;

export function sweepSecrets(db: Db, now: Date): Promise<number> {
  return inBackgroundTransaction(
    db,
    (tx) => tx.$executeRaw`DELETE FROM "ConnectionSecret" WHERE "secretHash" = ANY(ARRAY(
      SELECT "secretHash" FROM "ConnectionSecret" WHERE "expiresAt" <= ${now}
      ORDER BY "expiresAt" LIMIT ${sweptMax} FOR UPDATE SKIP LOCKED))`,
  );
}
