import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";

const reasons = {
  password: "The person who registered the agent has a new password: look at the address first.",
  formerAdmin: "An admin who had set it up is no longer an admin: look at the address first.",
};

export interface Pausing {
  userId: string;
  now: Date;
  because: keyof typeof reasons;
}

/**
 * Pauses the webhooks that somebody may have set up in a person's name: they hold what comes, until it is known that it
 * goes to the right address. Returns how many. Locks them, as `enqueue` does, so near the end of the transaction.
 */
export async function pauseWebhooksOf(tx: Tx, { userId, now, because }: Pausing): Promise<number> {
  const isOwn = Prisma.sql`EXISTS (SELECT FROM "Agent" a
    WHERE a.did = w."agentDid" AND a.origin = 'user' AND a."registeredBy" = ${userId})`;
  // A former admin's own agents are theirs as before.
  const isMeant = because === "password" ? isOwn : Prisma.sql`false`;
  return tx.$executeRaw`
    UPDATE "Webhook" SET state = 'paused', "stateReason" = ${reasons[because]}, lease = NULL, "dueAt" = NULL, "updatedAt" = ${now}
    WHERE "agentDid" = ANY(ARRAY(SELECT "agentDid" FROM "Webhook" w
      WHERE state = 'active' AND (${isMeant} OR NOT ${isOwn} AND EXISTS (SELECT FROM "AdminEvent" e
        WHERE e."adminId" = ${userId} AND e."subjectId" = w."agentDid" AND e.verb IN ('setWebhook', 'rotateWebhookSecret')))
      ORDER BY "agentDid" FOR NO KEY UPDATE))`;
}
