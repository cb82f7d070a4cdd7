import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { type Duplex, Readable } from "node:stream";
import { madeOf } from "@/lib/http/reply";

// Between node:http, where the front door lives, and the Request and Response that routes speak.

export function toRequest(message: IncomingMessage): Request {
  // No Request can have these methods. No endpoint takes them either: any other stands in for them.
  const isUnspeakable = /^(CONNECT|TRACE|TRACK)$/.test(message.method ?? "");
  const method = isUnspeakable ? "OPTIONS" : (message.method ?? "GET");
  const headers = toHeaders(message.headers);
  const bodiless = method === "GET" || method === "HEAD";
  const init: RequestInit & { duplex: "half" } = {
    method,
    headers,
    body: bodiless ? undefined : (Readable.toWeb(message) as ReadableStream<Uint8Array>),
    duplex: "half",
  };
  return new Request(`http://${message.headers.host ?? "gateway"}${message.url ?? "/"}`, init);
}

export function toHeaders(fields: IncomingHttpHeaders): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  }
  return headers;
}

export async function writeResponse(target: ServerResponse, response: Response): Promise<void> {
  // Refused in the meantime, or nobody is there any more.
  if (target.headersSent || target.destroyed) return;
  const made = madeOf(response);
  const body = made?.text ?? Buffer.from(await response.arrayBuffer());
  const headers = made ? Object.entries(made.headers) : [...response.headers];
  headers.push(["Content-Length", String(Buffer.byteLength(body))]);
  // Bytes of a request nobody will read would be taken for the next request.
  if (!target.req.complete) headers.push(["Connection", "close"]);
  target.writeHead(response.status, headers.flat());
  target.end(target.req.method === "HEAD" ? undefined : body);
  if (!target.req.complete) linger(target.req);
}

/** An answer to bytes that never became a request. */
export async function writeRaw(socket: Duplex, response: Response): Promise<void> {
  const body = await response.text();
  const lines = [`HTTP/1.1 ${response.status} ${statusWord(response.status)}`];
  for (const [name, value] of response.headers) lines.push(`${name}: ${value}`);
  lines.push(`content-length: ${Buffer.byteLength(body)}`, "connection: close");
  socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  // Whoever never closes its half keeps no place.
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMsMax).unref();
}

const lingerMsMax = 1_000;
const lingerBytesMax = 1024 * 1024;

// Closing on unread bytes resets the connection and can take the answer with it: swallow a little,
// then close.
function linger(request: IncomingMessage): void {
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
