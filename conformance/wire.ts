import http, { type IncomingHttpHeaders } from "node:http";
import https from "node:https";

// Requests as they are written, with no library to tidy them: a target is sent unchanged, a header
// may come twice, and no redirect is followed.

export interface RawRequest {
  method: string;
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array<ArrayBuffer> | null;
  chunked?: boolean;
}

export interface RawReply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Wire {
  send(request: RawRequest): Promise<RawReply>;
  close(): void;
}

const answerMsMax = 10_000;

export function openWire(baseUrl: string): Wire {
  const { protocol, hostname, port, host } = new URL(baseUrl);
  const library = protocol === "https:" ? https : http;
  const agent = new library.Agent({ keepAlive: true, maxSockets: 32 });
  // An IPv6 address stands in brackets in an address only.
  const place = { hostname: hostname.replace(/^\[|\]$/g, ""), port };

  function send({ method, target, headers, body, chunked }: RawRequest): Promise<RawReply> {
    const length = chunked
      ? ["Transfer-Encoding", "chunked"]
      : ["Content-Length", String(body?.length)];
    const lines = ["Host", host, ...headers.flat(), ...(body === null ? [] : length)];
    return new Promise((resolve, reject) => {
      const request = library.request({ ...place, agent, method, path: target, headers: lines });
      request.setTimeout(answerMsMax, () => request.destroy(new Error("no answer within 10 s")));
      request.on("error", reject);
      request.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, text: Buffer.concat(chunks).toString("utf8") });
        });
      });
      request.end(body ?? undefined);
    });
  }

  return { send, close: () => agent.destroy() };
}
