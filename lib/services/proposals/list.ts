import { Prisma } from "@/lib/engine/prisma-client/client";
import type { PageMeta } from "@/lib/protocol/answers/answer-meta";
import type { MemoryProposal, ProposalStatus } from "@/lib/protocol/resources";
import { scopeKey } from "@/lib/protocol/scope";
import { effectiveState } from "@/lib/rules/review";
import { withinBytes } from "../content";
import type { Ctx } from "../context";
import { type OpenProfile, withProfile } from "../profile-gate";
import { isPending } from "./pending";

export interface ProposalsQuery {
  did: string;
  status?: ProposalStatus;
  limit: number;
  offset: number;
}

/** Spec, Endpoints 5. An agent sees its own, and by a token those in categories that its scopes cover. */
export async function listProposals(
  ctx: Ctx,
  { did, status, limit, offset }: ProposalsQuery,
): Promise<{ data: MemoryProposal[]; meta: PageMeta }> {
  return withProfile(ctx, { verb: "listProposals", did }, async (open) => {
    const agentDid = agentOf(ctx, open);
    const filter = {
      profileId: open.profile.id,
      agentDid,
      status,
      now: ctx.now,
      prefixes: prefixesOf(ctx),
    };
    const rows = await ctx.shares.run(open.profile.ownerId, () =>
      ctx.db.$queryRaw<Page[]>(pageSql(filter, { limit, offset })),
    );
    const { proposals = [], total = 0 } = rows[0] ?? {};
    await open.record({ detail: { proposals: proposals.length } });
    const data = proposals.map((row) => proposalOf(row, { userDid: open.profile.did, ctx }));
    return { data, meta: { count: data.length, total, limit, offset } };
  });
}

interface Page {
  proposals: Row[];
  total: number;
}

interface Row {
  id: string;
  agentDid: MemoryProposal["agentDid"];
  content: string;
  category: string;
  confidence: number;
  context: string | null;
  status: ProposalStatus;
  proposedAt: string;
  expiresAt: string;
  heldAt: string | null;
  reviewedAt: string | null;
  reason: string | null;
  memoryId: string | null;
}

function agentOf({ caller }: Ctx, { extent }: OpenProfile): string | null {
  if (extent !== "own_only") return null;
  return caller.kind === "agent" || caller.kind === "token" ? caller.did : "";
}

/**
 * Returns prefixes of the categories that the token's scopes cover, with a dot at the end; null for other
 * callers.
 */
function prefixesOf({ caller }: Ctx): string[] | null {
  if (caller.kind !== "token") return null;
  return caller.scopes.map(scopeKey).map((key) => (key === "prof:*" ? "prof:" : `${key}.`));
}

function proposalOf(
  row: Row,
  { userDid, ctx }: { userDid: MemoryProposal["userDid"]; ctx: Ctx },
): MemoryProposal {
  const expiresAt = new Date(row.expiresAt);
  const { status, reason } = effectiveState({ ...row, expiresAt }, ctx.now);
  const reviewedAt = row.reviewedAt ?? (status === "pending" ? null : row.expiresAt);
  return {
    id: row.id,
    userDid,
    agentDid: row.agentDid,
    content: row.content,
    category: row.category,
    confidence: row.confidence,
    ...(row.context === null ? {} : { context: row.context }),
    status,
    proposedAt: instant(row.proposedAt),
    expiresAt: expiresAt.toISOString(),
    ...(reviewedAt === null ? {} : { reviewedAt: instant(reviewedAt) }),
    ...(reason === null ? {} : { reason }),
    ...(row.memoryId === null ? {} : { memoryId: row.memoryId }),
  };
}

function instant(text: string): string {
  return new Date(text).toISOString();
}

// Protocol 6, Expiry: the state is that of this instant, whatever the sweep has written down.
function matching({ profileId, agentDid, status, now, prefixes }: Filter): Prisma.Sql {
  return Prisma.sql`
    "profileId" = ${profileId} AND (${agentDid}::text IS NULL OR "agentDid" = ${agentDid})
    AND (${prefixes}::text[] IS NULL OR EXISTS (
      SELECT FROM unnest(${prefixes}::text[]) AS s (prefix) WHERE starts_with(category || '.', prefix)))
    AND CASE ${status ?? null}::text
      WHEN 'pending' THEN ${isPending(now)}
      WHEN 'approved' THEN status = 'approved'
      WHEN 'rejected' THEN status = 'rejected' OR (status = 'pending' AND NOT ${isPending(now)})
      ELSE true END`;
}

interface Filter {
  profileId: number;
  agentDid: string | null;
  status: ProposalStatus | undefined;
  now: Date;
  prefixes: string[] | null;
}

const pageSql = (
  filter: Filter,
  { limit, offset }: { limit: number; offset: number },
) => Prisma.sql`
  SELECT
    (SELECT coalesce(jsonb_agg(to_jsonb(page) ORDER BY "proposedAt" DESC, id DESC), '[]')
     FROM (SELECT id, "agentDid", content, category, confidence, context, status, "proposedAt",
             "expiresAt", "heldAt", "reviewedAt", reason,
             (SELECT m.id FROM "Memory" m WHERE m."proposalId" = p.id) AS "memoryId"
           FROM ${withinBytes({
             rows: Prisma.sql`SELECT * FROM "Proposal" WHERE ${matching(filter)}
              ORDER BY "proposedAt" DESC, id DESC LIMIT ${limit} OFFSET ${offset}`,
             order: Prisma.sql`"proposedAt" DESC, id DESC`,
             text: Prisma.sql`concat(content, context, reason)`,
           })} p) page) AS proposals,
    (SELECT count(*)::int FROM "Proposal" WHERE ${matching(filter)}) AS total`;
