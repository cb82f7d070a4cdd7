import { notFound } from "@/lib/protocol/errors";
import { boundedChange } from "../access/access-change";
import type { Ctx } from "../context";
import { changeProfile } from "../open-profile";

/** One purpose of one agent, ended at once; the event's id, for `restoreAccess`. */
export async function revokeReceipt(
  ctx: Ctx,
  { did, receiptId }: { did: string; receiptId: string },
): Promise<{ eventId: string }> {
  return changeProfile(ctx, { verb: "revokeReceipt", did }, async (open) => {
    const { client } = open;
    const { rows } = await client.query<{ agentDid: string; purposeType: string }>(
      `UPDATE "Receipt" SET "revokedAt" = $3
         WHERE id = $1 AND "profileId" = $2 AND "revokedAt" IS NULL AND "expiresAt" > $3
         RETURNING "agentDid", "purposeType"`,
      [receiptId, open.profile.id, ctx.now],
    );
    const [revoked] = rows;
    if (revoked === undefined) throw notFound("active receipt");
    const { agentDid, purposeType } = revoked;
    const eventId = await open.record({
      subjectId: receiptId,
      receiptId,
      purposeType,
      detail: { agentDid, ended: boundedChange({ receipts: [receiptId] }) },
    });
    return { eventId };
  });
}
