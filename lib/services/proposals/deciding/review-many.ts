import { invalidRequest } from "@/lib/protocol/errors";
import type { ReviewedProposal } from "@/lib/protocol/resources";
import type { ReviewAction } from "@/lib/rules/review";
import type { Ctx } from "../../context";
import { changeProfile } from "../../profile-gate";
import { notifyAgents } from "../../webhooks/notify-agents";
import { isKept } from "../same-text";
import { settle } from "./review";
import { doubtsAbout } from "./second-act";

export const reviewedAtOnceMax = 100;

export interface ManyInput {
  did: string;
  proposalIds: readonly string[];
  action: ReviewAction;
  reason?: string;
}

/** Why a proposal was left as it was: sensitive, flagged and kept ones need a decision of their own. */
export type Left = "sensitive" | "flagged" | "kept" | "not_waiting" | "no_room" | "unknown";

export type ManyReviewed = ReviewedProposal | { proposalId: string; status: "left"; why: Left };

/** Reviews many proposals, each with an event of its own. Returns the result of each. */
export async function reviewMany(
  ctx: Ctx,
  { did, proposalIds, action, reason }: ManyInput,
): Promise<ManyReviewed[]> {
  return changeProfile(ctx, { verb: "reviewProposal", did }, async (open) => {
    const { tx } = open;
    const ids = [...new Set(proposalIds)];
    if (ids.length === 0 || ids.length > reviewedAtOnceMax) throw wrongCount();
    const doubts = await doubtsAbout(tx, { profileId: open.profile.id, ids });
    const became = new Map<string, ManyReviewed>();
    const leave = (proposalId: string, why: Left) =>
      became.set(proposalId, { proposalId, status: "left", why });
    // In one order, so that two of these at once never wait for each other.
    for (const proposalId of ids.toSorted()) {
      const doubt = doubts.get(proposalId);
      if (doubt === undefined) leave(proposalId, "unknown");
      else if (action === "approve" && doubt !== null) leave(proposalId, doubt);
      else if (action === "approve" && (await isKept(tx, proposalId))) leave(proposalId, "kept");
      else {
        const input = { proposalId, action, reason };
        const reviewed = await settle({ ctx, open, input });
        if (reviewed === null) leave(proposalId, "not_waiting");
        else if (reviewed === "no_room") leave(proposalId, "no_room");
        else became.set(proposalId, reviewed);
      }
    }
    const answers = ids.flatMap((id) => became.get(id) ?? []);
    const left = answers.filter(({ status }) => status === "left");
    if (left.length === answers.length) {
      await open.record({ outcome: "PROF006", detail: { action, left: ids.length } });
    }
    const decided = answers.filter((answer) => !left.includes(answer));
    await notifyAgents(tx, ctx.now, { proposals: decided.map(({ proposalId }) => proposalId) });
    return answers;
  });
}

function wrongCount() {
  const message = `Choose 1 to ${reviewedAtOnceMax} proposals.`;
  return invalidRequest([{ path: "proposalIds", message }]);
}
