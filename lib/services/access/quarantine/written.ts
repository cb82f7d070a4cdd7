import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Did } from "@/lib/protocol/did";
import type { Category } from "@/lib/protocol/scope";
import type { Ctx } from "../../context";
import { changeProfile, withProfile } from "../../profile-gate";
import { type ApprovalsUndone, undoApprovals } from "../../proposals/deciding/undo-approvals";
import { holdProposals } from "./held";
import { isQuarantined } from "./quarantine-agent";

/** What the agent wrote in the last days, and what it proposed that is held. */
export interface Written {
  memories: WrittenMemory[];
  /** There are more than are listed. */
  isCut: boolean;
  held: { id: string; content: string; category: Category; proposedAt: Date }[];
}

export interface WrittenMemory {
  id: string;
  content: string;
  category: Category;
  createdAt: Date;
  /** Whether it was changed since it was approved: an undo leaves it. */
  isChanged: boolean;
}

export const writtenDays = [7, 30, 90] as const;
const writtenMax = 100;
const dayMs = 24 * 60 * 60_000;

interface Since {
  did: string;
  agentDid: Did;
  days: number;
}

export async function listWritten(ctx: Ctx, { did, agentDid, days }: Since): Promise<Written> {
  return withProfile(ctx, { verb: "browseMemories", did }, async ({ profile }) => {
    const memories = await ctx.db.$queryRaw<WrittenMemory[]>`
      SELECT m.id, m.content, m.category, m."createdAt",
        EXISTS (SELECT FROM "MemoryRevision" r WHERE r."memoryId" = m.id) AS "isChanged"
      ${keptSince({ profileId: profile.id, agentDid, from: since(ctx.now, days) })}
      ORDER BY m."createdAt" DESC, m.id LIMIT ${writtenMax + 1}`;
    const held = await ctx.db.proposal.findMany({
      where: { profileId: profile.id, agentDid, heldAt: { not: null } },
      select: { id: true, content: true, category: true, proposedAt: true },
      orderBy: [{ proposedAt: "desc" }, { id: "desc" }],
      take: writtenMax,
    });
    const isCut = memories.length > writtenMax;
    return { memories: memories.slice(0, writtenMax), isCut, held };
  });
}

// What the owner kept of the agent from then on.
const keptSince = (of: { profileId: number; agentDid: Did; from: Date }) => Prisma.sql`
  FROM "Proposal" p JOIN "Memory" m ON m."proposalId" = p.id
  WHERE p."profileId" = ${of.profileId} AND p."agentDid" = ${of.agentDid} AND p.status = 'approved'
    AND m."createdAt" > ${of.from} AND m."deletedAt" IS NULL AND m."archivedAt" IS NULL`;

function since(now: Date, days: number): Date {
  return new Date(now.getTime() - days * dayMs);
}

/** Undoes the newest approvals of the last days, as many as are listed. */
export async function undoWritten(
  ctx: Ctx,
  { did, agentDid, days }: Since,
): Promise<ApprovalsUndone> {
  return changeProfile(ctx, { verb: "reopenProposal", did }, async (open) => {
    const { tx, profile } = open;
    const rows = await tx.$queryRaw<{ proposalId: string }[]>`
      SELECT m."proposalId" ${keptSince({ profileId: profile.id, agentDid, from: since(ctx.now, days) })}
        AND NOT EXISTS (SELECT FROM "MemoryRevision" r WHERE r."memoryId" = m.id)
      ORDER BY m."createdAt" DESC, m.id LIMIT ${writtenMax}`;
    const ids = rows.map(({ proposalId }) => proposalId);
    const undone = await undoApprovals(ctx, open, ids);
    const whose = { profileId: profile.id, agentDid, now: ctx.now };
    if (await isQuarantined(tx, whose)) await holdProposals(tx, whose);
    await open.record({ subjectId: agentDid, detail: { agentDid, undone } });
    return undone;
  });
}
