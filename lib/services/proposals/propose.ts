import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import { inTransaction } from "@/lib/engine/db";
import { newId } from "@/lib/engine/random";
import { forbidden, tooManyPending } from "@/lib/protocol/errors";
import type { ProposalRequest } from "@/lib/protocol/requests";
import type { ProposedMemory } from "@/lib/protocol/resources";
import type { Ctx } from "../context";
import { decider, type OpenProfile, onProfile } from "../open-profile";
import { refuseScopes } from "../refuse-scopes";

// Decisions 6, Propose.
const pendingMax = 100;
const proposalLifeMs = 7 * 24 * 60 * 60_000;

/** Spec, Endpoints 4. 200 instead of 201 where the same proposal was waiting already. */
export async function proposeMemory(
  ctx: Ctx,
  { did, ...proposal }: ProposalRequest & { did: string },
): Promise<{ status: 200 | 201; data: ProposedMemory }> {
  const scopes = [proposal.category];
  return onProfile(ctx, { verb: "proposeMemory", did, scopes }, async (open) => {
    const decision = decider(open, "propose")(proposal.category);
    const { outcome, reason } = decision;
    if (outcome !== "granted") {
      return refuseScopes(ctx, open, [{ scope: proposal.category, reason }]);
    }
    const reasons = { [proposal.category]: reason };
    return inTransaction(ctx.pool, async (client) => {
      const waiting = await store(client, { ctx, open, proposal });
      const subjectId = waiting.data.proposalId;
      await open.record(client, { granted: scopes, reasons, subjectId });
      return waiting;
    });
  });
}

interface Storing {
  ctx: Ctx;
  open: OpenProfile;
  proposal: ProposalRequest;
}

async function store(client: PoolClient, { ctx, open, proposal }: Storing) {
  const proposer = proposerOf(ctx);
  const contentHash = createHash("sha256").update(proposal.content).digest();
  await awaitTurn(client, open.profile.id, proposer);
  const { rows } = await client.query<{ pending: number; same: Waiting | null; nextEnd: Date }>({
    name: "pending-proposals",
    text: `SELECT count(*)::int AS pending, min("expiresAt") AS "nextEnd",
             (array_agg(jsonb_build_object('id', id, 'expiresAt', "expiresAt"))
              FILTER (WHERE category = $4 AND "contentHash" = $5))[1] AS same
           FROM "Proposal"
           WHERE "profileId" = $1 AND "agentDid" = $2 AND status = 'pending' AND "expiresAt" > $3`,
    values: [open.profile.id, proposer, ctx.now, proposal.category, contentHash],
  });
  const { pending = 0, same = null, nextEnd = ctx.now } = rows[0] ?? {};
  if (same !== null) return { status: 200 as const, data: proposed(same) };
  if (pending >= pendingMax) {
    throw tooManyPending({ limit: pendingMax, resetAt: nextEnd, now: ctx.now });
  }
  const made = await insert(client, { ctx, open, proposal, proposer, contentHash });
  return { status: 201 as const, data: proposed(made) };
}

/** The proposals of one agent on one profile begin to wait one after the other. */
export async function awaitTurn(
  client: PoolClient,
  profileId: number,
  agentDid: string,
): Promise<void> {
  await client.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('propose ' || $1 || ' ' || $2, 0))`,
    [profileId, agentDid],
  );
}

interface Waiting {
  id: string;
  expiresAt: string | Date;
}

type Inserting = Storing & { proposer: string; contentHash: Buffer };

// One that ran out but was not swept yet still holds the place of the same content: it makes room.
async function insert(client: PoolClient, inserting: Inserting): Promise<Waiting> {
  const { ctx, open, proposal, proposer, contentHash } = inserting;
  const { category, content, confidence, context } = proposal;
  const made = { id: newId("prop"), expiresAt: new Date(ctx.now.getTime() + proposalLifeMs) };
  await client.query({
    name: "expire-same-proposal",
    text: `UPDATE "Proposal" SET status = 'rejected', "reviewedAt" = "expiresAt", reason = 'expired'
           WHERE "profileId" = $1 AND "agentDid" = $2 AND category = $3 AND "contentHash" = $4
             AND status = 'pending' AND "expiresAt" <= $5`,
    values: [open.profile.id, proposer, category, contentHash, ctx.now],
  });
  await client.query({
    name: "insert-proposal",
    text: `INSERT INTO "Proposal" (id, "profileId", "agentDid", content, "contentHash", category,
             confidence, context, "proposedAt", "expiresAt")
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      made.id,
      open.profile.id,
      proposer,
      content,
      contentHash,
      category,
      confidence,
      context,
      ctx.now,
      made.expiresAt,
    ],
  });
  return made;
}

function proposed({ id, expiresAt }: Waiting): ProposedMemory {
  return { proposalId: id, status: "pending", expiresAt: new Date(expiresAt).toISOString() };
}

function proposerOf({ caller }: Ctx): string {
  if (caller.kind === "agent" || caller.kind === "token" || caller.kind === "user") {
    return caller.did;
  }
  throw forbidden("Only a DID can propose; in the dashboard, add the memory.");
}
