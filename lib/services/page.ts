import { answerBounds } from "@/lib/protocol/resources";

/**
 * Cuts rows, of which one more than the limit was read, to a page: to the limit, and to what an answer
 * carries as JSON, though never to nothing. The next page goes on after `last`, if there is one.
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
): { page: Row[]; last: Row | undefined } {
  let bytes = 0;
  const isOver = (row: Row, at: number) => {
    bytes += Buffer.byteLength(JSON.stringify(row));
    return at === limit || (at > 0 && bytes > answerBounds.bytesMax);
  };
  const end = rows.findIndex(isOver);
  const page = end === -1 ? [...rows] : rows.slice(0, end);
  return { page, last: end === -1 ? undefined : page.at(-1) };
}
