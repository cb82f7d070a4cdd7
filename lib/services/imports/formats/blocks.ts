import { claimedDate } from "./claimed-date";
import type { Collector } from "./item";
import { linesOf } from "./text";

// The file of mem0's plugin: before each text a block of names and values between lines of dashes.

const member = /^([\w-]{1,40}):(.{0,500})$/;
const membersMax = 20;
// Longer texts are left out: what follows need not be kept.
const lengthMax = 25_000;

type Members = Map<string, string>;

interface Block {
  members: Members;
  lines: string[];
  length: number;
}

/** Reads the text after each block that has an `id`. */
export function readBlocks(bytes: Buffer, collector: Collector): void {
  for (const { members, lines } of blocksOf(bytes)) {
    const date = claimedDate(members.get("created_at"));
    collector.add({ content: lines.join("\n"), date, section: members.get("categories") ?? null });
  }
}

/** Returns whether text begins with such a block. */
export function beginsWithBlock(bytes: Buffer): boolean {
  return /^\s*---/.test(bytes.toString("utf8", 0, 100)) && !blocksOf(bytes).next().done;
}

function* blocksOf(bytes: Buffer): Generator<Block> {
  let block: Block | null = null;
  let head: string[] | null = null;
  for (const line of linesOf(bytes)) {
    const isDashes = line.trimEnd() === "---";
    const members: Members | null = head !== null && isDashes ? membersOf(head) : null;
    if (members?.has("id")) {
      if (block !== null) yield block;
      block = { members, lines: [], length: 0 };
      head = null;
    } else if (isDashes) {
      append(block, head);
      head = [line];
    } else if (head !== null && head.length <= membersMax && member.test(line)) {
      head.push(line);
    } else {
      append(block, head);
      append(block, [line]);
      head = null;
    }
  }
  append(block, head);
  if (block !== null) yield block;
}

function append(block: Block | null, lines: readonly string[] | null): void {
  if (block === null || lines === null || block.length > lengthMax) return;
  block.lines.push(...lines);
  block.length += lines.join("\n").length;
}

function membersOf(head: readonly string[]): Members {
  return new Map(
    head.flatMap((line) => {
      const [, name, value] = member.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value.trim()] as const];
    }),
  );
}
