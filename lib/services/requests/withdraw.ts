import { invalidRequest } from "@/lib/protocol/errors";
import { changeByClaim, claimOf } from "../authority";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";
import { pendingAt } from "../proposals/pending";
import { type FollowedProposal, followProposal } from "./follow";

/** How a proposal reads that its agent took back: nobody reviewed it. */
export const withdrawn = "withdrawn";

/** An agent takes back a proposal that still waits. Of it and a review at the same time, one is first. */
export async function withdrawProposal(
  ctx: Ctx,
  { did, id }: { did: string; id: string },
): Promise<Pick<FollowedProposal, "id" | "state" | "reason">> {
  const { state } = await followProposal(ctx, { did, id });
  return withProfile(ctx, { verb: "withdrawProposal", did }, async (open) => {
    const { id: profileId, ownerId } = open.profile;
    const claim = claimOf(ctx, open.profile, []);
    return changeByClaim(ctx, { ownerId, claim }, async (tx) => {
      const { count } = await tx.proposal.updateMany({
        where: { id, profileId, ...pendingAt(ctx.now) },
        data: { status: "rejected", reviewedAt: ctx.now, reason: withdrawn, heldAt: null },
      });
      if (count === 0) throw decidedAlready(state);
      await open.record({ subjectId: id }, tx);
      return { id, state: "rejected" as const, reason: withdrawn };
    });
  });
}

function decidedAlready(state: FollowedProposal["state"]) {
  const how = state === "pending" ? "was decided in the meantime" : `was ${state} already`;
  const message = `This proposal ${how}; nothing was changed.`;
  return invalidRequest([{ path: "id", message }], { status: state });
}
