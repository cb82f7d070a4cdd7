import type { ProposalStatus } from "@/lib/protocol/resources";

/** Spec, States and transitions: what a pending proposal becomes. */
export const reviewed = { approve: "approved", reject: "rejected" } as const;
export type ReviewAction = keyof typeof reviewed;

export interface ProposalState {
  status: ProposalStatus;
  expiresAt: Date;
  reason: string | null;
  /** Since when its time does not run, as it is held apart. */
  heldAt: Date | string | null;
}

/** Protocol 6: a pending proposal past its end counts as rejected, before the job stores that. */
export function effectiveState<P extends ProposalState>(proposal: P, now: Date): P {
  const isExpired =
    proposal.status === "pending" && proposal.heldAt === null && proposal.expiresAt <= now;
  return isExpired ? { ...proposal, status: "rejected", reason: "expired" } : proposal;
}
