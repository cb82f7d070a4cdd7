import type { PoolClient } from "pg";
import { recordAdmin } from "../audit/record";
import type { Ctx } from "../context";
import { tombstoneOf } from "./delete-profile";
import { type Erased, eraseProfile } from "./erase-profile";

/**
 * The first part of erasing an account: its profiles go one by one, each in a transaction of its own, so that nobody
 * waits for all of them. An admin keeps them until it is certain that they are not the last.
 */
export async function eraseProfilesOf(
  ctx: Ctx,
  userId: string,
  change: <T>(work: (client: PoolClient) => Promise<T>) => Promise<T>,
): Promise<Erased[]> {
  const erased: Erased[] = [];
  for (;;) {
    const profile = await change((client) => eraseNext(client, ctx, userId));
    if (profile === undefined) return erased;
    ctx.announce(profile.id);
    erased.push(profile);
  }
}

async function eraseNext(client: PoolClient, ctx: Ctx, userId: string) {
  const { rows } = await client.query<Erased>(
    `SELECT p.id, p.did FROM "Profile" p JOIN "User" u ON u.id = p."ownerId" AND u.role = 'user'
     WHERE u.id = $1 ORDER BY p.id LIMIT 1 FOR UPDATE OF p`,
    [userId],
  );
  const [profile] = rows;
  if (profile === undefined) return;
  await eraseProfile(client, { profile, now: ctx.now });
  const event = {
    verb: "deleteProfile",
    subjectId: tombstoneOf(profile.did),
    before: { ownerId: userId },
  };
  // A step of deleting the account, which is told of once it is gone.
  await recordAdmin(client, { ctx: { ...ctx, caller: { kind: "gateway" } }, event });
  return profile;
}
