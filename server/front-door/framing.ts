import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { bodyBytesMax, bodyTooLarge, publicFormBytesMax } from "@/lib/http/body";
import { authorityIn, type Target } from "@/lib/http/protocol-request";
import { type GatewayError, malformedRequest, unauthorized } from "@/lib/protocol/errors";
import { queryPairsMax } from "@/lib/protocol/signature";
import { bodiless } from "./wire";

// The spec says nothing about these; proxies and frameworks read each in several ways, so none is let through.
export function framingFault(request: IncomingMessage, target: Target): GatewayError | null {
  const { method, headers, rawHeaders, httpVersion } = request;
  if (httpVersion !== "1.1" && httpVersion !== "1.0") {
    return malformedRequest("The request must be one of HTTP/1.1.");
  }
  if (rawHeaders.length > 2 * headersMax) {
    return malformedRequest(`The request has more than ${headersMax} headers.`, 431);
  }
  // Protocol 2: which of the two would be the caller?
  if (countHeader(rawHeaders, "authorization") > 1) return unauthorized();
  if (countHeader(rawHeaders, "host") !== 1 || authorityIn(headers.host ?? "") === null) {
    return malformedRequest("The request must have exactly one Host header, host or host:port.");
  }
  if (![undefined, "100-continue"].includes(headers.expect?.toLowerCase())) {
    return malformedRequest("No expectation can be met but 100-continue.");
  }
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && (coding.toLowerCase() !== "chunked" || httpVersion !== "1.1")) {
    return malformedRequest("A body comes with its Content-Length, or chunked and nothing else.");
  }
  const length = headers["content-length"] ?? "0";
  if (bodiless.has(method ?? "") && (length !== "0" || coding !== undefined)) {
    return malformedRequest(`A ${method} request takes no body.`);
  }
  return targetFault(request.url ?? "", target) ?? lengthFault(headers, target);
}

// As much as Next.js reads of a form, for which it makes a copy first.
const formBytesMax = 256 * 1024;

/** The bound of a form, by the first segment of the path that it is sent to. */
export function formBytesMaxOf(top = ""): number {
  return top === "dashboard" || top === "admin" ? formBytesMax : publicFormBytesMax;
}

// What they send is counted as it arrives.
const forPrograms = new Set<string | undefined>(["prof", "api", "mcp", "oauth", ".well-known"]);

/** Where an import is sent to, which counts what arrives. */
export const isImport = /^\/api\/profile\/(?:memories\/)?import$/;

// Browsers declare the length of a form.
function lengthFault(
  { "content-length": length = "0", "transfer-encoding": coding }: IncomingHttpHeaders,
  { segments }: Target,
): GatewayError | null {
  const [top] = segments ?? [];
  if (forPrograms.has(top)) {
    const isLarge = Number(length) > bodyBytesMax;
    return isLarge && !isImport.test(`/${segments?.join("/")}`) ? bodyTooLarge() : null;
  }
  if (coding !== undefined) return malformedRequest("A form comes with its Content-Length.");
  const bytesMax = formBytesMaxOf(top);
  return Number(length) > bytesMax
    ? malformedRequest(`The form must be at most ${bytesMax / 1024} KiB.`)
    : null;
}

/** Node.js silently drops headers beyond its own bound, so they would not be checked. */
export const headersMax = 200;

function targetFault(sent: string, { segments, query }: Target): GatewayError | null {
  if (!sent.startsWith("/")) {
    return malformedRequest("The request target must be a path that starts with a slash.");
  }
  if (!/^[\x21-\x7e]*$/.test(sent) || /[\\#]/.test(sent)) {
    return malformedRequest("The request target has a character that must be percent-encoded.");
  }
  if (/^[^?]*\/\//.test(sent)) {
    return malformedRequest("The path must not have two slashes in a row.");
  }
  if (segments === null) {
    return malformedRequest(
      "A path segment is not valid UTF-8, has a slash, backslash or control character in it, or is . or ..",
    );
  }
  if (query === null) {
    return malformedRequest(
      `The query must have at most ${queryPairsMax} parameters, percent-encoded as valid UTF-8.`,
    );
  }
  return null;
}

function countHeader(rawHeaders: string[], name: string): number {
  return rawHeaders.filter(
    (text, at) => at % 2 === 0 && text.length === name.length && text.toLowerCase() === name,
  ).length;
}
