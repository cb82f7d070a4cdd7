import { createServer, request as forward, type IncomingMessage, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "@/server/listen";

export interface Answer {
  status: number;
  headers: Record<string, string>;
  json: unknown;
}

export interface Fault {
  name: string;
  /** The check that has to notice. */
  caughtBy: string;
  /** Changes the answer, or gives another in its place. */
  spoil: (answer: Answer, input: Input) => Answer | undefined;
}

export interface Input {
  method: string;
  target: string;
  /** The last success of that method and path, for gateways that accept what they must not. */
  lastSuccess: Answer | undefined;
}

/** A gateway that keeps every promise of `url` but one. */
export async function startFaulty(
  url: string,
  { spoil }: Fault,
): Promise<{ server: Server; url: string }> {
  const successes = new Map<string, Answer>();
  const server = createServer(async (incoming, response) => {
    const answer = await ask(url, incoming);
    const { method = "", url: target = "" } = incoming;
    const key = `${method} ${target.split("?")[0]}`;
    const spoilt =
      spoil(answer, { method, target, lastSuccess: copy(successes.get(key)) }) ?? answer;
    if (answer.status < 300) successes.set(key, answer);
    const text = typeof spoilt.json === "string" ? spoilt.json : JSON.stringify(spoilt.json);
    response.writeHead(spoilt.status, spoilt.headers).end(method === "HEAD" ? undefined : text);
  });
  return { server, url: `http://127.0.0.1:${await listen(server, "127.0.0.1", 0)}` };
}

async function ask(url: string, incoming: IncomingMessage): Promise<Answer> {
  const { method, url: path, rawHeaders: headers } = incoming;
  const body = await buffer(incoming);
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const outgoing = forward({ hostname, port, method, path, headers }, (response) => {
      buffer(response).then((bytes) => {
        const { "content-length": _, connection: __, ...rest } = response.headers;
        const own = Object.entries(rest).map(([name, value]) => [name, String(value)]);
        const json = bytes.length === 0 ? "" : JSON.parse(bytes.toString("utf8"));
        resolve({ status: response.statusCode ?? 0, headers: Object.fromEntries(own), json });
      }, reject);
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function copy(answer: Answer | undefined): Answer | undefined {
  return answer && structuredClone(answer);
}
