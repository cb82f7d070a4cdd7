import { inTransaction } from "@/lib/engine/db";
import { newId } from "@/lib/engine/random";
import type { ProfileFact } from "@/lib/rules/may";
import { profileSubject, record, recordAdmin } from "../audit/record";
import type { Ctx } from "../context";
import { eraseAccount } from "../erasure/erase-account";
import { eraseProfile } from "../erasure/erase-profile";

/** Erases profiles as their owners did, one transaction each. */
export async function eraseProfiles({ db, now }: Ctx, dids: string[]): Promise<number> {
  const where = { did: { in: dids } };
  const found = await db.profile.findMany({ where, select: { id: true, did: true } });
  for (const profile of found) {
    await inTransaction(db, (tx) => eraseProfile(tx, { profile, now }));
  }
  return found.length;
}

/** Erases accounts with everything that is theirs. */
export async function eraseAccounts(ctx: Ctx, userIds: string[]): Promise<number> {
  for (const userId of userIds) {
    await inTransaction(ctx.db, (tx) => eraseAccount(tx, { ctx, userId }));
  }
  return userIds.length;
}

/**
 * Their present owner is not known, and the former one may not have them back, or may be erased. So a new account
 * keeps them, suspended, which nobody can sign in to: an admin transfers them from there.
 */
export async function holdTransferred(ctx: Ctx, dids: string[]): Promise<number> {
  const { db, now } = ctx;
  return inTransaction(db, async (tx) => {
    const ownerId = newId("usr");
    const email = `${ownerId}@transferred.invalid`.toLowerCase();
    const data = { id: ownerId, email, name: "Transferred profiles", createdAt: now };
    await tx.user.create({ data, select: { id: true } });
    const before = await tx.$queryRaw<(ProfileFact & { id: number })[]>`
      SELECT id, did, "ownerId", state FROM "Profile" WHERE did = ANY(${dids}::text[]) ORDER BY id FOR UPDATE`;
    const [verb, after] = ["transferProfile", { ownerId }];
    await tx.profile.updateMany({
      where: { did: { in: dids } },
      data: { ownerId, state: "suspended", updatedAt: now },
    });
    for (const profile of before) {
      const subjectId = profileSubject(profile.id);
      const from = { ownerId: profile.ownerId };
      await recordAdmin(tx, { ctx, event: { verb, subjectId, before: from, after } });
      await record(tx, { ctx, profile, event: { verb, detail: after } });
    }
    return before.length;
  });
}
