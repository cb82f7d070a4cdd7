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

/** For whoever holds the link: of all who use it at once one sets the password, and every session ends. */
export async function resetPassword(
  ctx: Ctx,
  { token, passwordHash }: { token: string; passwordHash: string },
): Promise<void> {
  await inTransaction(ctx.pool, async (client) => {
    const user = await useUp(client, { token, now: ctx.now });
    await client.query(`UPDATE "User" SET "passwordHash" = $2 WHERE id = $1`, [
      user.id,
      passwordHash,
    ]);
    const { rowCount } = await client.query(`DELETE FROM "Session" WHERE "userId" = $1`, [user.id]);
    const caller = { kind: "person", userId: user.id, role: user.role } as const;
    const event = { verb: "resetPassword", subjectId: user.id, after: { ended: rowCount ?? 0 } };
    await recordAdmin(client, { ctx: { ...ctx, caller }, event });
    await recordForOwner(client, {
      ctx: { ...ctx, caller },
      userId: user.id,
      event: { verb: "resetPassword" },
    });
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
