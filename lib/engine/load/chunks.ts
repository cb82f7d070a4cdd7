import type { Pool, QueryResultRow } from "pg";
import { Prisma } from "../prisma-client/client";
import { nextTurn } from "./heavy-keys";

/** How much stored text is parsed, checked or written in one turn of the event loop: a few milliseconds' worth. */
export const chunkBytesMax = 128 * 1024;

/** Selects the first of these rows, up to the bound of their texts; the first one in any case. */
export const chunkSql = ({ rows, order }: { rows: Prisma.Sql; order: Prisma.Sql }) => Prisma.sql`
  SELECT * FROM (
    SELECT r.*, lead(true, 1, false) OVER w AS "isFollowed",
      coalesce(sum(octet_length(r::text)) OVER (w ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
        AS "bytesBefore"
    FROM (${rows}) r WINDOW w AS (ORDER BY ${order})) r
  WHERE "bytesBefore" < ${chunkBytesMax} ORDER BY ${order}`;

export interface Cut {
  isFollowed: boolean;
  bytesBefore: string;
}

export interface Chunk<Row> {
  rows: Row[];
  /** Whether more of them were found than there was room for. */
  isCut: boolean;
}

export async function readChunk<Row extends QueryResultRow>(
  pool: Pool,
  { text, values }: Prisma.Sql,
): Promise<Chunk<Omit<Row & Cut, keyof Cut>>> {
  const { rows } = await pool.query<Row & Cut>(text, values);
  return cutOff(rows);
}

/** Reads the rows of a `chunkSql` statement. */
export function cutOff<Row extends object>(rows: (Row & Cut)[]): Chunk<Omit<Row & Cut, keyof Cut>> {
  return {
    rows: rows.map(({ isFollowed: _followed, bytesBefore: _bytes, ...row }) => row),
    isCut: rows.at(-1)?.isFollowed ?? false,
  };
}

const rowsFirst = 64;

/** Yields all rows, a chunk at a time and each in its own turn; `read` gets the limit and the last row. */
export async function* pieces<Row>(
  rowsMax: number,
  read: (limit: number, last: Row | undefined) => Promise<Chunk<Row>>,
): AsyncGenerator<Row[]> {
  let limit = Math.min(rowsFirst, rowsMax);
  let last: Row | undefined;
  for (;;) {
    const { rows, isCut } = await read(limit, last);
    await nextTurn();
    if (rows.length > 0) yield rows;
    if (!isCut && rows.length < limit) return;
    last = rows.at(-1);
    // PostgreSQL measures every row it reads: do not ask for many more than fit.
    limit = Math.min(rowsMax, 2 * rows.length);
  }
}
