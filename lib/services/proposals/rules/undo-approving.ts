import { notFound } from "@/lib/protocol/errors";
import type { Ctx } from "../../context";
import { changeProfile } from "../../profile-gate";
import { type ApprovalsUndone, undoApprovals } from "../deciding/undo-approvals";

/** Ends a rule and undoes all that it approved. */
export async function undoApproving(
  ctx: Ctx,
  { did, ruleId }: { did: string; ruleId: string },
): Promise<ApprovalsUndone> {
  return changeProfile(ctx, { verb: "reopenProposal", did }, async (open) => {
    const { tx, profile } = open;
    const where = { id: ruleId, profileId: profile.id };
    const include = { proposals: { select: { id: true } } };
    const rule = await tx.approveRule.findUnique({ where, include });
    if (rule === null) throw notFound("rule");
    await tx.approveRule.updateMany({
      where: { ...where, endedAt: null },
      data: { endedAt: ctx.now },
    });
    const ids = rule.proposals.map(({ id }) => id);
    const undone = await undoApprovals(ctx, open, ids);
    const detail = { agentDid: rule.agentDid, undone };
    await open.record({ subjectId: ruleId, detail });
    return undone;
  });
}
