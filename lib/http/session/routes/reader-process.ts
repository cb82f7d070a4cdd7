import { spawn } from "node:child_process";
import { once } from "node:events";
import { ordinaryBytesMax } from "@/lib/engine/load/keyed-limiter";
import { busy, type GatewayError, invalidRequest } from "@/lib/protocol/errors";

/** A form as it came. */
export interface ReadBody {
  blocks: Uint8Array[];
  contentType: string;
}

const readersMax = 2;
const waitingMax = 8;
const readMsMax = 30_000;
// Twice the need of the largest archive.
const heapMbMax = 384;
const retryAfterSeconds = 15;

interface Reading {
  isLarge: boolean;
  begin: () => void;
}

const reading = new Set<Reading>();
const waiting = new Set<Reading>();

/**
 * Has a form read by a script in a process of its own, and returns the lines that it writes: a thread that runs out
 * of memory would end this one.
 */
export async function readApart(script: string, body: ReadBody): Promise<Buffer[]> {
  const bytes = body.blocks.reduce((sum, { length }) => sum + length, 0);
  const turn = await takeTurn(bytes > ordinaryBytesMax);
  try {
    return await linesBy(script, body);
  } finally {
    reading.delete(turn);
    startWaiting();
  }
}

function takeTurn(isLarge: boolean): Promise<Reading> {
  return new Promise((resolve, reject) => {
    const turn: Reading = { isLarge, begin: () => resolve(turn) };
    waiting.add(turn);
    startWaiting();
    if (waiting.size <= waitingMax) return;
    waiting.delete(turn);
    const message = `${waitingMax} other imports wait to be read. Nothing was imported; try again in a moment.`;
    reject(busy(message, retryAfterSeconds));
  });
}

// Only one large file at a time, so that ordinary ones find a reader.
function startWaiting(): void {
  for (const turn of waiting) {
    if (reading.size >= readersMax) return;
    if (turn.isLarge && [...reading].some(({ isLarge }) => isLarge)) continue;
    waiting.delete(turn);
    reading.add(turn);
    turn.begin();
  }
}

// By the runner, as Node.js takes no TypeScript.
const runner = [`--max-old-space-size=${heapMbMax}`, "server/run.mjs"];

async function linesBy(script: string, { blocks, contentType }: ReadBody): Promise<Buffer[]> {
  // It needs no secrets.
  const env = { NODE_ENV: "production" } as const;
  const child = spawn(process.execPath, [...runner, script, contentType], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  let isLate = false;
  const deadline = setTimeout(() => {
    isLate = true;
    child.kill("SIGKILL");
  }, readMsMax);
  try {
    // A reader that ends early says why by how it ended.
    child.stdin.on("error", () => undefined);
    for (const block of blocks) child.stdin.write(block);
    child.stdin.end();
    const [lines, [code, signal]] = await Promise.all([
      linesOf(child.stdout),
      once(child, "close"),
    ]);
    if (isLate) throw unfit(`Takes longer than ${readMsMax / 1_000} seconds to read.`);
    if (signal === "SIGABRT") throw unfit(`Takes more than ${heapMbMax} MB of memory to read.`);
    if (code !== 0) throw new Error(`the reader of an import ended with ${code ?? signal}`);
    return lines;
  } finally {
    clearTimeout(deadline);
    child.kill("SIGKILL");
  }
}

async function linesOf(output: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const lines: Buffer[] = [];
  let parts: Buffer[] = [];
  for await (const chunk of output) {
    let from = 0;
    for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", from)) {
      lines.push(Buffer.concat([...parts, chunk.subarray(from, end)]));
      parts = [];
      from = end + 1;
    }
    parts.push(chunk.subarray(from));
  }
  return lines;
}

function unfit(message: string): GatewayError {
  return invalidRequest([{ path: "file", message }]);
}
