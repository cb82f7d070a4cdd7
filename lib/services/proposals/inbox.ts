import type { Pool, PoolClient } from "pg";
import type { ProposalStatus } from "@/lib/protocol/resources";
import type { Category } from "@/lib/protocol/scope";
import { effectiveState } from "@/lib/rules/review";
import { type NamedAgent, namedAgent } from "../access/named-agent";
import { type Ctx, inSearch } from "../context";
import { onProfile } from "../open-profile";
import { pageOf } from "../page";
import { isReopenable } from "./reopen";

export const inboxTabs = ["pending", "decided"] as const;
export type InboxTab = (typeof inboxTabs)[number];

export const inboxOrders = {
  pending: ["newest", "oldest", "expiring", "confident"],
  decided: ["newest", "oldest", "confident"],
} as const satisfies Record<InboxTab, readonly string[]>;
export type InboxOrder = (typeof inboxOrders)[InboxTab][number];

export const outcomes = ["approved", "rejected", "expired"] as const;
export type Outcome = (typeof outcomes)[number];

export const searchLengthMax = 200;

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
  /** Whether its owner can still have it wait again. */
  isReopenable: boolean;
}

/** Where a page ends: by the column that it is ordered by, an instant or a number. */
export interface InboxPlace {
  at: string;
  id: string;
}

export interface InboxAsked {
  did: string;
  tab: InboxTab;
  agentDid?: string;
  /** Itself and everything below. */
  category?: Category;
  /** Words and parts of words, in any order. */
  search?: string;
  /** Of what is decided. */
  outcome?: Outcome;
  /** This one alone. */
  proposalId?: string;
  order?: InboxOrder;
  after?: InboxPlace;
  limit: number;
  bytesMax?: number;
}

export interface InboxPage {
  items: InboxItem[];
  next: InboxPlace | null;
  pending: number;
  decided: number;
}

/** The owner's view of what agents proposed: what waits and what is decided, newest first unless asked otherwise. */
export async function listInbox(ctx: Ctx, asked: InboxAsked): Promise<InboxPage> {
  return onProfile(ctx, { verb: "reviewProposal", did: asked.did }, async ({ profile }) => {
    const { text, values } = statement(asked, { profileId: profile.id, now: ctx.now });
    const read = (client: Pool | PoolClient) =>
      client.query<{ items: Row[]; pending: number; decided: number }>(text, values);
    const { rows } = await (asked.search ? inSearch(ctx, profile.ownerId, read) : read(ctx.pool));
    const { items = [], pending = 0, decided = 0 } = rows[0] ?? {};
    const { page, last } = pageOf(items, asked);
    return {
      items: page.map((row) => itemOf(row, ctx.now)),
      next: last === undefined ? null : { at: String(last.place), id: last.id },
      pending,
      decided,
    };
  });
}

type Row = Omit<InboxItem, "proposedAt" | "expiresAt" | "decidedAt"> & {
  proposedAt: string;
  expiresAt: string;
  reviewedAt: string | null;
  place: string | number;
};

function itemOf({ reviewedAt, place: _, ...row }: Row, now: Date): InboxItem {
  const expiresAt = new Date(row.expiresAt);
  const state = effectiveState({ ...row, expiresAt }, now);
  const end = reviewedAt ?? (state.status === "pending" ? null : row.expiresAt);
  return {
    ...state,
    proposedAt: new Date(row.proposedAt),
    decidedAt: end === null ? null : new Date(end),
  };
}

// Each order has an index in the database; what is decided by confidence is sorted, a page at most.
const orders: Record<InboxTab, { newest: Order } & Partial<Record<InboxOrder, Order>>> = {
  pending: {
    newest: { by: `p."proposedAt"`, type: "timestamptz", way: "DESC" },
    oldest: { by: `p."proposedAt"`, type: "timestamptz", way: "ASC" },
    expiring: { by: `p."expiresAt"`, type: "timestamptz", way: "ASC" },
    confident: { by: "p.confidence", type: "float8", way: "DESC" },
  },
  decided: {
    newest: { by: `coalesce(p."reviewedAt", p."expiresAt")`, type: "timestamptz", way: "DESC" },
    oldest: { by: `coalesce(p."reviewedAt", p."expiresAt")`, type: "timestamptz", way: "ASC" },
    confident: { by: "p.confidence", type: "float8", way: "DESC" },
  },
};

