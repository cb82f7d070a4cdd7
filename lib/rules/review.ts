import type { ProposalStatus } from "@/lib/protocol/resources";

export type ReviewAction = "approve" | "reject";

export type ProposalState = { status: ProposalStatus; expiresAt: Date; reason: string | null };

export type Review =
  | { accepted: true; next: "approved" | "rejected"; makesMemory: boolean }
  | { accepted: false; status: "approved" | "rejected"; reason: string | null };

export const expiredReason = "expired";

// Spec, States and transitions: only a pending proposal moves, and an approval makes a memory.
export const transitions = {
  approve: { next: "approved", makesMemory: true },
  reject: { next: "rejected", makesMemory: false },
} as const;

type Input = { proposal: ProposalState; action: ReviewAction; now: Date };

export function review({ proposal, action, now }: Input): Review {
  const { status, reason } = effectiveState(proposal, now);
  return status === "pending"
    ? { accepted: true, ...transitions[action] }
    : { accepted: false, status, reason };
}

/** Protocol 6: past its end, pending counts as rejected, before any sweep writes it down. */
export function effectiveState<P extends ProposalState>(proposal: P, now: Date): P {
  const isExpired = proposal.status === "pending" && proposal.expiresAt <= now;
  return isExpired ? { ...proposal, status: "rejected", reason: expiredReason } : proposal;
}
