import type { Pool } from "pg";
import { answerBounds } from "@/lib/protocol/answers/answer-meta";
import type { Ctx } from "./context";
import type { ProfileRow } from "./facts";

/** A text that is another one after every change of what the profile lists. See migration 0017. */
export const listsStampOf = (profileId: string) => `
  (SELECT coalesce(string_agg(s.stamp::text, ',' ORDER BY s.id), '')
   FROM "ListStamp" s WHERE s."profileId" = ${profileId})`;

/** Nothing for who asks for another state than this database shows. Null asks for whatever it shows. */
export const showsStamp = (listsStamp: string, profileId: string) =>
  `(${listsStamp} IS NULL OR ${listsStamp} = ${listsStampOf(profileId)})`;

export interface Stamped {
  listsStamp: string | null;
}

/**
 * Reads from the replica where it shows the very state of the lists that the primary told with the facts, in
 * the snapshot that answers; else from the primary.
 */
export async function readLists<Row>(
  { pool, replica }: Pick<Ctx, "pool" | "replica">,
  { listsStamp }: Pick<ProfileRow, "listsStamp">,
  read: (pool: Pool, asked: Stamped) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  // Where nothing was ever stamped, a database that knows nothing of it shows the same.
  const there = listsStamp === null || listsStamp === "" ? null : replica;
  const answer = await there?.ask((standby) => read(standby, { listsStamp }));
  return answer ?? read(pool, { listsStamp: null });
}

export interface PageSize {
  limit: number;
  /** As JSON in a page, whose markup escapes some characters; without it, what an answer of the API carries. */
  bytesMax?: number;
}

interface Paging extends PageSize {
  /** Whether more rows were found than were read. */
  isCut?: boolean;
}

/**
 * Cuts rows, of which one more than the limit was read unless they are cut already, to a page: to the limit, and to a size as JSON, though
 * never to nothing. The next page goes on after `last`, if there is one.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  { limit, bytesMax, isCut = false }: Paging,
): { page: Row[]; last: Row | undefined } {
  let bytes = 0;
  const isOver = (row: Row, at: number) => {
    const json = JSON.stringify(row);
    bytes += Buffer.byteLength(bytesMax === undefined ? json : json.replace(/[<>&]/g, "&amp;"));
    return at === limit || (at > 0 && bytes > (bytesMax ?? answerBounds.bytesMax));
  };
  const end = rows.findIndex(isOver);
  const page = end === -1 ? [...rows] : rows.slice(0, end);
  return { page, last: end === -1 && !isCut ? undefined : page.at(-1) };
}
