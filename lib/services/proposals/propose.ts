import { createHash } from "node:crypto";
import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { batched, jsonOf, lockTimeoutOf } from "@/lib/engine/query-batcher";
import { newId } from "@/lib/engine/random";
import { forbidden, invalidRequest, tooManyPending } from "@/lib/protocol/errors";
import type { ProposalRequest } from "@/lib/protocol/requests";
import type { ProposedMemory } from "@/lib/protocol/resources";
import type { Decision } from "@/lib/rules/decide";
import { likeTextOf, senseOf } from "@/lib/rules/likeness/like-text";
import type { EventRow } from "../audit/record";
import { AuthorityChanged, type Claim, claimOf } from "../authority";
import { readFlags } from "../claims/read-flags";
import type { Ctx } from "../context";
import { decider, type OpenProfile, withProfile } from "../profile-gate";
import { refuseScopes } from "../refuse-scopes";

// Protocol 6, Propose.
const pendingMax = 100;
const proposalLifeMs = 7 * 24 * 60 * 60_000;

/** Spec, Endpoints 4. 200 instead of 201 where the same proposal was waiting already. */
export async function proposeMemory(
  ctx: Ctx,
  { did, ...proposal }: ProposalRequest & { did: string },
): Promise<{ status: 200 | 201; data: ProposedMemory }> {
  const scopes = [proposal.category];
  return withProfile(ctx, { verb: "proposeMemory", did, scopes }, async (open) => {
    const decision = decider(open, "propose")(proposal.category);
    const { reason } = decision;
    if (decision.outcome !== "granted") {
      return refuseScopes(ctx, open, [{ scope: proposal.category, ...unlessForPurpose(decision) }]);
    }
    const reasons = { [proposal.category]: reason };
    const outcome = { granted: scopes, reasons };
    const inserted = await rowOf({ ctx, open, proposal });
    let row: Settled | undefined;
    const waiting = await open.recordWith(outcome, async (event) => {
      const claim = claimOf(ctx, open.profile, [reason]);
      row = await proposals(ctx.pool, { ...claim, ...inserted, event });
      if (row === undefined) throw new AuthorityChanged();
      return row.id === null ? null : { ...row, id: row.id };
    });
    if (waiting === null) {
      if (row?.isRejected) throw await refuseRejected(open, row.reason);
      throw tooManyPending({ limit: pendingMax, resetAt: row?.roomAt ?? ctx.now, now: ctx.now });
    }
    const { id: proposalId, expiresAt, isNew } = waiting;
    const data = { proposalId, status: "pending", expiresAt: expiresAt.toISOString() } as const;
    return { status: isNew ? 201 : 200, data };
  });
}

// An owner consents to reading: asking helps only if a rule allows proposing for a purpose.
function unlessForPurpose({ reason }: Decision): Decision {
  return { outcome: reason.rule === "needs_purpose" ? "consent_required" : "denied", reason };
}

interface Proposing {
  ctx: Ctx;
  open: OpenProfile;
  proposal: ProposalRequest;
}

async function refuseRejected(open: OpenProfile, reason: string | null) {
  const status = "already_rejected";
  await open.record({ outcome: "PROF006", detail: { status } });
  const message =
    "The owner rejected this before, so it was not proposed again. Send what has changed instead.";
  const shared = reason === null ? {} : { reason };
  return invalidRequest([{ path: "content", message }], { status, ...shared });
}

async function rowOf({ ctx, open, proposal }: Proposing) {
  const { content, category, confidence, context } = proposal;
  const contentHash = createHash("sha256").update(content).digest("hex");
  const read = await readFlags(ctx.db, open.profile.id, { content, context });
  return {
    ...read,
    likeText: likeTextOf(content),
    sense: senseOf(content),
    id: newId("prop"),
    profileId: open.profile.id,
    agentDid: proposerOf(ctx),
    content,
    contentHash: `\\x${contentHash}`,
    category,
    confidence,
    context,
    proposedAt: ctx.now,
    expiresAt: new Date(ctx.now.getTime() + proposalLifeMs),
  };
}

interface Settled {
  id: string | null;
  expiresAt: Date;
  isNew: boolean;
  roomAt: Date | null;
  /** Whether the owner rejected the same of this agent before, and the reason that the agent may read. */
  isRejected: boolean;
  reason: string | null;
}

const proposals = batched<Claim & Awaited<ReturnType<typeof rowOf>> & { event: EventRow }, Settled>(
  {
    name: "proposals",
    keyOf: ({ profileId }) => profileId,
    // A claim without authority inserts nothing. The approval checks the room for categories: here, an agent
    // could learn about hidden ones.
    sql: (all) =>
      Prisma.sql`SELECT * FROM propose_all(${jsonOf(all)}::json, ${pendingMax}, ${lockTimeoutOf(all)})`,
  },
);

/** The proposals of one agent on one profile begin to wait one after the other; so does `propose_all`. */
export async function awaitTurns(
  tx: Tx,
  { profileId, agentDids }: { profileId: number; agentDids: readonly string[] },
): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(k.key)
     FROM (SELECT DISTINCT hashtextextended('propose ' || ${profileId}::int || ' ' || did, 0) AS key
           FROM unnest(${agentDids}::text[]) AS did ORDER BY key) k`;
}

function proposerOf({ caller }: Ctx): string {
  if (caller.kind === "agent" || caller.kind === "token" || caller.kind === "user") {
    return caller.did;
  }
  throw forbidden("Only a DID can propose; in the dashboard, add the memory.");
}
