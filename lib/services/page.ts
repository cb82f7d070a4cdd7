import { answerBounds } from "@/lib/protocol/answers/answer-meta";

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
