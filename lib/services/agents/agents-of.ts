import type { PoolClient } from "pg";

// The person who registered an agent may have its private keys. So a user's agents are suspended with the account,
// and an admin's once that admin is suspended, demoted or erased. Keys that an admin added to other agents are revoked.

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

/** Suspensions for these reasons end with the person's own; an admin may give another reason instead. */
export const passingReasons: readonly string[] = [withUser, withAdmin];

// Which agents each change of their person suspends. A demoted admin may have approved an agent of their own, as a user.
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

/** Resumes the agents that `suspendAgentsOf` suspended for the same change. */
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
 * The user is erased: what is left of their agents names nobody, and works once an admin resumes it. Agents
 * that another admin resumed after a demotion go on.
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

/** SQL for whether a "Key" `k` signs as an agent that the person registered, or was added by them to another. */
export const isKeyOfAgents = (userId: string) => `k.slot IS NOT NULL AND (k."addedBy" = ${userId}
  OR k.did IN (SELECT did FROM "Agent" WHERE "registeredBy" = ${userId}))`;

/** Revokes every key with which the person, or whoever was in their account, may sign as an agent. Returns how many. */
export async function revokeKeysOfAgents(
  client: PoolClient,
  { userId, now }: Change,
): Promise<number> {
  await lockAgentsOf(client, userId);
  const { rowCount } = await client.query(
    `UPDATE "Key" k SET slot = NULL, "revokedAt" = $2 WHERE ${isKeyOfAgents("$1")}`,
    [userId, now],
  );
  return rowCount ?? 0;
}