interface Order {
  by: string;
  type: "timestamptz" | "float8";
  way: "ASC" | "DESC";
}

// Written for what is asked and nothing else, so that each part can use its index.
function statement(asked: InboxAsked, { profileId, now }: { profileId: number; now: Date }) {
  const values: unknown[] = [profileId, now];
  const given = (value: unknown) => `$${values.push(value)}`;
  const matching = [`p."profileId" = $1`, ...narrowing(asked, given)].join(" AND ");
  const order = orders[asked.tab][asked.order ?? "newest"] ?? orders[asked.tab].newest;
  const { by, way } = order;
  const where = [
    matching,
    asked.tab === "pending" ? isPending : `NOT ${isPending}`,
    ...(asked.outcome === undefined ? [] : [ofOutcome[asked.outcome]]),
    ...beyond(asked.after, order, given),
  ];
  const text = `
    SELECT
      (SELECT coalesce(jsonb_agg(to_jsonb(page) ORDER BY nth), '[]')
       FROM (SELECT p.id, ${namedAgent("p")} AS agent, p.content, p.category, p.confidence,
               p.context, p.status, p."proposedAt", p."expiresAt", p."reviewedAt",
               p."reviewedBy", p.reason,
               (SELECT jsonb_build_object('id', m.id, 'content', m.content)
                FROM "Memory" m WHERE m."proposalId" = p.id AND m."deletedAt" IS NULL) AS memory,
               ${isReopenable("$2")} AS "isReopenable", p.place, p.nth
             FROM (SELECT p.*, ${by} AS place,
                     row_number() OVER (ORDER BY ${by} ${way}, p.id ${way}) AS nth
                   FROM "Proposal" p WHERE ${where.join(" AND ")}
                   ORDER BY ${by} ${way}, p.id ${way} LIMIT ${given(asked.limit + 1)}) p
             LEFT JOIN "Agent" a ON a.did = p."agentDid") page) AS items,
      (SELECT count(*)::int FROM "Proposal" p WHERE ${matching} AND ${isPending}) AS pending,
      (SELECT count(*)::int FROM "Proposal" p WHERE ${matching} AND NOT ${isPending}) AS decided`;
  return { text, values };
}

// Protocol 6, Expiry: the state is that of this instant, whatever the sweep has written down.
const isPending = `(p.status = 'pending' AND p."expiresAt" > $2)`;

const ofOutcome: Record<Outcome, string> = {
  approved: `p.status = 'approved'`,
  rejected: `p.status = 'rejected' AND p."reviewedBy" IS NOT NULL`,
  expired: `p."reviewedBy" IS NULL`,
};

type Given = (value: unknown) => string;

const wordsMax = 10;

function narrowing(asked: InboxAsked, given: Given): string[] {
  const { agentDid, category, search = "", proposalId } = asked;
  const below = category === undefined ? "" : `${category}.`;
  const words = search.slice(0, searchLengthMax).split(/\s+/).filter(Boolean).slice(0, wordsMax);
  return [
    ...(agentDid === undefined ? [] : [`p."agentDid" = ${given(agentDid)}`]),
    ...(category === undefined
      ? []
      : [`(p.category = ${given(category)} OR starts_with(p.category, ${given(below)}))`]),
    ...(proposalId === undefined ? [] : [`p.id = ${given(proposalId)}`]),
    ...words.map((word) => `p.content ILIKE ${given(`%${word.replace(/[\\%_]/g, "\\$&")}%`)}`),
  ];
}

// As PostgreSQL writes it into JSON.
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)$/;

// A place that is none is the beginning.
function beyond(after: InboxPlace | undefined, { by, type, way }: Order, given: Given): string[] {
  if (after === undefined || (type === "timestamptz" && !instant.test(after.at))) return [];
  const place = type === "float8" ? Number(after.at) : new Date(after.at);
  if (!Number.isFinite(place.valueOf())) return [];
  const sign = way === "ASC" ? ">" : "<";
  return [`(${by}, p.id) ${sign} (${given(place)}::${type}, ${given(after.id)})`];
}
