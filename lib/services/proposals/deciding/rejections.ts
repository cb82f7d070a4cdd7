import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { newId } from "@/lib/engine/random";
import { notFound } from "@/lib/protocol/errors";
import type { Category } from "@/lib/protocol/scope";
import { senseOf } from "@/lib/rules/likeness/like-text";
import type { Ctx } from "../../context";
import { changeProfile, withProfile } from "../../profile-gate";

/**
 * Hashes what a proposal says under a key of the profile, so that texts cannot be guessed by it; null while there is
 * no key. `propose_all` has the same expression.
 */
export const fingerprintOf = (profileId: number, sense: Prisma.Sql) => Prisma.sql`
  (SELECT sha256(k."rejectionKey" || sha256(k."rejectionKey" || convert_to(${sense}, 'UTF8')))
   FROM "Profile" k WHERE k.id = ${profileId})`;

interface Rejected {
  proposalId: string;
  profileId: number;
  agentDid: string;
  category: string;
  content: string;
  reason?: string;
  at: Date;
}

/** Remembers what the owner rejected, so that its agent is answered at once when it proposes the same again. */
export async function rememberRejection(
  tx: Tx,
  { proposalId, profileId, agentDid, category, content, reason, at }: Rejected,
): Promise<void> {
  await tx.$executeRaw`UPDATE "Profile"
    SET "rejectionKey" = sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
    WHERE id = ${profileId} AND "rejectionKey" IS NULL`;
  const fingerprint = fingerprintOf(profileId, Prisma.sql`${senseOf(content)}::text`);
  await tx.$executeRaw`
    INSERT INTO "Rejection" (id, "profileId", "agentDid", fingerprint, category, reason, "proposalId", "rejectedAt")
    VALUES (${newId("rej")}, ${profileId}, ${agentDid}, ${fingerprint}, ${category}, ${reason || null},
      ${proposalId}, ${at})
    ON CONFLICT ("profileId", "agentDid", fingerprint) DO UPDATE
    SET category = excluded.category, reason = excluded.reason, "proposalId" = excluded."proposalId",
      "rejectedAt" = excluded."rejectedAt"`;
}

/** Forgets a rejection that was undone. */
export async function forgetRejection(tx: Tx, proposalId: string): Promise<void> {
  await tx.rejection.deleteMany({ where: { proposalId } });
}

export interface Rejection {
  id: string;
  /** What was rejected, while its proposal is kept. */
  content: string | null;
  category: Category;
  reason: string | null;
  rejectedAt: Date;
  /** How often the agent proposed it again, and when last. */
  timesMet: number;
  lastMetAt: Date | null;
}

export interface Rejections {
  all: Rejection[];
  /** All of them, those too that are not listed. */
  count: number;
  timesMet: number;
}

const listedMax = 100;

/** Lists what the owner rejected of an agent, what it repeated last first. */
export async function listRejections(
  ctx: Ctx,
  { did, agentDid }: { did: string; agentDid: string },
): Promise<Rejections> {
  return withProfile(ctx, { verb: "reviewProposal", did }, async ({ profile }) => {
    const where = { profileId: profile.id, agentDid };
    const rows = await ctx.db.rejection.findMany({
      where,
      orderBy: [{ lastMetAt: { sort: "desc", nulls: "last" } }, { rejectedAt: "desc" }],
      take: listedMax,
      include: { proposal: { select: { content: true } } },
    });
    const { _count, _sum } = await ctx.db.rejection.aggregate({
      where,
      _count: true,
      _sum: { timesMet: true },
    });
    const all = rows.map(({ proposal, ...row }) => ({
      ...row,
      content: proposal?.content ?? null,
    }));
    return { all, count: _count, timesMet: _sum.timesMet ?? 0 };
  });
}

/** Lets the agent propose again what was rejected: it waits in the inbox like anything new. */
export async function liftRejection(
  ctx: Ctx,
  { did, rejectionId }: { did: string; rejectionId: string },
): Promise<void> {
  await changeProfile(ctx, { verb: "liftRejection", did }, async ({ tx, profile, record }) => {
    const where = { id: rejectionId, profileId: profile.id };
    const rejection = await tx.rejection.findUnique({
      where,
      select: { proposalId: true, category: true },
    });
    if (rejection === null) throw notFound("rejection");
    await tx.rejection.delete({ where, select: { id: true } });
    const { proposalId, category } = rejection;
    await record({ subjectId: proposalId, detail: { category } });
  });
}
