import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerResponse } from "node:http";
import { engine } from "@/lib/engine/engine";
import { isConnectionFailure, retryAfterSeconds } from "./reply";

// Next.js answers 500 for every failure and prints the whole error. This sets the status that fits, and logs
// the failure like every other error.

interface Page {
  /** The status that replaces the page's 500. */
  status: 400 | 404 | 500 | 503;
  /** Whether the page only says that there is nothing at its address. */
  isMissing: boolean;
}

// Next.js bundles this module separately; the process has one store.
const slot = Symbol.for("profile-access-gateway.page");
const shared = globalThis as typeof globalThis & { [slot]?: AsyncLocalStorage<Page> };
shared[slot] ??= new AsyncLocalStorage();
const pages = shared[slot];

/**
 * Corrects the status while Next.js answers: 503 if the database is away, 400 for a broken form, 404 if the
 * content was just deleted.
 */
export function answeringPage<T>(response: ServerResponse, answer: () => Promise<T>): Promise<T> {
  const page: Page = { status: 500, isMissing: false };
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...rest: unknown[]) => {
    const isFailure = status === 500;
    if (status === 200 && page.isMissing && isDocument(response)) return writeHead(404, ...rest);
    if (isFailure && page.status === 503) {
      response.setHeader("Retry-After", String(retryAfterSeconds));
    }
    return writeHead(isFailure ? page.status : status, ...rest);
  };
  return pages.run(page, answer);
}

// Of anything but 200, Next.js's script takes no part of a page.
function isDocument(response: ServerResponse): boolean {
  return String(response.getHeader("Content-Type")).startsWith("text/html");
}

/**
 * Answers with 404 and these words in the place of a page. Next.js's own `notFound` leaves it to scripts to write
 * the words.
 */
export function missing<Words>(words: Words): Words {
  const page = pages.getStore();
  if (page !== undefined) page.isMissing = true;
  return words;
}

/** Called by Next.js. The page's reference is in the log. */
export function pageFailed(error: unknown): void {
  const page = pages.getStore();
  if (page !== undefined && error instanceof Error && brokenForm.test(error.message)) {
    page.status = 400;
    return;
  }
  if (page !== undefined && error instanceof Error && Reflect.get(error, "code") === "PROF003") {
    page.status = 404;
    return;
  }
  if (page !== undefined && isConnectionFailure(error)) page.status = 503;
  const digest = error instanceof Error ? Reflect.get(error, "digest") : undefined;
  const requestId = typeof digest === "string" ? digest : undefined;
  engine().log.error("a page failed", { requestId, error });
}

// In the words of Node.js for a form sent before scripts run, and of busboy for one that a script sends.
const brokenForm =
  /^(Failed to parse body as FormData|Unexpected end of form$|Malformed part header$|Malformed content type$|Multipart: Boundary not found$)/;
