import { inBackgroundTransaction, type Tx } from "@/lib/engine/db";
import type { Engine } from "@/lib/engine/engine";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { deniesAll } from "../denial/deny-all";

/** A condition on a "Policy": it is the quarantine of one agent. */
export const isQuarantine = Prisma.sql`(origin = 'quarantine' AND ${deniesAll})`;

interface Whose {
  profileId: number;
  agentDid: string;
  now: Date;
}

/** Holds what an agent proposed apart from what its owner decides. Part of a change that has locked the profile. */
export function holdProposals(tx: Tx, { profileId, agentDid, now }: Whose): Promise<number> {
  return tx.$executeRaw`
    UPDATE "Proposal" SET "heldAt" = ${now}
    WHERE "profileId" = ${profileId} AND "agentDid" = ${agentDid} AND status = 'pending' AND "heldAt" IS NULL
      AND "expiresAt" > ${now}`;
}

/** Has them wait again for as long as they still had, unless another reason holds them. */
export function releaseProposals(tx: Tx, { profileId, agentDid, now }: Whose): Promise<number> {
  return tx.$executeRaw`
    UPDATE "Proposal" SET "expiresAt" = "expiresAt" + (${now}::timestamptz - "heldAt"), "heldAt" = NULL
    WHERE "profileId" = ${profileId} AND "agentDid" = ${agentDid} AND "heldAt" IS NOT NULL AND NOT ${isHeldApart}`;
}

const isHeldApart = Prisma.sql`(
  EXISTS (SELECT FROM "Agent" a WHERE a.did = "Proposal"."agentDid" AND a.state = 'suspended')
  OR EXISTS (SELECT FROM "Policy" q WHERE q."profileId" = "Proposal"."profileId"
    AND q."agentPattern" = "Proposal"."agentDid" AND ${isQuarantine}))`;

const heldAtOnce = 100;
const releasedAtOnce = 20;

/**
 * Job: holds what suspended agents proposed, in all profiles, and releases what nothing holds any more: its agent was
 * resumed, or the rule of its quarantine was removed.
 */
export async function reconcileHeld(engine: Engine): Promise<number> {
  const { db } = engine;
  const now = engine.now();
  const held = await inBackgroundTransaction(
    db,
    (tx) => tx.$executeRaw`
      UPDATE "Proposal" SET "heldAt" = ${now}
      WHERE id = ANY (ARRAY(
        SELECT p.id FROM "Agent" a
        JOIN "Proposal" p ON p."agentDid" = a.did AND p.status = 'pending' AND NOT p.imported
          AND p."heldAt" IS NULL AND p."expiresAt" > ${now}
        WHERE a.state = 'suspended' LIMIT ${heldAtOnce} FOR UPDATE OF p SKIP LOCKED))`,
  );
  const free = await db.$queryRaw<{ profileId: number; agentDid: string }[]>`
    SELECT DISTINCT "profileId", "agentDid" FROM "Proposal"
    WHERE "heldAt" IS NOT NULL AND NOT ${isHeldApart} LIMIT ${releasedAtOnce}`;
  let released = 0;
  for (const { profileId, agentDid } of free) {
    released += await inBackgroundTransaction(db, async (tx) => {
      // Its owner may be quarantining it at the same time.
      await tx.$executeRaw`SELECT FROM "Profile" WHERE id = ${profileId} FOR NO KEY UPDATE`;
      return releaseProposals(tx, { profileId, agentDid, now });
    });
  }
  return held + released;
}
