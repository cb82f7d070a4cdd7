import type { PoolClient } from "pg";

// Agents that a user registered for themselves go with the user's account. Those that an admin registered, or that
// registered themselves, are nobody's. In the order in which everybody locks agents.

const withUser = "The person who registered it is suspended.";
const withoutUser = "The person who registered it has left.";

interface Change {
  userId: string;
  now: Date;
}

/** Part of a transaction that has locked the user. */
export async function suspendAgentsOf(client: PoolClient, { userId, now }: Change): Promise<void> {
  await client.query(
    `WITH theirs AS (
       SELECT did FROM "Agent" WHERE "registeredBy" = $1 AND origin = 'user' AND state = 'active'
       ORDER BY did FOR NO KEY UPDATE)
     UPDATE "Agent" a SET state = 'suspended', "stateReason" = $2, "updatedAt" = $3
     FROM theirs WHERE a.did = theirs.did`,
    [userId, withUser, now],
  );
}

/** Those that were suspended with the user; part of a transaction that has locked the user. */
export async function resumeAgentsOf(client: PoolClient, { userId, now }: Change): Promise<void> {
  await client.query(
    `WITH theirs AS (
       SELECT did FROM "Agent"
       WHERE "registeredBy" = $1 AND state = 'suspended' AND "stateReason" = $2
       ORDER BY did FOR NO KEY UPDATE)
     UPDATE "Agent" a SET state = 'active', "stateReason" = NULL, "updatedAt" = $3
     FROM theirs WHERE a.did = theirs.did`,
    [userId, withUser, now],
  );
}

/** The user is erased: what is left of their agents names nobody, and works once an admin resumes it. */
export async function leaveAgentsOf(client: PoolClient, { userId, now }: Change): Promise<void> {
  await client.query(
    `WITH theirs AS (
       SELECT did, origin = 'user' AND state <> 'pending' AS goes FROM "Agent"
       WHERE "registeredBy" = $1 ORDER BY did FOR NO KEY UPDATE)
     UPDATE "Agent" a SET "registeredBy" = NULL, "updatedAt" = $3,
       state = CASE WHEN goes THEN 'suspended' ELSE state END,
       "stateReason" = CASE WHEN goes THEN $2 ELSE "stateReason" END
     FROM theirs WHERE a.did = theirs.did`,
    [userId, withoutUser, now],
  );
}
