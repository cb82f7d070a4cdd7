import { inTransaction, type Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Category } from "@/lib/protocol/scope";
import { type Ctx, inSearch } from "../context";
import { pageOf } from "../page";
import { withProfile } from "../profile-gate";
import { narrowed } from "./narrowed";
import { findNear, hits, isNearWorthwhile } from "./search";
import { type MemoryState, type ShownMemory, shownColumns, shownJoins } from "./shown";

export const memorySorts = ["newest", "oldest", "changed"] as const;
export type MemorySort = (typeof memorySorts)[number];

export const searchMax = 200;

export interface MemoryPlace {
  /** The tier of a search hit: 0 for whole words, 1 for parts of words. */
  tier: number;
  at: Date;
  id: string;
}

export interface BrowseQuery {
  did: string;
  search?: string;
  /** Itself and everything below. */
  category?: Category;
  /** `owner`, `imported`, or the DID of the agent that proposed it. */
  source?: string;
  state: MemoryState;
  /** The order among equal matches. */
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
  /** No exact match was found; these are spelled alike, nearest first. */
  isNear: boolean;
}

export const countMax = 10_000;

/** Returns a page of the profile's memories. */
export async function browseMemories(ctx: Ctx, input: BrowseQuery): Promise<MemoriesFound> {
  const { search, after, limit } = input;
  return withProfile(ctx, { verb: "browseMemories", did: input.did }, ({ profile }) => {
    if (search === undefined) {
      return inTransaction(ctx.db, (tx) => findPage(tx, profile.id, input));
    }
    return inSearch(ctx, profile.ownerId, async (tx) => {
      const found = await findPage(tx, profile.id, input);
      if (found.count > 0 || after !== undefined || !isNearWorthwhile(search)) return found;
      const near = await findNear(tx, profile.id, { ...input, search, limit });
      const { page: memories } = pageOf(near, input);
      return { memories, next: null, count: memories.length, isNear: memories.length > 0 };
    });
  });
}

interface Order {
  column: Prisma.Sql;
  direction: Prisma.Sql;
  beyond: Prisma.Sql;
}

const [descending, below] = [Prisma.sql`DESC`, Prisma.sql`<`];
const [ascending, above] = [Prisma.sql`ASC`, Prisma.sql`>`];
const orders: Record<MemorySort, Order> = {
  newest: { column: Prisma.sql`"createdAt"`, direction: descending, beyond: below },
  oldest: { column: Prisma.sql`"createdAt"`, direction: ascending, beyond: above },
  changed: { column: Prisma.sql`"updatedAt"`, direction: descending, beyond: below },
};

type Row = ShownMemory & { tier: number; at: Date; count: number };

// Built for the given filters, so that it is planned for them.
async function findPage(tx: Tx, profileId: number, input: BrowseQuery): Promise<MemoriesFound> {
  const { search, sort, after, limit, bytesMax } = input;
  const where = narrowed(profileId, input);
  const { column, direction } = orders[sort];
  const isSearch = search !== undefined;
  const hit = isSearch ? Prisma.sql`WITH h AS MATERIALIZED (${hits(where, search)})` : Prisma.empty;
  const meant = isSearch
    ? Prisma.sql`SELECT m.*, h.tier FROM "Memory" m JOIN h USING (id)`
    : Prisma.sql`SELECT m.*, 0 AS tier FROM "Memory" m WHERE ${where}`;
  const order = (table: Prisma.Sql) =>
    Prisma.sql`${isSearch ? Prisma.sql`${table}.tier, ` : Prisma.empty}${table}.${column} ${direction}, ${table}.id ${direction}`;
  const place = after === undefined ? Prisma.sql`true` : placeAfter(after, orders[sort]);
  const counted = Prisma.sql`(SELECT count(*)::int
    FROM (SELECT FROM ${isSearch ? Prisma.sql`h` : Prisma.sql`(${meant}) c`} LIMIT ${countMax}) c)`;
  const rows = await tx.$queryRaw<Row[]>`
    ${hit} SELECT ${shownColumns}, m.tier, m.${column} AS at, ${counted} AS count
    FROM (SELECT * FROM (${meant}) f WHERE ${place}
          ORDER BY ${order(Prisma.sql`f`)} LIMIT ${limit + 1}) m ${shownJoins}
    ORDER BY ${order(Prisma.sql`m`)}`;
  const { page: shown, last } = pageOf(rows, { limit, bytesMax });
  return {
    memories: shown.map(({ tier: _tier, at: _at, count: _count, ...memory }) => memory),
    next: last === undefined ? null : { tier: last.tier, at: last.at, id: last.id },
    count: rows[0]?.count ?? 0,
    isNear: false,
  };
}

function placeAfter({ tier, at, id }: MemoryPlace, { column, beyond }: Order): Prisma.Sql {
  return Prisma.sql`(f.tier > ${tier} OR (f.tier = ${tier}
    AND (f.${column}, f.id) ${beyond} (${at}::timestamptz, ${id})))`;
}
