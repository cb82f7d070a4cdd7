import { notFound } from "@/lib/protocol/errors";
import type { ProposalStatus } from "@/lib/protocol/resources";
import type { Scope } from "@/lib/protocol/scope";
import { effectiveState } from "@/lib/rules/review";
import type { Ctx } from "../context";
import { type OpenProfile, withProfile } from "../profile-gate";
import { connectionOf } from "../receipts/ask-owner";
import { findInquiry, type Inquiry } from "./inquiry";

/** What became of an access request. `expired` and `ended` were granted: their time is over, or the owner ended it. */
export type AccessState = "waiting" | "granted" | "denied" | "expired" | "ended";

export interface FollowedAccess {
  id: string;
  state: AccessState;
  scopes: Scope[];
  grantedScopes: Scope[];
  /** When the grant ends; null is until the owner ends it. */
  expiresAt: Date | null;
  /** Until when the same question is answered by the refusal. */
  refusedUntil: Date | null;
  inquiry: Inquiry | null;
}

export interface FollowedProposal {
  id: string;
  state: ProposalStatus;
  reason: string | null;
  memoryId: string | null;
  expiresAt: Date;
  inquiry: Inquiry | null;
}

interface Following {
  did: string;
  id: string;
}

/** Tells an agent what became of its own access request; of several connections of a program, the one that made it. */
export function followAccess(ctx: Ctx, { did, id }: Following): Promise<FollowedAccess> {
  return withProfile(ctx, { verb: "followRequest", did }, async ({ profile, facts }) => {
    const row = await ctx.db.consentRequest.findUnique({
      where: {
        ...{ id, profileId: profile.id, agentDid: agentOf(facts) },
        tokenId: connectionOf(ctx.caller),
      },
      select: {
        ...{ id: true, status: true, scopes: true, grantedScopes: true, refusedUntil: true },
        policies: { select: { enabled: true, expiresAt: true } },
      },
    });
    if (row === null) throw notFound("request");
    const { status, policies, refusedUntil, ...request } = row;
    const isWhole = request.scopes.every((scope) => request.grantedScopes.includes(scope));
    const [grant] = policies;
    const expiresAt = grant?.expiresAt ?? null;
    const isOver = expiresAt !== null && expiresAt <= ctx.now;
    const granted = isOver ? "expired" : grant?.enabled ? "granted" : "ended";
    const state = { pending: "waiting", denied: "denied", granted }[status] as AccessState;
    const refused = isWhole ? null : refusedUntil;
    return {
      ...request,
      state,
      expiresAt,
      refusedUntil: refused,
      inquiry: await findInquiry(ctx.db, id),
    };
  });
}

/** Tells an agent what became of its own proposal. */
export function followProposal(ctx: Ctx, { did, id }: Following): Promise<FollowedProposal> {
  return withProfile(ctx, { verb: "followRequest", did }, async ({ profile, facts }) => {
    const row = await ctx.db.proposal.findUnique({
      where: { id, profileId: profile.id, agentDid: agentOf(facts) },
      select: {
        ...{ id: true, status: true, reason: true, expiresAt: true, heldAt: true },
        memory: { select: { id: true } },
      },
    });
    if (row === null) throw notFound("request");
    const { memory, ...proposal } = row;
    const { status: state, reason, expiresAt } = effectiveState(proposal, ctx.now);
    const inquiry = await findInquiry(ctx.db, id);
    return { id, state, reason, memoryId: memory?.id ?? null, expiresAt, inquiry };
  });
}

function agentOf(facts: OpenProfile["facts"]): string {
  return facts?.agent.did ?? "";
}
