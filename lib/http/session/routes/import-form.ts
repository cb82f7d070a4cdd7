import { setImmediate } from "node:timers/promises";
import { ordinaryBytesMax } from "@/lib/engine/load/keyed-limiter";
import { busy, GatewayError, invalidRequest } from "@/lib/protocol/errors";
import { fileMsMax } from "../files/file-stream";
import { importBytesMax, tooLarge } from "./read-import";
import type { ReadBody } from "./reader-process";

export interface ImportKind<Form> {
  /** Leaves out what is not read, while the form arrives. */
  filter?: () => TransformStream<Uint8Array, Uint8Array>;
  read: (body: ReadBody) => Promise<Form>;
}

// The size of a form around its file.
const formBytesMax = importBytesMax + 64 * 1024;
// With the log, which is read past; how long a request may take bounds it earlier.
const uploadBytesMax = 2 * 1024 * 1024 * 1024;
const heldBytesMax = 2 * formBytesMax;
// Room that large files leave to ordinary ones.
const ordinaryRoomBytes = 8 * ordinaryBytesMax;
const retryAfterSeconds = 15;

// Imports of this process under way, and how much of them has arrived.
const importing = new Set<string>();
let heldBytes = 0;

/**
 * Reads an import and does the work with it. A file is in memory several times over until then, so what all
 * of them hold is bounded, and each user has one. A slow sender holds what has come so far, as long as
 * the front door lets a request take. Once the file is there, the signal ends the work after five minutes, or
 * when its sender is gone.
 */
export async function withImport<Form, T>(
  { request, userId, kind }: { request: Request; userId: string; kind: ImportKind<Form> },
  work: (form: Form, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (importing.has(userId)) {
    throw busy("Another import of yours is under way. Wait until it has ended.", retryAfterSeconds);
  }
  importing.add(userId);
  let bytes = 0;
  try {
    const body = await receive(request, kind, (arrived) => {
      bytes += arrived;
      heldBytes += arrived;
      if (bytes > formBytesMax) throw unfit(tooLarge);
      const isLarge = bytes > ordinaryBytesMax;
      if (heldBytes <= heldBytesMax - (isLarge ? ordinaryRoomBytes : 0)) return;
      const message = "Other imports are being read. Nothing was imported; try again in a moment.";
      throw busy(message, retryAfterSeconds);
    });
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(fileMsMax)]);
    return await work(await kind.read(body), signal);
  } finally {
    heldBytes -= bytes;
    importing.delete(userId);
  }
}

/** Throws what the form is refused for. */
type Hold = (bytes: number) => void;

async function receive(
  request: Request,
  { filter = () => new TransformStream() }: Pick<ImportKind<unknown>, "filter">,
  hold: Hold,
): Promise<ReadBody> {
  let refusal: unknown = unfit("Could not be read.");
  const counted = (count: Hold) =>
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        try {
          count(chunk.length);
          controller.enqueue(chunk);
        } catch (error) {
          refusal = error;
          controller.error(error);
        }
      },
    });
  let uploaded = 0;
  const bounded = counted((bytes) => {
    uploaded += bytes;
    if (uploaded > uploadBytesMax) throw unfit(tooLarge);
  });
  const body = request.body
    ?.pipeThrough(bounded, { signal: request.signal })
    .pipeThrough(filter())
    .pipeThrough(counted(hold));
  const contentType = request.headers.get("content-type") ?? "";
  try {
    return { blocks: body === undefined ? [] : await blocksOf(body), contentType };
  } catch (error) {
    // A body that broke off.
    throw error instanceof GatewayError ? error : refusal;
  }
}

const chunksPerBlock = 128;

// A chunk of one byte takes a hundred in memory, of which one is counted.
async function blocksOf(body: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const blocks: Uint8Array[] = [];
  let chunks: Uint8Array[] = [];
  for await (const chunk of body) {
    chunks.push(chunk);
    // Otherwise all that has arrived would be scanned in one turn.
    await setImmediate();
    if (chunks.length < chunksPerBlock) continue;
    blocks.push(Buffer.concat(chunks));
    chunks = [];
  }
  return [...blocks, ...chunks];
}

function unfit(message: string) {
  return invalidRequest([{ path: "file", message }]);
}
