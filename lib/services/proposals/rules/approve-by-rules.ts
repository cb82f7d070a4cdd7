import type { Engine } from "@/lib/engine/engine";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Did } from "@/lib/protocol/did";
import { GatewayError } from "@/lib/protocol/errors";
import { type Category, covers, isSensitive } from "@/lib/protocol/scope";
import { guardVersion } from "@/lib/rules/guard/flags";
import { nameFlags } from "@/lib/rules/guard/name-flags";
import { findShutOut } from "../../access/quarantine/find-shut-out";
import { type Ctx, contextOf } from "../../context";
import { changeProfile, type OpenChange } from "../../profile-gate";
import { notifyAgents } from "../../webhooks/notify-agents";
import { settle } from "../deciding/review";
import { isWaiting } from "../pending";
import { resemblances } from "../resembling";

/** How many proposals a run looks at. */
export const decidedAtOnce = 20;

interface Candidate {
  id: string;
  agentDid: Did;
  did: string;
}

/** Job: approves what rules let the gateway approve, and leaves everything else to the owners. */
export async function approveByRules(engine: Engine): Promise<number> {
  const ctx = contextOf(engine, { kind: "gateway" });
  const candidates = await ctx.db.$queryRaw<Candidate[]>`
    SELECT id, "agentDid", did FROM (SELECT DISTINCT p.id, p."agentDid", o.did FROM "ApproveRule" r
    JOIN "Profile" o ON o.id = r."profileId" AND o.state = 'active'
    JOIN "Agent" a ON a.did = r."agentDid" AND a.state = 'active'
    CROSS JOIN LATERAL (
      SELECT p.id, p."agentDid" FROM "Proposal" p
      WHERE p."profileId" = r."profileId" AND p."agentDid" = r."agentDid" AND ${isCandidate(ctx.now)}
        AND p."proposedAt" >= r."createdAt"
      ORDER BY p."proposedAt", p.id LIMIT ${decidedAtOnce}) p
    WHERE ${isLive(ctx.now)}) c ORDER BY random() LIMIT ${decidedAtOnce}`;
  for (const candidate of candidates) {
    // What fails is tried again at the next turn; the others go on.
    await decide(ctx, candidate).catch((error: unknown) => {
      if (!isGone(error)) engine.log.error("a rule was not applied", { error });
    });
  }
  return candidates.length;
}

/** A condition on `"Proposal" p`: rules have not looked at it, and a job has read it. */
const isCandidate = (
  now: Date,
) => Prisma.sql`(${isWaiting(now, Prisma.sql`p.`)} AND NOT p."leftByRules"
  AND p."batchId" IS NULL AND p."likeText" IS NOT NULL AND p."guardVersion" = ${guardVersion})`;

/** A condition on `"ApproveRule" r`. */
const isLive = (now: Date) =>
  Prisma.sql`(r."endedAt" IS NULL AND r."expiresAt" > ${now} AND r.uses < r."usesMax")`;

function isGone(error: unknown): boolean {
  return error instanceof GatewayError && error.code === "PROF003";
}

async function decide(ctx: Ctx, { id, agentDid, did }: Candidate): Promise<void> {
  const asking = { verb: "approveByRule", did, readsAgents: [agentDid] } as const;
  await changeProfile(ctx, asking, async (open) => {
    const { tx } = open;
    const weighed = await weigh(ctx, open, id);
    if (weighed === undefined) return;
    const ruleId = await ruleFor(ctx, open, weighed);
    const reviewed =
      ruleId === null || !(await takeUse(ctx, open, ruleId))
        ? null
        : await settle({
            ctx,
            open,
            input: { proposalId: id, action: "approve" },
            instead: { approvedBy: "rule", ruleId },
          });
    if (reviewed === null || reviewed === "no_room") {
      await tx.proposal.updateMany({
        where: { id, status: "pending" },
        data: { leftByRules: true },
      });
    } else await notifyAgents(tx, ctx.now, { proposals: [id] });
  });
}

interface Weighed {
  id: string;
  agentDid: Did;
  category: Category;
  confidence: number;
  proposedAt: Date;
  isPlain: boolean;
  agentName: string;
  rules: { id: string; categories: Category[]; confidenceMin: number; createdAt: string }[];
}

/** Locks a proposal, and loads what it is weighed by; undefined where it does not wait for rules any more. */
async function weigh(
  ctx: Ctx,
  { tx, profile }: OpenChange,
  id: string,
): Promise<Weighed | undefined> {
  const [weighed] = await tx.$queryRaw<Weighed[]>`
    SELECT p.id, p."agentDid", p.category, p.confidence, p."proposedAt", p.flags = '[]' AS "isPlain", a.name AS "agentName",
      (SELECT coalesce(json_agg(r ORDER BY r."createdAt"), '[]') FROM "ApproveRule" r
       WHERE r."profileId" = ${profile.id} AND r."agentDid" = p."agentDid" AND ${isLive(ctx.now)}) AS rules
    FROM "Proposal" p JOIN "Agent" a ON a.did = p."agentDid" AND a.state = 'active'
    WHERE p.id = ${id} AND p."profileId" = ${profile.id} AND ${isCandidate(ctx.now)} FOR UPDATE OF p`;
  return weighed;
}

/** Returns the rule that approves the proposal; null where it is left to its owner. */
async function ruleFor(
  ctx: Ctx,
  { tx, profile }: OpenChange,
  weighed: Weighed,
): Promise<string | null> {
  const { id, agentDid, category, confidence, proposedAt, isPlain, agentName, rules } = weighed;
  const rule = rules.find(
    ({ categories, confidenceMin, createdAt }) =>
      categories.some((one) => covers(one, category)) &&
      confidence >= confidenceMin &&
      proposedAt >= new Date(createdAt),
  );
  const isOwners = !isPlain || isSensitive(category) || nameFlags(agentName).length > 0;
  if (rule === undefined || isOwners) return null;
  const { blockedBy, quarantinedAt } = await findShutOut(tx, { profileId: profile.id, agentDid });
  if (blockedBy !== null || quarantinedAt !== null) return null;
  const comparing = { profileId: profile.id, ids: [id], now: ctx.now };
  const like = (await resemblances(tx, comparing)).get(id);
  return like?.near.length === 0 && like.rejectedAt === null ? rule.id : null;
}

async function takeUse(ctx: Ctx, { tx }: OpenChange, ruleId: string): Promise<boolean> {
  const taken = await tx.$executeRaw`
    UPDATE "ApproveRule" r SET uses = uses + 1 WHERE r.id = ${ruleId} AND ${isLive(ctx.now)}`;
  return taken === 1;
}
