import type { PoolClient } from "pg";
import { notFound } from "@/lib/protocol/errors";
import { sessionCaller } from "../accounts/sessions";
import { leaveAgentsOf, lockAgentsOf, revokeKeysBy } from "../agents/agents-of";
import type { Ctx } from "../context";
import { endTransfersOf } from "../transfers/complete";
import { tombstoneOf } from "./delete-profile";
import { type Erased, eraseProfile } from "./erase-profile";

export interface ErasedAccount {
  profiles: Erased[];
  /** Keys that they added to agents as an admin. */
  revokedKeys: number;
}

/** Part of a transaction with `admins: true`: erases the person, and everything that is theirs. */
export async function eraseAccount(
  client: PoolClient,
  { ctx, userId }: { ctx: Ctx; userId: string },
): Promise<ErasedAccount> {
  const { now } = ctx;
  // The person before the profiles: none may be added or handed over to them from here on.
  const { rows: people } = await client.query<{ isAdmin: boolean }>(
    `SELECT role = 'admin' AND state = 'active' AS "isAdmin" FROM "User" WHERE id = $1 FOR UPDATE`,
    [userId],
  );
  const [person] = people;
  if (person === undefined) throw notFound("user");
  // Agents before profiles, in the order in which everybody locks them.
  await lockAgentsOf(client, userId);
  const revokedKeys = await revokeKeysBy(client, { userId, now });
  await leaveAgentsOf(client, { userId, now, ...person });
  const { rows } = await client.query<Erased & { ownerId: string }>(
    `SELECT id, did, "ownerId" FROM "Profile" WHERE "ownerId" = $1
       OR id IN (SELECT "profileId" FROM "Transfer" WHERE $1 IN ("toUserId", "requestedBy"))
     ORDER BY id FOR UPDATE`,
    [userId],
  );
  const profiles = rows.filter(({ ownerId }) => ownerId === userId);
  await endTransfersOf(client, {
    ctx: { ...ctx, caller: { kind: "gateway" } },
    ...{ userId, as: ["toUserId", "requestedBy"], verb: "voidTransfer" },
  });
  for (const profile of profiles) await eraseProfile(client, { profile, now });
  await client.query(
    `DELETE FROM "OneTimeLink" l USING "User" u
     WHERE u.id = $1 AND (l.email = u.email OR l."createdBy" = u.id)`,
    [userId],
  );
  await client.query(`DELETE FROM "RateWindow" WHERE caller = $1`, [sessionCaller(userId)]);
  // Sessions and sign-ins elsewhere go with it.
  await client.query(`DELETE FROM "User" WHERE id = $1`, [userId]);
  return { profiles, revokedKeys };
}

/** What the log of the gateway says is gone. */
export function afterErasing({ profiles, revokedKeys }: ErasedAccount, before: Erased[]) {
  const revoked = revokedKeys === 0 ? {} : { revokedKeys };
  return { profiles: [...before, ...profiles].map(({ did }) => tombstoneOf(did)), ...revoked };
}
