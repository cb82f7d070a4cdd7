import { Prisma } from "@/lib/engine/prisma-client/client";
import { forbidden, invalidRequest } from "@/lib/protocol/errors";
import type { ReviewedProposal } from "@/lib/protocol/resources";
import { type Category, sensitiveCategories } from "@/lib/protocol/scope";
import { guardVersion } from "@/lib/rules/guard/flags";
import type { ReviewAction } from "@/lib/rules/review";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import { tooManyCategories } from "../categories";
import type { Ctx } from "../context";
import { pageOf } from "../page";
import { changeProfile, withProfile } from "../profile-gate";
import { settle } from "../proposals/deciding/review";
import { doubtsAbout } from "../proposals/deciding/second-act";
import { isWaiting } from "../proposals/pending";
import { notifyAgents } from "../webhooks/notify-agents";
import { currentAt } from "./reviewers-of";

/** A proposal as a reviewer sees it: nothing of what the owner keeps. */
export interface ForReviewer {
  id: string;
  agent: NamedAgent;
  content: string;
  context: string | null;
  category: Category;
  confidence: number;
  proposedAt: Date;
}

interface Listing {
  did: string;
  after?: { at: Date; id: string };
  limit: number;
}

/** Lists what waits, oldest first, without what only its owner decides: sensitive, flagged, or imported. */
export async function listForReviewer(
  ctx: Ctx,
  { did, after, limit }: Listing,
): Promise<{ items: ForReviewer[]; next: { at: Date; id: string } | null }> {
  const { caller } = ctx;
  if (caller.kind !== "person") throw forbidden();
  return withProfile(ctx, { verb: "reviewForOwner", did }, async ({ profile }) => {
    const isAfter = after
      ? Prisma.sql`(p."proposedAt", p.id) > (${after.at}, ${after.id})`
      : Prisma.sql`true`;
    const rows = await ctx.db.$queryRaw<ForReviewer[]>`
      SELECT p.id, ${namedAgent("p")} AS agent, p.content, p.context, p.category, p.confidence, p."proposedAt"
      FROM "Proposal" p LEFT JOIN "Agent" a ON a.did = p."agentDid"
      WHERE p."profileId" = ${profile.id} AND ${isAfter} AND ${isForReviewer(ctx.now, caller.userId)}
      ORDER BY p."proposedAt", p.id LIMIT ${limit + 1}`;
    const { page, last } = pageOf(rows, { limit });
    const ids = page.map(({ id }) => id);
    const doubts = await doubtsAbout(ctx.db, { profileId: profile.id, ids });
    return {
      items: page.filter(({ id }) => doubts.get(id) === null),
      next: last === undefined ? null : { at: last.proposedAt, id: last.id },
    };
  });
}

// What an agent proposed here and nothing was noticed in, as the guard has read it. Not what the owner imported or
// wrote, and nothing of an agent that the reviewer runs.
const isForReviewer = (
  now: Date,
  userId: string,
) => Prisma.sql`(${isWaiting(now, Prisma.sql`p.`)} AND NOT p.imported
  AND p."agentDid" LIKE 'did:prof:agent:%' AND p.flags = '[]' AND p."guardVersion" = ${guardVersion}
  AND split_part(substr(p.category, 6), '.', 1) <> ALL (${sensitiveNames})
  AND NOT EXISTS (SELECT FROM "Agent" o WHERE o.did = p."agentDid" AND o."registeredBy" = ${userId}))`;

const sensitiveNames = sensitiveCategories.map((category) => category.slice("prof:".length));

interface Deciding {
  did: string;
  proposalId: string;
  action: ReviewAction;
  reason?: string;
}

/** A reviewer decides, and is named by it. */
export async function reviewForOwner(ctx: Ctx, deciding: Deciding): Promise<ReviewedProposal> {
  const { did, ...input } = deciding;
  const { caller } = ctx;
  if (caller.kind !== "person") throw forbidden();
  return changeProfile(ctx, { verb: "reviewForOwner", did }, async (open) => {
    const { tx, profile } = open;
    const reviewer = await tx.reviewer.findFirst({
      where: { profileId: profile.id, userId: caller.userId, ...currentAt(ctx.now) },
      select: { id: true },
    });
    if (reviewer === null) throw forbidden();
    const ids = [input.proposalId];
    const doubt = (await doubtsAbout(tx, { profileId: profile.id, ids })).get(input.proposalId);
    const theirs = await tx.$queryRaw<object[]>`
      SELECT p.id FROM "Proposal" p
      WHERE p.id = ${input.proposalId} AND p."profileId" = ${profile.id} AND ${isForReviewer(ctx.now, caller.userId)}`;
    if (doubt !== null || theirs.length === 0) {
      throw refused(
        "It does not wait any more, or only the owner decides it; nothing was changed.",
      );
    }
    const instead = { approvedBy: "reviewer", reviewerId: reviewer.id } as const;
    const reviewed = await settle({ ctx, open, input, instead });
    if (reviewed === null) throw refused("This proposal does not wait any more.");
    if (reviewed === "no_room") throw tooManyCategories();
    await notifyAgents(tx, ctx.now, { proposals: ids });
    return reviewed;
  });
}

function refused(message: string) {
  return invalidRequest([{ path: "proposalId", message }]);
}
