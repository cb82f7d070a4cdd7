import { newId } from "@/lib/engine/random";
import { forbidden, notFound } from "@/lib/protocol/errors";
import type { Ctx, Tx } from "../context";
import { type Account, createAccount, type NewAccount, refusingTaken } from "./accounts";
import { hashOpaque, mintOpaque } from "./opaque";

// Links that work once. The database keeps their hash, and decides who used one first.

const firstAdminMs = 60 * 60_000;
// Held while there may be a first admin: two instances that start at once make one link.
const firstAdminLock = 7_105_316_001n;

/** For the start of the gateway to tell whoever started it. Null when there is an admin. */
export async function issueFirstAdminLink({
  db,
  caller,
  now,
}: Ctx): Promise<{ token: string; expiresAt: Date } | null> {
  if (caller.kind !== "gateway") throw forbidden();
  const { token, tokenHash } = mintOpaque();
  const expiresAt = new Date(now.getTime() + firstAdminMs);
  return db.$transaction(async (tx) => {
    if (await hasAdmin(tx)) return null;
    await tx.oneTimeLink.deleteMany({ where: { purpose: "first_admin", usedAt: null } });
    await tx.oneTimeLink.create({
      data: { tokenHash, purpose: "first_admin", role: "admin", createdAt: now, expiresAt },
    });
    return { token, expiresAt };
  });
}

/** Whether the link would work now. Looking does not use it up: mail scanners and previews look. */
export async function isLinkLive({ db, now }: Ctx, token: string): Promise<boolean> {
  const where = { tokenHash: hashOpaque(token), usedAt: null, expiresAt: { gt: now } };
  return (await db.oneTimeLink.findUnique({ where, select: { purpose: true } })) !== null;
}

/** For whoever holds the link: makes the account it stands for, once. */
export async function redeemLink(
  ctx: Ctx,
  { token, namespace, ...account }: NewAccount & { token: string; namespace: string },
): Promise<Account> {
  const { db, now, requestId } = ctx;
  return refusingTaken(() =>
    db.$transaction(async (tx) => {
      const role = await useUp(tx, { token, now });
      const created = await createAccount(tx, ctx, { ...account, namespace, role });
      await tx.adminEvent.create({
        data: {
          id: newId("evt"),
          at: now,
          adminId: created.userId,
          verb: "becomeFirstAdmin",
          subjectId: created.userId,
          requestId,
        },
      });
      return created;
    }),
  );
}

async function useUp(tx: Tx, { token, now }: { token: string; now: Date }) {
  if (await hasAdmin(tx)) throw notFound("link");
  const tokenHash = hashOpaque(token);
  const { count } = await tx.oneTimeLink.updateMany({
    where: { tokenHash, purpose: "first_admin", usedAt: null, expiresAt: { gt: now } },
    data: { usedAt: now },
  });
  if (count === 0) throw notFound("link");
  const { role } = await tx.oneTimeLink.findUniqueOrThrow({ where: { tokenHash } });
  return role;
}

async function hasAdmin(tx: Tx): Promise<boolean> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${firstAdminLock})`;
  return (await tx.user.count({ where: { role: "admin" }, take: 1 })) > 0;
}
