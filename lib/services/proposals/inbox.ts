import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Category } from "@/lib/protocol/scope";
import { effectiveState } from "@/lib/rules/review";
import { namedAgent } from "../access/named-agent";
import { type Ctx, inSearch } from "../context";
import { pageOf } from "../page";
import { withProfile } from "../profile-gate";
import { withdrawn } from "../requests/withdraw";
import { reviewerName } from "../reviewers/reviewers-of";
import { isReopenable } from "./deciding/reopen";
import type { InboxItem } from "./inbox-item";
import { isPending, isWaiting } from "./pending";
import { rejectedBefore, sameMemory } from "./same-text";

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

/** A cursor: the last item of a page, by its id and its value in the sort column (a timestamp or a number). */
export interface InboxPlace {
  at: string;
  id: string;
}

export interface InboxQuery {
  did: string;
  tab: InboxTab;
  agentDid?: string;
  /** Includes its subcategories. */
  category?: Category;
  /** Words or parts of words. The content must have all of them, in any order. */
  search?: string;
  /** For the tab `decided`. */
  outcome?: Outcome;
  /** Returns only this proposal. */
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
  /** How many wait by agent and by root of their category, those of further pages too. */
  groups: Record<string, number>;
  /** Proposals that their agents took back within a day: a page that is open may still show one. */
  takenBack: string[];
}

/** Returns the owner's view of proposals, pending or decided, newest first by default. */
export async function listInbox(ctx: Ctx, input: InboxQuery): Promise<InboxPage> {
  return withProfile(ctx, { verb: "reviewProposal", did: input.did }, async ({ profile }) => {
    const sql = inboxSql(input, { profileId: profile.id, now: ctx.now });
    const read = (tx: Tx) =>
      tx.$queryRaw<(Omit<InboxPage, "items" | "next"> & { items: Row[] })[]>(sql);
    const rows = await (input.search ? inSearch(ctx, profile.ownerId, read) : read(ctx.db));
    const { items = [], pending = 0, decided = 0, groups = {}, takenBack = [] } = rows[0] ?? {};
    const { page, last } = pageOf(items, input);
    return {
      items: page.map((row) => itemOf(row, ctx.now)),
      next: last === undefined ? null : { at: String(last.place), id: last.id },
      pending,
      decided,
      groups,
      takenBack,
    };
  });
}

type Row = Omit<InboxItem, "proposedAt" | "expiresAt" | "decidedAt" | "rejectedAt"> & {
  rejectedAt: string | null;
  proposedAt: string;
  expiresAt: string;
  reviewedAt: string | null;
  place: string | number;
};

function itemOf({ reviewedAt, place: _place, ...row }: Row, now: Date): InboxItem {
  const expiresAt = new Date(row.expiresAt);
  const { heldAt: _, ...state } = effectiveState({ ...row, expiresAt, heldAt: null }, now);
  const end = reviewedAt ?? (state.status === "pending" ? null : row.expiresAt);
  return {
    ...state,
    rejectedAt: row.rejectedAt === null ? null : new Date(row.rejectedAt),
    proposedAt: new Date(row.proposedAt),
    decidedAt: end === null ? null : new Date(end),
  };
}

// Each order has an index, except `confident` of `decided`, where PostgreSQL sorts the rows.
const orders: Record<InboxTab, { newest: Order } & Partial<Record<InboxOrder, Order>>> = {
  pending: {
    newest: { by: Prisma.sql`p."proposedAt"`, type: "timestamptz", way: "DESC" },
    oldest: { by: Prisma.sql`p."proposedAt"`, type: "timestamptz", way: "ASC" },
    expiring: { by: Prisma.sql`p."expiresAt"`, type: "timestamptz", way: "ASC" },
    confident: { by: Prisma.sql`p.confidence`, type: "float8", way: "DESC" },
  },
  decided: {
    newest: {
      by: Prisma.sql`coalesce(p."reviewedAt", p."expiresAt")`,
      type: "timestamptz",
      way: "DESC",
    },
    oldest: {
      by: Prisma.sql`coalesce(p."reviewedAt", p."expiresAt")`,
      type: "timestamptz",
      way: "ASC",
    },
    confident: { by: Prisma.sql`p.confidence`, type: "float8", way: "DESC" },
  },
};

type Order = { by: Prisma.Sql; type: "timestamptz" | "float8"; way: "ASC" | "DESC" };

