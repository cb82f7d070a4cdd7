import type { PoolClient } from "pg";

// Agents that a user registered for themselves go with the user's account. Those that an admin registered, or that
// registered themselves, are nobody's: of those only the keys that an admin added end with the admin.

const withUser = "The person who registered it is suspended.";
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

export async function suspendAgentsOf(client: PoolClient, { userId, now }: Change): Promise<void> {
  await client.query(
    `UPDATE "Agent" SET state = 'suspended', "stateReason" = $2, "updatedAt" = $3
     WHERE "registeredBy" = $1 AND origin = 'user' AND state = 'active'`,
    [userId, withUser, now],
  );
}

/** Resumes those that were suspended with the user. */
export async function resumeAgentsOf(client: PoolClient, { userId, now }: Change): Promise<void> {
  await client.query(
    `UPDATE "Agent" SET state = 'active', "stateReason" = NULL, "updatedAt" = $3
     WHERE "registeredBy" = $1 AND state = 'suspended' AND "stateReason" = $2`,
    [userId, withUser, now],
  );
}

/** The user is erased: what is left of their agents names nobody, and works once an admin resumes it. */
export async function leaveAgentsOf(client: PoolClient, { userId, now }: Change): Promise<void> {
  const goes = `origin = 'user' AND state <> 'pending'`;
  await client.query(
    `UPDATE "Agent" SET "registeredBy" = NULL, "updatedAt" = $3,
       state = CASE WHEN ${goes} THEN 'suspended' ELSE state END,
       "stateReason" = CASE WHEN ${goes} THEN $2 ELSE "stateReason" END
     WHERE "registeredBy" = $1`,
    [userId, withoutUser, now],
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
