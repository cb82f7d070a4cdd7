import type { PoolClient } from "pg";
import { inTransaction } from "@/lib/engine/db";
import type { Role } from "@/lib/engine/prisma-client/enums";
import { parseDid } from "@/lib/protocol/did";
import { notFound } from "@/lib/protocol/errors";
import { recordAdmin } from "../audit/record";
import { recordForOwner } from "../audit/record-for-owner";
import type { Ctx } from "../context";
import { hashOpaque } from "./opaque";

/** What a new password of theirs must not contain. */
export async function handlesOf({ db }: Ctx, email: string): Promise<string[]> {
  const where = { owner: { email } };
  const profiles = await db.profile.findMany({ where, select: { did: true }, take: 100 });
  return profiles.map(({ did }) => parseDid(did)?.name ?? did);
}

/**
 * For whoever holds the link: of all who use it at once one sets the password. Every session ends and every
 * sign-in elsewhere is unlinked, as one of them may be why the link was asked for.
 */
export async function resetPassword(
  ctx: Ctx,
  { token, passwordHash }: { token: string; passwordHash: string },
): Promise<void> {
  await inTransaction(ctx.pool, async (client) => {
    const user = await useUp(client, { token, now: ctx.now });
    const { id: userId, role } = user;
    await client.query(`UPDATE "User" SET "passwordHash" = $2 WHERE id = $1`, [
      userId,
      passwordHash,
    ]);
    const { rowCount } = await client.query(`DELETE FROM "Session" WHERE "userId" = $1`, [userId]);
    const { rows } = await client.query<{ provider: string }>(
      `DELETE FROM "Account" WHERE "userId" = $1 RETURNING provider`,
      [userId],
    );
    const unlinked = rows.map(({ provider }) => provider).sort();
    const told = { ...ctx, caller: { kind: "person", userId, role, sessionId: null } as const };
    const verb = "resetPassword";
    const after = { ended: rowCount ?? 0, unlinked };
    await recordAdmin(client, { ctx: told, event: { verb, subjectId: userId, after } });
    await recordForOwner(client, { ctx: told, userId, event: { verb, detail: { unlinked } } });
  });
}

async function useUp(client: PoolClient, { token, now }: { token: string; now: Date }) {
  const { rows } = await client.query<{ id: string; role: Role }>(
    `WITH used AS (
       UPDATE "OneTimeLink" SET "usedAt" = $2
       WHERE "tokenHash" = $1 AND purpose = 'password_reset' AND "usedAt" IS NULL AND "expiresAt" > $2
       RETURNING email)
     SELECT u.id, u.role FROM used JOIN "User" u ON u.email = used.email FOR UPDATE OF u`,
    [Buffer.from(hashOpaque(token)), now],
  );
  const [user] = rows;
  if (user === undefined) throw notFound("link");
  return user;
}
