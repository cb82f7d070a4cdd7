import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, vi } from "vitest";
import { testNow } from "../harness";

// A webhook of an agent's on loopback. It verifies by the package that receivers use, which has its own clock.

export interface ReceivedMessage {
  id: string;
  type: string;
  data: Record<string, unknown>;
}

export interface Receiver {
  url: string;
  /** What was accepted, in this order. */
  messages: ReceivedMessage[];
  /** How many requests arrived. */
  requests(): number;
  /** The secret that it verifies with; without one it believes everything. */
  trust(secret: string): void;
  /** Answers like this from now on, or as usual. */
  answerBy(listener: RequestListener | null): void;
}

/** Sets the clock of this file to the tests' time. Call it at the top of the file. */
export function stopClock(): void {
  vi.useFakeTimers({ now: testNow, toFake: ["Date"] });
  afterAll(() => {
    vi.useRealTimers();
  });
}

/** Await it at the top of the file. */
export async function startReceiver(): Promise<Receiver> {
  const messages: ReceivedMessage[] = [];
  let count = 0;
  let webhook: Webhook | null = null;
  let other: RequestListener | null = null;
  const server = createServer((request, response) => {
    count++;
    if (other !== null) return other(request, response);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      const { headers } = request;
      try {
        webhook?.verify(body, headers as Record<string, string>);
      } catch {
        return response.writeHead(401).end("not signed by my secret");
      }
      messages.push({ id: String(headers["webhook-id"]), ...JSON.parse(body) });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    messages,
    requests: () => count,
    trust: (secret) => {
      webhook = new Webhook(secret);
    },
    answerBy: (listener) => {
      other = listener;
    },
  };
}