// Has only the conditions of the filters that are set, so that each of them can use its index.
function inboxSql(input: InboxQuery, { profileId, now }: { profileId: number; now: Date }) {
  const waiting = isWaiting(now, Prisma.sql`p.`);
  const decided = Prisma.sql`NOT ${isPending(now, Prisma.sql`p.`)}`;
  const matching = allOf([Prisma.sql`p."profileId" = ${profileId}`, ...narrowing(input)]);
  const order = orders[input.tab][input.order ?? "newest"] ?? orders[input.tab].newest;
  const { by } = order;
  const isInbox = input.tab === "pending";
  const way = order.way === "ASC" ? Prisma.sql`ASC` : Prisma.sql`DESC`;
  const where = allOf([
    matching,
    isInbox ? waiting : decided,
    ...(input.outcome === undefined ? [] : [ofOutcome[input.outcome]]),
    ...beyond(input.after, order),
  ]);
  return Prisma.sql`
    SELECT
      (SELECT coalesce(jsonb_agg(to_jsonb(page) ORDER BY nth), '[]')
       FROM (SELECT p.id, ${namedAgent("p")} AS agent, p.content, p.category, p.confidence,
               p.context, p.status, p."proposedAt", p."expiresAt", p."reviewedAt",
               p."reviewedBy", p.reason, ${reviewerName} AS reviewer,
               (SELECT jsonb_build_object('question', i.question, 'answer', i.answer)
                FROM "Inquiry" i WHERE i."subjectId" = p.id) AS inquiry,
               (SELECT jsonb_build_object('id', m.id, 'content', m.content, 'category', m.category)
                FROM "Memory" m WHERE m."proposalId" = p.id AND m."deletedAt" IS NULL) AS memory,
               p.flags, p."likeText" IS NOT NULL AS "isRead",
               CASE WHEN p."batchId" IS NOT NULL THEN jsonb_build_object('claimed', p.claimed) END AS imported, ${isReopenable(now)} AS "isReopenable", p.place, p.nth,
               ${isInbox ? sameMemory : none} AS same,
               ${isInbox ? rejectedBefore : none} AS "rejectedAt"
             FROM (SELECT p.*, ${by} AS place,
                     row_number() OVER (ORDER BY ${by} ${way}, p.id ${way}) AS nth
                   FROM "Proposal" p WHERE ${where}
                   ORDER BY ${by} ${way}, p.id ${way} LIMIT ${input.limit + 1}) p
             LEFT JOIN "Agent" a ON a.did = p."agentDid") page) AS items,
      counts.pending, counts.decided, coalesce(counts.back[1:${takenBackMax}], '{}') AS "takenBack",
      (SELECT coalesce(jsonb_object_agg(key, count), '{}')
       FROM (SELECT key, sum(n)::int AS count
             FROM (SELECT p."agentDid", split_part(p.category, '.', 1) AS kind, count(*) AS n
                   FROM "Proposal" p WHERE ${matching} AND ${waiting} GROUP BY 1, 2) c
             CROSS JOIN LATERAL unnest(ARRAY["agentDid", kind]) key GROUP BY key) g) AS groups
    FROM (SELECT count(*) FILTER (WHERE ${waiting})::int AS pending,
            count(*) FILTER (WHERE ${decided})::int AS decided,
            array_agg(p.id) FILTER (WHERE p.status = 'rejected' AND p."reviewedBy" IS NULL
              AND p.reason = ${withdrawn} AND p."reviewedAt" > ${now}::timestamptz - interval '1 day') AS back
          FROM "Proposal" p WHERE ${matching}) counts`;
}

const none = Prisma.sql`NULL`;

const takenBackMax = 50;

const allOf = (conditions: Prisma.Sql[]) => Prisma.join(conditions, " AND ");

// Protocol 6: a proposal past its end has expired, also while its row still has the status `pending`.
const ofOutcome: Record<Outcome, Prisma.Sql> = {
  approved: Prisma.sql`p.status = 'approved'`,
  rejected: Prisma.sql`p.status = 'rejected' AND p."reviewedBy" IS NOT NULL`,
  expired: Prisma.sql`p."reviewedBy" IS NULL`,
};

const wordsMax = 10;

function narrowing(input: InboxQuery): Prisma.Sql[] {
  const { agentDid, category, search = "", proposalId } = input;
  const below = category === undefined ? "" : `${category}.`;
  const words = search.slice(0, searchLengthMax).split(/\s+/).filter(Boolean).slice(0, wordsMax);
  return [
    ...(agentDid === undefined ? [] : [Prisma.sql`p."agentDid" = ${agentDid}`]),
    ...(category === undefined
      ? []
      : [Prisma.sql`(p.category = ${category} OR starts_with(p.category, ${below}))`]),
    ...(proposalId === undefined ? [] : [Prisma.sql`p.id = ${proposalId}`]),
    ...words.map((word) => Prisma.sql`p.content ILIKE ${`%${word.replace(/[\\%_]/g, "\\$&")}%`}`),
  ];
}

// A timestamp as PostgreSQL writes it into JSON.
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)$/;

// An invalid cursor returns the first page.
function beyond(after: InboxPlace | undefined, { by, type, way }: Order): Prisma.Sql[] {
  if (after === undefined || (type === "timestamptz" && !instant.test(after.at))) return [];
  const place = type === "float8" ? Number(after.at) : new Date(after.at);
  if (!Number.isFinite(place.valueOf())) return [];
  const sign = way === "ASC" ? Prisma.sql`>` : Prisma.sql`<`;
  const from = type === "float8" ? Prisma.sql`${place}::float8` : Prisma.sql`${place}::timestamptz`;
  return [Prisma.sql`(${by}, p.id) ${sign} (${from}, ${after.id})`];
}
