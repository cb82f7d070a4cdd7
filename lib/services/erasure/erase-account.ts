import type { PoolClient } from "pg";
import { notFound } from "@/lib/protocol/errors";
import { sessionCaller } from "../accounts/sessions";
import { type Erased, eraseProfile } from "./erase-profile";

/** Part of a transaction that holds `lockAdmins`: the person, and everything that is theirs. */
export async function eraseAccount(
  client: PoolClient,
  { userId, now }: { userId: string; now: Date },
): Promise<Erased[]> {
  // The person before the profiles: none may be added or handed over to them from here on.
  const person = await client.query(`SELECT FROM "User" WHERE id = $1 FOR UPDATE`, [userId]);
  if (person.rowCount === 0) throw notFound("user");
  // Agents before profiles, in the order in which everybody locks them.
  await client.query(
    `WITH theirs AS (SELECT did FROM "Agent" WHERE "registeredBy" = $1 ORDER BY did FOR NO KEY UPDATE)
     UPDATE "Agent" a SET "registeredBy" = NULL FROM theirs WHERE a.did = theirs.did`,
    [userId],
  );
  const { rows: profiles } = await client.query<Erased>(
    `SELECT id, did FROM "Profile" WHERE "ownerId" = $1 ORDER BY id FOR UPDATE`,
    [userId],
  );
  for (const profile of profiles) await eraseProfile(client, { profile, now });
  await client.query(
    `DELETE FROM "OneTimeLink" l USING "User" u
     WHERE u.id = $1 AND (l.email = u.email OR l."createdBy" = u.id)`,
    [userId],
  );
  for (const table of ["RateHit", "RateWindow"]) {
    await client.query(`DELETE FROM "${table}" WHERE caller = $1`, [sessionCaller(userId)]);
  }
  // Sessions, sign-ins elsewhere and transfers go with it.
  await client.query(`DELETE FROM "User" WHERE id = $1`, [userId]);
  return profiles;
}
