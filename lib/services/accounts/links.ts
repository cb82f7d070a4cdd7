import type { Db, Tx } from "@/lib/engine/db";
import type { LinkPurpose, Role } from "@/lib/engine/prisma-client/enums";
import { newId } from "@/lib/engine/random";
import { forbidden, notFound } from "@/lib/protocol/errors";
import type { Ctx } from "../context";
import { type Account, createAccount, type NewAccount } from "./accounts";
import { adminsLock, hasAdmin } from "./admins";
import { refusingTaken } from "./new-profile";
import { createSecretToken, hashSecretToken } from "./secret-token";

// Links that work once. The database stores their hash, and decides who used one first.

const firstAdminMs = 60 * 60_000;

/**
 * Returns the link that the gateway shows at its start; null if there is an admin. Instances that start
 * together show one each; the first used one ends the others.
 */
export async function issueFirstAdminLink({
  db,
  caller,
  now,
}: Ctx): Promise<{ token: string; expiresAt: Date } | null> {
  if (caller.kind !== "gateway") throw forbidden();
  const { token, tokenHash } = createSecretToken();
  const expiresAt = new Date(now.getTime() + firstAdminMs);
  // Without the lock: a link made while the first admin is created is refused when used.
  const rowCount =
    await db.$executeRaw`INSERT INTO "OneTimeLink" ("tokenHash", purpose, role, "createdAt", "expiresAt")
     SELECT ${tokenHash}::bytea, 'first_admin', 'admin', ${now}::timestamptz, ${expiresAt}::timestamptz
     WHERE NOT EXISTS (SELECT FROM "User" WHERE role = 'admin')`;
  return rowCount === 1 ? { token, expiresAt } : null;
}

export interface LiveLink {
  purpose: LinkPurpose;
  /** The invited address; null for the first admin. */
  email: string | null;
  role: Role;
}

/** Returns what the link would do now, without using it up: mail scanners and previews open links. */
export async function findLink({ db, now }: Ctx, token: string): Promise<LiveLink | null> {
  const where = { tokenHash: hashSecretToken(token), usedAt: null, expiresAt: { gt: now } };
  return db.oneTimeLink.findUnique({ where, select: { purpose: true, email: true, role: true } });
}

/** Job: deletes expired links, with the addresses in them. */
export async function sweepLinks(db: Db, now: Date): Promise<number> {
  return (await db.oneTimeLink.deleteMany({ where: { expiresAt: { lte: now } } })).count;
}

const verbs = { first_admin: "becomeFirstAdmin", invitation: "redeemInvitation" };

/** Creates the account of the link, once, whether sign-up is open or not. */
export async function redeemLink(
  ctx: Ctx,
  { token, namespace, ...account }: NewAccount & { token: string; namespace: string },
): Promise<Account> {
  const { db, now, requestId, shares } = ctx;
  const redeem = () =>
    db.$transaction(async (tx) => {
      const { purpose, email, role, userId } = await useUp(tx, { token, now });
      const whole = { ...account, email: email ?? account.email, namespace, role, userId };
      const created = await createAccount(tx, ctx, whole);
      await tx.adminEvent.create({
        data: {
          id: newId("evt"),
          at: now,
          adminId: created.userId,
          verb: verbs[purpose],
          subjectId: created.userId,
          after: { role },
          requestId,
        },
      });
      return created;
    });
  return refusingTaken(() => shares.run(token, redeem));
}

async function useUp(tx: Tx, { token, now }: { token: string; now: Date }) {
  const tokenHash = hashSecretToken(token);
  const link = await tx.oneTimeLink.findUnique({ where: { tokenHash } });
  if (link === null || link.purpose === "password_reset" || link.purpose === "address")
    throw notFound("link");
  const { purpose, email, role, userId } = link;
  if (purpose === "first_admin") await refuseSecondAdmin(tx);
  const { count } = await tx.oneTimeLink.updateMany({
    where: { tokenHash, purpose, usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  if (count === 0) throw notFound("link");
  if (purpose === "first_admin")
    await tx.oneTimeLink.deleteMany({ where: { purpose, usedAt: null } });
  return { purpose, email, role, userId: userId ?? newId("usr") };
}

async function refuseSecondAdmin(tx: Tx): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${adminsLock})`;
  if (await hasAdmin({ db: tx })) throw notFound("link");
}
