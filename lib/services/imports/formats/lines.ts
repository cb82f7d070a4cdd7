import { type ClaimedDate, claimedDate, exactDate } from "./claimed-date";
import type { Collector } from "./item";
import { linesOf } from "./text";

// Lists as assistants and people write them: one line each, after a mark or a date, under headings.

const fence = /^\s{0,3}```/;
const heading = /^\s{0,3}(?:#{1,6}\s+(?<hashes>.{1,200})|\*\*(?<stars>[^*]{1,200})\*\*:?)\s*$/;
const mark = /^\s{0,3}(?:[-*•]|\d{1,4}[.)])\s+/;
const dated =
  /^\s{0,3}(?:\[(?<bracket>[^\]\n]{1,40})\](?<separator>\s*[-–—:](?=\s|$))?|(?<plain>\d{4}(?:-\d{2}){0,2})\s*[-–—:](?=\s|$))\s*/;
const indented = /^\s{2,}\S/;
// Longer texts are left out: what follows need not be kept.
const lengthMax = 25_000;

interface Open {
  lines: string[];
  length: number;
  date: ClaimedDate | null;
  isMarked: boolean;
}

/** Reads marked lines; without any mark, paragraphs. Where some of it is in fences, only that. */
export function readLines(bytes: Buffer, collector: Collector): void {
  const { hasFence, hasMarks } = shapeOf(bytes);
  let section: string | null = null;
  let open: Open | null = null;
  const close = () => {
    if (open !== null) collector.add({ content: open.lines.join("\n"), date: open.date, section });
    open = null;
  };
  for (const { line, isInside } of fencedLines(bytes)) {
    if (hasFence && !isInside) continue;
    const title = heading.exec(line)?.groups;
    if (title !== undefined) {
      close();
      section = (title.hashes ?? title.stars ?? "").replace(/:$/, "");
    } else if (line.trim() === "") {
      close();
    } else if (open !== null && continues(open, line, hasMarks)) {
      append(open, line.trim());
    } else {
      close();
      open = begin(line);
    }
  }
  close();
}

/** Returns whether a line begins with a date in brackets, as answers to Claude's prompt do. */
export function hasDatedLine(bytes: Buffer): boolean {
  for (const line of linesOf(bytes)) {
    if (dateOf(line.replace(mark, ""))?.isBracket) return true;
  }
  return false;
}

interface Shape {
  hasFence: boolean;
  hasMarks: boolean;
}

function shapeOf(bytes: Buffer): Shape {
  const inside: Shape = { hasFence: true, hasMarks: false };
  const outside: Shape = { hasFence: false, hasMarks: false };
  let hasFence = false;
  for (const { line, isInside } of fencedLines(bytes)) {
    const shape = isInside ? inside : outside;
    shape.hasMarks ||= isMarked(line);
    hasFence ||= isInside;
  }
  return hasFence ? inside : outside;
}

function* fencedLines(bytes: Buffer): Generator<{ line: string; isInside: boolean }> {
  let isInside = false;
  for (const line of linesOf(bytes)) {
    if (fence.test(line)) isInside = !isInside;
    else yield { line, isInside };
  }
}

function continues(open: Open, line: string, hasMarks: boolean): boolean {
  if (isMarked(line)) return false;
  return !hasMarks || !open.isMarked || indented.test(line);
}

function isMarked(line: string): boolean {
  return mark.test(line) || dateOf(line) !== null;
}

function begin(line: string): Open {
  const bare = line.replace(mark, "");
  const found = dateOf(bare);
  const text = (found === null ? bare : bare.slice(found.length)).trim();
  const date = found?.date ?? null;
  return { lines: [text], length: text.length, date, isMarked: isMarked(line) };
}

function append(open: Open, line: string): void {
  if (open.length <= lengthMax) open.lines.push(line);
  open.length += line.length;
}

interface Found {
  date: ClaimedDate | null;
  isBracket: boolean;
  /** Of the date with what separates it from the text. */
  length: number;
}

// Brackets without a separator may be a link or a box to tick.
function dateOf(line: string): Found | null {
  const match = dated.exec(line);
  if (match === null) return null;
  const { bracket, separator, plain } = match.groups ?? {};
  const isBracket = bracket !== undefined;
  const isDate = exactDate((bracket ?? plain ?? "").trim()) !== null;
  if (!isDate && (!isBracket || separator === undefined)) return null;
  return { date: claimedDate(bracket ?? plain), isBracket, length: match[0].length };
}
