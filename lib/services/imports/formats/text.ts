import { isUtf8 } from "node:buffer";
import { ImportRefused } from "./item";

const mark = Buffer.from("\ufeff");
const linesMax = 500_000;
const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** Returns text in UTF-8 without its byte order mark. */
export function demandText(bytes: Buffer): Buffer {
  if (!isUtf8(bytes)) {
    const remedy = "export it as text, JSON, JSON Lines or a zip of them";
    throw new ImportRefused("The file is not text in UTF-8", remedy);
  }
  return bytes.subarray(0, mark.length).equals(mark) ? bytes.subarray(mark.length) : bytes;
}

/** The lines, however they end. They are decoded one at a time, so that the text is not in memory twice. */
export function* linesOf(bytes: Buffer): Generator<string> {
  let from = 0;
  let count = 0;
  for (let at = 0; at <= bytes.length; at++) {
    const isReturn = bytes[at] === carriageReturn;
    if (at < bytes.length && bytes[at] !== lineFeed && !isReturn) continue;
    count += 1;
    if (count > linesMax) {
      const problem = `The text has more than ${linesMax.toLocaleString("en")} lines`;
      throw new ImportRefused(problem, "split it and import the parts");
    }
    yield bytes.toString("utf8", from, at);
    if (isReturn && bytes[at + 1] === lineFeed) at += 1;
    from = at + 1;
  }
}
