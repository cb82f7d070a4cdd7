import type { PoolClient } from "pg";
import { inTransaction } from "@/lib/engine/db";
import type { Category } from "@/lib/protocol/scope";
import { type Ctx, inSearch } from "../context";
import { onProfile } from "../open-profile";
import { pageOf } from "../page";
import { narrowed } from "./narrowed";
import { findNear, hits, isNearWorthwhile } from "./search";
import { type MemoryState, type ShownMemory, shownColumns, shownJoins } from "./shown";

export const memorySorts = ["newest", "oldest", "changed"] as const;
export type MemorySort = (typeof memorySorts)[number];

export const searchMax = 200;

export interface MemoryPlace {
  /** Of a search: 0 where the very words are found, 1 where only parts of words are. */
  tier: number;
  at: Date;
  id: string;
}

export interface BrowseAsked {
  did: string;
  search?: string;
  /** Itself and everything below. */
  category?: Category;
  /** `owner`, `imported`, or the DID of the agent that proposed it. */
  source?: string;
  state: MemoryState;
  /** Within what matches a search equally well. */
  sort: MemorySort;
  after?: MemoryPlace;
  limit: number;
  bytesMax?: number;
}

export interface MemoriesFound {
  memories: ShownMemory[];
  next: MemoryPlace | null;
  /** No more than `countMax`: then there may be more. */
  count: number;
  /** Nothing has what is searched for; these are spelled alike, the nearest first. */
  isNear: boolean;
}

export const countMax = 10_000;

/** What the owner's profile remembers, a page of it. */
export async function browseMemories(ctx: Ctx, asked: BrowseAsked): Promise<MemoriesFound> {
  const { search, after, limit } = asked;
  return onProfile(ctx, { verb: "browseMemories", did: asked.did }, ({ profile }) => {
    if (search === undefined) {
      return inTransaction(ctx.pool, (client) => findPage(client, profile.id, asked));
    }
    return inSearch(ctx, profile.ownerId, async (client) => {
      const found = await findPage(client, profile.id, asked);
      if (found.count > 0 || after !== undefined || !isNearWorthwhile(search)) return found;
      const near = await findNear(client, profile.id, { ...asked, search, limit });
      const { page: memories } = pageOf(near, asked);
      return { memories, next: null, count: memories.length, isNear: memories.length > 0 };
    });
  });
}

const orders: Record<MemorySort, { column: string; direction: "DESC" | "ASC" }> = {
  newest: { column: `"createdAt"`, direction: "DESC" },
  oldest: { column: `"createdAt"`, direction: "ASC" },
  changed: { column: `"updatedAt"`, direction: "DESC" },
};

type Row = ShownMemory & { tier: number; at: Date; count: number };

// The statement is put together from what was asked, so that it is planned for what it is.
async function findPage(
  client: PoolClient,
  profileId: number,
  asked: BrowseAsked,
): Promise<MemoriesFound> {
  const { search, sort, after, limit, bytesMax } = asked;
  const { where, values, bind } = narrowed(profileId, asked);
  const { column, direction } = orders[sort];
  const isSearch = search !== undefined;
  const hit = isSearch ? `WITH h AS MATERIALIZED (${hits(where, search, bind)})` : "";
  const meant = isSearch
    ? `SELECT m.*, h.tier FROM "Memory" m JOIN h USING (id)`
    : `SELECT m.*, 0 AS tier FROM "Memory" m WHERE ${where}`;
  const order = (table: string) =>
    `${isSearch ? `${table}.tier, ` : ""}${table}.${column} ${direction}, ${table}.id ${direction}`;
  const place = after === undefined ? "true" : placeAfter(after, { column, direction }, bind);
  const counted = `(SELECT count(*)::int FROM (SELECT FROM ${isSearch ? "h" : `(${meant}) c`} LIMIT ${bind(countMax)}) c)`;
  const { rows } = await client.query<Row>(
    `${hit} SELECT ${shownColumns}, m.tier, m.${column} AS at, ${counted} AS count
     FROM (SELECT * FROM (${meant}) f WHERE ${place}
           ORDER BY ${order("f")} LIMIT ${bind(limit + 1)}) m ${shownJoins}
     ORDER BY ${order("m")}`,
    values,
  );
  const { page: shown, last } = pageOf(rows, { limit, bytesMax });
  return {
    memories: shown.map(({ tier: _tier, at: _at, count: _count, ...memory }) => memory),
    next: last === undefined ? null : { tier: last.tier, at: last.at, id: last.id },
    count: rows[0]?.count ?? 0,
    isNear: false,
  };
}

function placeAfter(
  { tier, at, id }: MemoryPlace,
  { column, direction }: (typeof orders)[MemorySort],
  bind: (value: unknown) => string,
): string {
  const reached = bind(tier);
  const beyond = `(f.${column}, f.id) ${direction === "DESC" ? "<" : ">"} (${bind(at)}, ${bind(id)})`;
  return `(f.tier > ${reached} OR (f.tier = ${reached} AND ${beyond}))`;
}
