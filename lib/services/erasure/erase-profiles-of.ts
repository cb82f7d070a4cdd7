import type { Tx } from "@/lib/engine/db";
import { profilesPerUserMax } from "../accounts/new-profile";
import { recordAdmin } from "../audit/record";
import type { Ctx } from "../context";
import { enqueue } from "../webhooks/enqueue";
import { tombstoneOf } from "./delete-profile";
import { type Erased, eraseProfile } from "./erase-profile";

/**
 * The first part of erasing an account: its profiles, one transaction each, so that nobody waits for all. An
 * admin keeps theirs until it is certain that another admin remains; those, and any that arrive later, go
 * with the account.
 */
export async function eraseProfilesOf(
  ctx: Ctx,
  userId: string,
  change: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
): Promise<Erased[]> {
  const erased: Erased[] = [];
  while (erased.length < profilesPerUserMax) {
    const profile = await change((tx) => eraseNext(tx, ctx, userId));
    if (profile === undefined) break;
    ctx.announce(profile.id);
    erased.push(profile);
  }
  return erased;
}

async function eraseNext(tx: Tx, ctx: Ctx, userId: string) {
  const rows = await tx.$queryRaw<
    Erased[]
  >`SELECT p.id, p.did FROM "Profile" p JOIN "User" u ON u.id = p."ownerId" AND u.role = 'user'
     WHERE u.id = ${userId} ORDER BY p.id LIMIT 1 FOR UPDATE OF p`;
  const [profile] = rows;
  if (profile === undefined) return;
  const events = await eraseProfile(tx, { profile, now: ctx.now });
  const event = {
    verb: "deleteProfile",
    subjectId: tombstoneOf(profile.did),
    before: { ownerId: userId },
  };
  // A step of deleting the account, which has an event of its own.
  await recordAdmin(tx, { ctx: { ...ctx, caller: { kind: "gateway" } }, event });
  await enqueue(tx, { now: ctx.now, events });
  return profile;
}
