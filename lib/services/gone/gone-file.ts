import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { type FileHandle, mkdir, open, stat } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { z } from "zod";

// `gone.jsonl`: the rows of "Gone" outside of the database, one a line. Each line has the hash of the line before, so
// that a missing one is found.

export interface GoneEntry {
  at: Date;
  kind: string;
  key: Uint8Array<ArrayBuffer>;
}

/** A row, and what its copy goes on from: rows are copied in passes, each of what is new since a snapshot. */
export interface GoneRow extends GoneEntry {
  /** `xid/id`; a pass is in this order. */
  row: string;
  /** The snapshot before its pass; null in the first. */
  from: string | null;
  /** The snapshot of its pass. */
  upto: string;
}

/** Where a chain of lines ends: the last row, and the hash of its line. */
export interface ChainEnd extends Pick<GoneRow, "row" | "from" | "upto"> {
  hash: string;
}

const Line = z.object({
  at: z.iso.datetime().transform((at) => new Date(at)),
  kind: z.string().min(1).max(32),
  key: z.base64url().length(43),
  row: z.string(),
  from: z.string().nullable(),
  upto: z.string(),
  prev: z.string(),
});

/** Writes rows as lines behind that end, and returns the next one. At least one row. */
export function linesOf(
  rows: readonly GoneRow[],
  after: ChainEnd | null,
): { text: string; end: ChainEnd } {
  let end = after;
  let text = "";
  for (const { key, ...row } of rows) {
    const base64url = Buffer.from(key).toString("base64url");
    const line = JSON.stringify({ ...row, key: base64url, prev: end?.hash ?? "" });
    text += `${line}\n`;
    end = endOf(row, line);
  }
  if (end === null) throw new Error("no rows, so no line");
  return { text, end };
}

function endOf({ row, from, upto }: Omit<ChainEnd, "hash">, line: string): ChainEnd {
  return { row, from, upto, hash: hashOf(line) };
}

function hashOf(line: string): string {
  return createHash("sha256").update(line).digest("base64url");
}

export interface GoneLines {
  entries: GoneEntry[];
  /** Numbers of the lines that cannot be read, or before which one is missing; counted from 1. */
  gaps: number[];
}

/** Reads all entries from then on. A torn last line is ignored: its row was not reported as copied. */
export async function readGoneLines(input: Readable, since = new Date(0)): Promise<GoneLines> {
  let endsWhole = true;
  input.on("data", (chunk) => {
    endsWhole = chunk.toString().endsWith("\n");
  });
  const read: GoneLines = { entries: [], gaps: [] };
  let [number, expected, isLegible] = [0, "", true];
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    number++;
    const line = parseLine(text);
    isLegible = line !== null;
    // Nothing is before the first line of a chain, which begins again where its end was not known after a restore.
    if (line?.prev !== expected && line?.prev !== "") read.gaps.push(number);
    if (line !== null && line.at >= since) {
      const { at, kind, key } = line;
      read.entries.push({ at, kind, key: new Uint8Array(Buffer.from(key, "base64url")) });
    }
    expected = hashOf(text);
  }
  if (!endsWhole && !isLegible) read.gaps.pop();
  return read;
}

function parseLine(text: string): z.output<typeof Line> | null {
  try {
    return Line.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

/** What was copied to a place. */
export interface GoneCopy {
  /** Without secrets. */
  name: string;
  /** Null where nothing was ever copied to. */
  read(since?: Date): Promise<GoneLines | null>;
}

/** Where lines are copied to. It says itself how far it is, so that no crash between two writes loses a line. */
export interface GoneTarget extends GoneCopy {
  /** Null before the first line. */
  findEnd(): Promise<ChainEnd | null>;
  /** Appends lines to that end. They are on the disk when it resolves. */
  append(text: string, end: ChainEnd): Promise<void>;
}

/** A file that only the gateway's user reads. */
export function fileTarget(file: string): GoneTarget {
  return {
    name: file,
    findEnd: () => withFile(file, async (handle) => (await findTail(handle)).end),
    append: (text) =>
      withFile(file, async (handle) => {
        const { size } = await findTail(handle);
        // Nobody was told of what a crash left behind the last whole line.
        await handle.truncate(size);
        await handle.appendFile(text);
        await handle.sync();
        if (size === 0) await syncFolder(path.dirname(file));
      }),
    read: async (since) => {
      if (!existsSync(file) || (await stat(file)).size === 0) return null;
      return readGoneLines(createReadStream(file), since);
    },
  };
}

async function withFile<T>(file: string, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const handle = await open(file, "a+", 0o600);
  try {
    return await work(handle);
  } finally {
    await handle.close();
  }
}

// Keeps the name of a new file.
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** How many rows are copied at once. */
export const rowsAtOnce = 500;

// More than a crash leaves behind the last whole line.
const tailBytes = 256 * 1024;

// The last whole line, and the size of the file up to there.
async function findTail(handle: FileHandle): Promise<{ end: ChainEnd | null; size: number }> {
  const { size } = await handle.stat();
  const start = Math.max(0, size - tailBytes);
  const { buffer, bytesRead } = await handle.read(
    Buffer.alloc(size - start),
    0,
    size - start,
    start,
  );
  const tail = buffer.subarray(0, bytesRead);
  const last = tail.lastIndexOf("\n");
  if (last === -1 && start === 0) return { end: null, size: 0 };
  const text = tail.subarray(tail.lastIndexOf("\n", last - 1) + 1, last).toString();
  const line = parseLine(text);
  if (last === -1 || line === null) {
    throw new Error(
      "The last line of gone.jsonl is damaged. Move the file aside: it is written again.",
    );
  }
  return { end: endOf(line, text), size: start + last + 1 };
}
