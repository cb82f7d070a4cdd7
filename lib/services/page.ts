import { answerBounds } from "@/lib/protocol/answers/answer-meta";

export interface PageSize {
  limit: number;
  /** The maximum as JSON in a page, whose markup escapes characters; without it, that of an answer. */
  bytesMax?: number;
}

interface Paging extends PageSize {
  /** Whether more rows were found than were read. */
  isCut?: boolean;
}

/**
 * Cuts rows to a page: to the limit and to a size as JSON, but never to nothing. Expects one row more than the
 * limit, unless they are cut already. `last` is the position of the next page.
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
