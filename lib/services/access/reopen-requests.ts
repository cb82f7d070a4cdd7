import { databaseCode, type Tx } from "@/lib/engine/db";
import type { Ctx } from "../context";
import type { GrantDelta } from "./grant-delta";

interface Reopening {
  ctx: Ctx;
  tx: Tx;
  profileId: number;
  change: { at: Date; ended: GrantDelta };
}

/**
 * Makes the requests that a change answered wait again, and returns their ids. An agent that has asked again has a
 * pending request already, or is asking at this moment: the index then refuses the old one, and the second look finds
 * the new one.
 */
export async function reopenRequests(taking: Reopening): Promise<string[]> {
  const { tx } = taking;
  await tx.$executeRaw`SAVEPOINT reopening`;
  try {
    return await reopenOnce(taking);
  } catch (error) {
    if (databaseCode(error) !== "23505") throw error;
    await tx.$executeRaw`ROLLBACK TO SAVEPOINT reopening`;
    return reopenOnce(taking);
  }
}

async function reopenOnce({ tx, profileId, change: { at, ended } }: Reopening) {
  const rows = await tx.$queryRaw<
    { id: string }[]
  >`UPDATE "ConsentRequest" c SET status = 'pending', "decidedAt" = NULL, "grantedScopes" = '{}',
       "refusedUntil" = NULL
     WHERE c."profileId" = ${profileId} AND c.id = ANY(${ended.requests ?? []}::text[]) AND c.status <> 'pending' AND c."decidedAt" = ${at}
       AND NOT EXISTS (SELECT FROM "ConsentRequest" o WHERE o."profileId" = c."profileId"
         AND o."agentDid" = c."agentDid" AND o."purposeType" = c."purposeType" AND o."tokenId" = c."tokenId" AND o.status = 'pending')
     RETURNING c.id`;
  return rows.map(({ id }) => id);
}

/** For requests that cannot wait again, because the agent has a newer one pending. */
export async function liftRefusals({ ctx, tx, profileId, change: { at, ended } }: Reopening) {
  const { count } = await tx.consentRequest.updateMany({
    where: {
      id: { in: [...(ended.requests ?? [])] },
      profileId,
      decidedAt: at,
      refusedUntil: { gt: ctx.now },
    },
    data: { refusedUntil: null },
  });
  return count;
}
