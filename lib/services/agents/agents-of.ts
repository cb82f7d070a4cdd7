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

/** As which of the two somebody registered an agent. */
type RegisteredAs = "user" | "admin";

const reasons: Record<RegisteredAs, string> = { user: withUser, admin: withAdmin };

/** Suspends the agents that they registered as a user, or as an admin. Returns how many. */
export async function suspendAgentsOf(
  client: PoolClient,
  { userId, now, as }: Change & { as: RegisteredAs },
): Promise<number> {
  const { rowCount } = await client.query(
    `UPDATE "Agent" SET state = 'suspended', "stateReason" = $2, "updatedAt" = $3
     WHERE "registeredBy" = $1 AND origin = $4 AND state = 'active'`,
    [userId, reasons[as], now, as],
  );
  return rowCount ?? 0;
}

/** Resumes those that were suspended so. */
export async function resumeAgentsOf(
  client: PoolClient,
  { userId, now, as }: Change & { as: RegisteredAs },
): Promise<void> {
  await client.query(
    `UPDATE "Agent" SET state = 'active', "stateReason" = NULL, "updatedAt" = $3
     WHERE "registeredBy" = $1 AND state = 'suspended' AND "stateReason" = $2`,
    [userId, reasons[as], now],
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
  const goes = `(origin = 'user' OR origin = 'admin' AND $4) AND state <> 'pending'`;
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
