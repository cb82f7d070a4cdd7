import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { forgetDeliveries } from "../webhooks/enqueue";

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
export async function lockAgentsOf(tx: Tx, userId: string): Promise<void> {
  await tx.$executeRaw`SELECT FROM "Agent" WHERE "registeredBy" = ${userId}
       OR did IN (SELECT did FROM "Key" WHERE "addedBy" = ${userId} AND slot IS NOT NULL)
     ORDER BY did FOR NO KEY UPDATE`;
}

/** Suspensions for these reasons end with the person's own; an admin may give another reason instead. */
export const passingReasons: readonly string[] = [withUser, withAdmin];

// Which agents each change of their person suspends. A demoted admin may have approved an agent of their own, as a user.
const endings = {
  suspendedUser: { reason: withUser, which: { origin: "user", state: "active" } },
  suspendedAdmin: { reason: withAdmin, which: { origin: "admin", state: "active" } },
  demotedAdmin: {
    reason: withAdmin,
    which: { OR: [{ state: "active" }, { state: "suspended", stateReason: withUser }] },
  },
} satisfies Record<string, { reason: string; which: Prisma.AgentWhereInput }>;
type Of = { of: keyof typeof endings };

/** Suspends agents that they registered. Returns their DIDs. */
export async function suspendAgentsOf(tx: Tx, { userId, now, of }: Change & Of): Promise<string[]> {
  const { reason, which } = endings[of];
  const suspended = await tx.agent.updateManyAndReturn({
    where: { registeredBy: userId, ...which },
    data: { state: "suspended", stateReason: reason, updatedAt: now },
    select: { did: true },
  });
  return suspended.map(({ did }) => did);
}

/** Resumes the agents that `suspendAgentsOf` suspended for the same change. Returns their DIDs. */
export async function resumeAgentsOf(tx: Tx, { userId, now, of }: Change & Of): Promise<string[]> {
  const resumed = await tx.agent.updateManyAndReturn({
    where: { registeredBy: userId, state: "suspended", stateReason: endings[of].reason },
    data: { state: "active", stateReason: null, updatedAt: now },
    select: { did: true },
  });
  return resumed.map(({ did }) => did);
}

/**
 * The user is erased: what is left of their agents names nobody, and works once an admin resumes it. Agents
 * that another admin resumed after a demotion go on. Returns their DIDs.
 */
export async function leaveAgentsOf(
  tx: Tx,
  { userId, now, isAdmin }: Change & { isAdmin: boolean },
): Promise<string[]> {
  const goes = Prisma.sql`(origin = 'user' OR origin = 'admin' AND ${isAdmin}::boolean)`;
  // The address of a webhook is theirs as well.
  const hooks = await tx.$queryRaw<{ agentDid: string }[]>`DELETE FROM "Webhook" w USING "Agent" a
     WHERE a."registeredBy" = ${userId} AND a.origin = 'user' AND w."agentDid" = a.did
     RETURNING w."agentDid"`;
  await forgetDeliveries(
    tx,
    hooks.map(({ agentDid }) => agentDid),
  );
  const left = await tx.$queryRaw<{ did: string }[]>`
     UPDATE "Agent" SET "registeredBy" = NULL, "updatedAt" = ${now},
       state = CASE WHEN ${goes} THEN 'suspended' ELSE state END,
       "stateReason" = CASE WHEN ${goes} THEN ${withoutUser}::text ELSE "stateReason" END
     WHERE "registeredBy" = ${userId} RETURNING did`;
  await tx.key.updateMany({ where: { addedBy: userId }, data: { addedBy: "unknown" } });
  return left.map(({ did }) => did);
}

/** Revokes the keys that a former admin added to agents that are not their own. Returns how many. */
export async function revokeKeysBy(tx: Tx, { userId, now }: Change): Promise<number> {
  const { count } = await tx.key.updateMany({
    where: { addedBy: userId, slot: { not: null } },
    data: { slot: null, revokedAt: now },
  });
  return count;
}

/** SQL for whether a "Key" `k` signs as an agent that the person registered, or was added by them to another. */
export const isKeyOfAgents = (
  userId: string,
) => Prisma.sql`k.slot IS NOT NULL AND (k."addedBy" = ${userId}
  OR k.did IN (SELECT did FROM "Agent" WHERE "registeredBy" = ${userId}))`;

/** Revokes every key with which the person, or an intruder in their account, may sign as an agent. Returns how many. */
export async function revokeKeysOfAgents(tx: Tx, { userId, now }: Change): Promise<number> {
  await lockAgentsOf(tx, userId);
  const rowCount =
    await tx.$executeRaw`UPDATE "Key" k SET slot = NULL, "revokedAt" = ${now} WHERE ${isKeyOfAgents(userId)}`;
  return rowCount;
}
