import type { PoolClient } from "pg";
import type { LinkPurpose, Role } from "@/lib/engine/prisma-client/enums";
import { newId } from "@/lib/engine/random";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import { mintOpaque } from "../../accounts/opaque";
import { recordForOwner } from "../../audit/record-for-owner";
import type { Ctx } from "../../context";
import { administer } from "../administer";

const invitationMs = 7 * 24 * 60 * 60_000;
const resetMs = 60 * 60_000;

export interface IssuedLink {
  /** Shown this once; the database has only its hash. */
  token: string;
  expiresAt: Date;
}

/** One live invitation an address: a new one ends the one before. */
export async function inviteUser(
  ctx: Ctx,
  { email, role }: { email: string; role: Role },
): Promise<IssuedLink> {
  const purpose = "invitation";
  // Nobody has the address yet, so there is no account to lock.
  return administer(ctx, { admins: true }, async ({ client, record }) => {
    const { rowCount } = await client.query(`SELECT FROM "User" WHERE email = $1`, [email]);
    if (rowCount !== 0) {
      throw invalidRequest([
        { path: "email", message: "Somebody has an account with it already." },
      ]);
    }
    // Who is invited again is called as before.
    const userId = (await endUnused(client, { purpose, email })) ?? newId("usr");
    const link = await issue(client, { ctx, purpose, email, role, userId, lifeMs: invitationMs });
    await record({ verb: "inviteUser", subjectId: userId, after: { role } });
    return link;
  });
}

/** For somebody who forgot the password. The old one works until the link is used; they see that it was made. */
export async function issueResetLink(ctx: Ctx, userId: string): Promise<IssuedLink> {
  return administer(ctx, { users: [userId] }, async ({ client, record }) => {
    const { rows } = await client.query<{ email: string; role: Role }>(
      `UPDATE "User" SET "resetLinkMadeAt" = $2 WHERE id = $1 RETURNING email, role`,
      [userId, ctx.now],
    );
    const [user] = rows;
    if (user === undefined) throw notFound("user");
    const purpose = "password_reset";
    await endUnused(client, { purpose, email: user.email });
    const link = await issue(client, { ctx, purpose, ...user, lifeMs: resetMs });
    await record({ verb: "issueResetLink", subjectId: userId });
    await recordForOwner(client, { ctx, userId, event: { verb: "issueResetLink" } });
    return link;
  });
}

/** Tells which account the one before would have made. */
async function endUnused(
  client: PoolClient,
  { purpose, email }: { purpose: LinkPurpose; email: string },
): Promise<string | null> {
  const { rows } = await client.query<{ userId: string | null }>(
    `DELETE FROM "OneTimeLink" WHERE purpose = $1 AND email = $2 AND "usedAt" IS NULL
     RETURNING "userId"`,
    [purpose, email],
  );
  return rows[0]?.userId ?? null;
}

interface Issuing {
  ctx: Ctx;
  purpose: LinkPurpose;
  email: string;
  role: Role;
  /** Of the account that it will make. */
  userId?: string;
  lifeMs: number;
}

async function issue(
  client: PoolClient,
  { ctx: { now, caller }, purpose, email, role, userId, lifeMs }: Issuing,
): Promise<IssuedLink> {
  const { token, tokenHash } = mintOpaque();
  const expiresAt = new Date(now.getTime() + lifeMs);
  await client.query(
    `INSERT INTO "OneTimeLink" ("tokenHash", purpose, email, role, "userId", "createdBy", "createdAt", "expiresAt")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      Buffer.from(tokenHash),
      purpose,
      email,
      role,
      userId,
      caller.kind === "person" ? caller.userId : null,
      now,
      expiresAt,
    ],
  );
  return { token, expiresAt };
}
