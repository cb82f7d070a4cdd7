import type { PoolClient } from "pg";

// Agents that a user registered go with the user's account. Those that an admin registered wait for another admin once
// theirs is one no more: who registered them has their private keys. Keys that an admin added end with the admin.

const withUser = "The person who registered it is suspended.";
const withAdmin = "The admin who registered it is no longer an admin.";
const withoutUser = "The person who registered it has left.";

interface Change {
  userId: string;
  now: Date;
}

/**
 * Locks every agent that the changes below write, in the order in which everybody locks agents. Part of a transaction
 * that has locked the user: until it ends, they register no agent and add no key.
 */
export async function lockAgentsOf(client: PoolClient, userId: string): Promise<void> {
  await client.query(
    `SELECT FROM "Agent" WHERE "registeredBy" = $1
       OR did IN (SELECT did FROM "Key" WHERE "addedBy" = $1 AND slot IS NOT NULL)
     ORDER BY did FOR NO KEY UPDATE`,
    [userId],
  );
}

/** Reasons that end by themselves, unless an admin gives another one. */
export const passingReasons: readonly string[] = [withUser, withAdmin];

// A former admin may have approved and verified an agent of their own: it waits, too.
const endings = {
  suspendedUser: { reason: withUser, which: `origin = 'user' AND state = 'active'` },
  suspendedAdmin: { reason: withAdmin, which: `origin = 'admin' AND state = 'active'` },
  demotedAdmin: {
    reason: withAdmin,
    which: `(state = 'active' OR state = 'suspended' AND "stateReason" = '${withUser}')`,
  },
};
type Of = { of: keyof typeof endings };

/** Suspends agents that they registered. Returns how many. */
export async function suspendAgentsOf(
  client: PoolClient,
  { userId, now, of }: Change & Of,
): Promise<number> {
  const { reason, which } = endings[of];
  const { rowCount } = await client.query(
    `UPDATE "Agent" SET state = 'suspended', "stateReason" = $2, "updatedAt" = $3
     WHERE "registeredBy" = $1 AND ${which}`,
    [userId, reason, now],
  );
  return rowCount ?? 0;
}

/** Resumes those that were suspended so. */
export async function resumeAgentsOf(
  client: PoolClient,
  { userId, now, of }: Change & Of,
): Promise<void> {
  await client.query(
    `UPDATE "Agent" SET state = 'active', "stateReason" = NULL, "updatedAt" = $3
     WHERE "registeredBy" = $1 AND state = 'suspended' AND "stateReason" = $2`,
    [userId, endings[of].reason, now],
  );
}

/**
 * The user is erased: what is left of their agents names nobody, and works once an admin resumes it. What others have
 * resumed since its admin was one no more goes on.
 */
export async function leaveAgentsOf(
  client: PoolClient,
  { userId, now, isAdmin }: Change & { isAdmin: boolean },
): Promise<void> {
  const goes = `(origin = 'user' OR origin = 'admin' AND $4)`;
  await client.query(
    `UPDATE "Agent" SET "registeredBy" = NULL, "updatedAt" = $3,
       state = CASE WHEN ${goes} THEN 'suspended' ELSE state END,
       "stateReason" = CASE WHEN ${goes} THEN $2 ELSE "stateReason" END
     WHERE "registeredBy" = $1`,
    [userId, withoutUser, now, isAdmin],
  );
  await client.query(`UPDATE "Key" SET "addedBy" = 'unknown' WHERE "addedBy" = $1`, [userId]);
}

/** Revokes the keys that a former admin added to agents that are not their own. Returns how many. */
export async function revokeKeysBy(client: PoolClient, { userId, now }: Change): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE "Key" SET slot = NULL, "revokedAt" = $2 WHERE "addedBy" = $1 AND slot IS NOT NULL`,
    [userId, now],
  );
  return rowCount ?? 0;
}
