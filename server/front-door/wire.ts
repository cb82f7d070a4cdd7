import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type Fields, type ProtocolRequest, targetOf } from "@/lib/http/protocol-request";
import type { Reply } from "@/lib/http/reply";

// Converts between node:http and the requests and answers of routes.

export function incomingFrom(message: IncomingMessage): ProtocolRequest {
  const { method = "", url = "", headers } = message;
  return {
    method,
    ...targetOf(url),
    host: headers.host ?? "",
    fields: fieldsOf(headers),
    // A handler that stops reading in the middle still wants to answer over the same connection.
    body: bodiless.has(method) ? null : message.iterator({ destroyOnReturn: false }),
  };
}

export const bodiless: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/**
 * Resolves once the whole body, more than `bytesMax` of it, or the end of the connection has arrived. Later
 * readers still get all of it.
 */
export function arrival(request: IncomingMessage, bytesMax: number): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = () => {
      // Reading more than there is would end the stream.
      const { readableLength } = request;
      if (readableLength > 0) chunks.push(request.read(readableLength));
      length += readableLength;
      if (request.complete || length > bytesMax) stop();
    };
    const stop = () => {
      request.off("readable", take).off("close", stop);
      const body = Buffer.concat(chunks);
      if (length > 0 && !request.destroyed) request.unshift(body);
      resolve(body);
    };
    if (request.complete) return take();
    request.on("readable", take).on("close", stop);
  });
}

export function fieldsOf(headers: IncomingHttpHeaders): Fields {
  return {
    get(name) {
      const value = headers[name] ?? null;
      return Array.isArray(value) ? value.join(", ") : value;
    },
  };
}

export function writeReply(response: ServerResponse, { status, headers, text }: Reply): void {
  // Refused in the meantime, or the client is gone.
  if (response.headersSent || response.destroyed) return;
  const { req: request } = response;
  const fields = [...headers, "Content-Length", String(Buffer.byteLength(text))];
  // Unread bytes would be taken for the next request.
  if (!request.complete) fields.push("Connection", "close");
  response.writeHead(status, fields);
  response.end(request.method === "HEAD" ? undefined : text);
  if (!request.complete) linger(request);
}

/** An answer to bytes that never became a request. */
export function writeRaw(socket: Duplex, { status, headers, text }: Reply): void {
  const lines = [`HTTP/1.1 ${status} ${statusWord(status)}`];
  for (let at = 0; at < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  lines.push(`Content-Length: ${Buffer.byteLength(text)}`, "Connection: close");
  socket.end(`${lines.join("\r\n")}\r\n\r\n${text}`);
  // A client that never closes its half keeps no slot.
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMsMax).unref();
}

const lingerMsMax = 1_000;
const lingerBytesMax = 16 * 1024 * 1024;

// Closing on unread bytes resets the connection and can take the answer with it: close our half, swallow a
// little, then close the rest.
function linger(request: IncomingMessage): void {
  const { socket } = request;
  // node:http calls this once the answer is written.
  socket.destroySoon = () => socket.end();
  let swallowed = 0;
  const timer = setTimeout(() => request.destroy(), lingerMsMax);
  request.on("close", () => clearTimeout(timer));
  request.on("data", (chunk: Buffer) => {
    swallowed += chunk.length;
    if (swallowed > lingerBytesMax) request.destroy();
  });
}

function statusWord(status: number): string {
  if (status === 408) return "Request Timeout";
  if (status === 431) return "Request Header Fields Too Large";
  return "Bad Request";
}
