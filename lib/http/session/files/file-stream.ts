import { GatewayError } from "@/lib/protocol/errors";

/** The limit for a whole file, however slowly it is read. */
export const fileMsMax = 5 * 60_000;

export interface FileStream {
  /** Pieces of the file. The next one is made when the one before it was taken. */
  texts: AsyncGenerator<string>;
  signal: AbortSignal;
  /** Called once, however it ends. */
  closed: () => void;
}

/** A file that ends in an error is visibly incomplete: its connection breaks. */
export function fileStream({ texts, signal, closed }: FileStream): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isOpen = true;
  let stopWaiting = () => {};
  const end = (last: () => void) => {
    if (!isOpen) return;
    isOpen = false;
    stopWaiting();
    closed();
    last();
    // Once the page that is being read has been read.
    texts.return(undefined).catch(() => undefined);
  };
  return new ReadableStream({
    start(controller) {
      const fail = (message: string) => end(() => controller.error(brokenOff(message)));
      const gone = () => fail("the reader of an export hung up");
      const late = setTimeout(() => fail("an export took too long"), fileMsMax);
      stopWaiting = () => {
        clearTimeout(late);
        signal.removeEventListener("abort", gone);
      };
      signal.addEventListener("abort", gone);
      if (signal.aborted) gone();
    },
    async pull(controller) {
      try {
        const { value, done } = await texts.next();
        if (done) end(() => controller.close());
        else if (isOpen) controller.enqueue(encoder.encode(value));
      } catch (error) {
        const isRefusal = error instanceof GatewayError;
        end(() => controller.error(isRefusal ? brokenOff(error.message) : error));
      }
    },
    cancel: () => end(() => undefined),
  });
}

// Next.js treats an error of this name as a closed connection, not as a failure.
function brokenOff(message: string): DOMException {
  return new DOMException(message, "AbortError");
}
