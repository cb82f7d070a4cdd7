import type { ProposalStatus } from "@/lib/protocol/resources";
import type { Category } from "@/lib/protocol/scope";
import { effectiveState } from "@/lib/rules/review";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import type { Ctx } from "../context";
import { onProfile } from "../open-profile";

export const inboxTabs = ["pending", "decided"] as const;
export type InboxTab = (typeof inboxTabs)[number];

export interface InboxItem {
  id: string;
  agent: NamedAgent;
  content: string;
  category: Category;
  confidence: number;
  context: string | null;
  status: ProposalStatus;
  proposedAt: Date;
  expiresAt: Date;
  /** When it was decided, or ran out. */
  decidedAt: Date | null;
  /** Null where nobody decided: it waits, or it ran out. */
  reviewedBy: string | null;
  reason: string | null;
  /** The memory it became, as it reads now. */
  memory: { id: string; content: string } | null;
}

export interface InboxPlace {
  at: Date;
  id: string;
}

export interface InboxAsked {
  did: string;
  tab: InboxTab;
  agentDid?: string;
  /** Itself and everything below. */
  category?: Category;
  after?: InboxPlace;
  limit: number;
}

export interface InboxPage {
  items: InboxItem[];
  next: InboxPlace | null;
  pending: number;
  decided: number;
}

/** The owner's view of what agents proposed: what waits by age, what is decided by its decision; newest first. */
export async function listInbox(ctx: Ctx, asked: InboxAsked): Promise<InboxPage> {
  return onProfile(ctx, { verb: "reviewProposal", did: asked.did }, async ({ profile }) => {
    const { tab, agentDid, category, after, limit } = asked;
    const { rows } = await ctx.pool.query<{ items: Row[]; pending: number; decided: number }>({
      name: `inbox-${tab}`,
      text: statements[tab],
      values: [
        profile.id,
        ctx.now,
        agentDid,
        category,
        category === undefined ? undefined : `${category}.`,
        after?.at,
        after?.id,
        limit + 1,
      ],
    });
    const { items = [], pending = 0, decided = 0 } = rows[0] ?? {};
    const shown = items.slice(0, limit).map((row) => itemOf(row, ctx.now));
    const last = items.length > limit ? shown.at(-1) : undefined;
    const next = last === undefined ? null : { at: last.decidedAt ?? last.proposedAt, id: last.id };
    return { items: shown, next, pending, decided };
  });
}

type Row = Omit<InboxItem, "proposedAt" | "expiresAt" | "decidedAt"> & {
  proposedAt: string;
  expiresAt: string;
  reviewedAt: string | null;
};

function itemOf({ reviewedAt, ...row }: Row, now: Date): InboxItem {
  const expiresAt = new Date(row.expiresAt);
  const state = effectiveState({ ...row, expiresAt }, now);
  const end = reviewedAt ?? (state.status === "pending" ? null : row.expiresAt);
  return {
    ...state,
    proposedAt: new Date(row.proposedAt),
    decidedAt: end === null ? null : new Date(end),
  };
}

// Decisions 6, Expiry: the state is that of this instant, whatever the sweep has written down.
const isPending = `(p.status = 'pending' AND p."expiresAt" > $2)`;
const decidedAt = `coalesce(p."reviewedAt", p."expiresAt")`;

const matching = `p."profileId" = $1 AND ($3::text IS NULL OR p."agentDid" = $3)
  AND ($4::text IS NULL OR p.category = $4 OR starts_with(p.category, $5))`;

function statement(condition: string, order: string): string {
  return `
    SELECT
      (SELECT coalesce(jsonb_agg(to_jsonb(page) - 'place' ORDER BY place DESC, id DESC), '[]')
       FROM (SELECT p.id, ${namedAgent("p")} AS agent, p.content, p.category, p.confidence,
               p.context, p.status, p."proposedAt", p."expiresAt", p."reviewedAt",
               p."reviewedBy", p.reason,
               (SELECT jsonb_build_object('id', m.id, 'content', m.content)
                FROM "Memory" m WHERE m."proposalId" = p.id AND m."deletedAt" IS NULL) AS memory,
               ${order} AS place
             FROM "Proposal" p LEFT JOIN "Agent" a ON a.did = p."agentDid"
             WHERE ${matching} AND ${condition}
               AND ($6::timestamptz IS NULL OR (${order}, p.id) < ($6, $7))
             ORDER BY ${order} DESC, p.id DESC LIMIT $8) page) AS items,
      (SELECT count(*)::int FROM "Proposal" p WHERE ${matching} AND ${isPending}) AS pending,
      (SELECT count(*)::int FROM "Proposal" p WHERE ${matching} AND NOT ${isPending}) AS decided`;
}

const statements: Record<InboxTab, string> = {
  pending: statement(isPending, `p."proposedAt"`),
  decided: statement(`NOT ${isPending}`, decidedAt),
};
