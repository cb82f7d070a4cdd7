import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { text } from "node:stream/consumers";
import { baseUrl } from "./world";

export interface Outgoing {
  method: string;
  /** Path and query. */
  target: string;
  headers: Record<string, string>;
  body?: string | Uint8Array;
}

export interface Heard {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Longer than any answer may take. */
export const answerMsMax = 25_000;

export interface Line {
  /** Null where no whole answer came. */
  ask(port: number, outgoing: Outgoing): Promise<Heard | null>;
  close(): void;
}

/** After which a connection that nobody uses is given up: an answer may take longer. */
export const idleMsMax = 5_000;

/** Connections that one client keeps open. */
export function openLine(): Line {
  const agent = new Agent({ keepAlive: true, maxSockets: 16, timeout: idleMsMax });
  return {
    ask: (port, outgoing) => exchange(agent, port, outgoing).catch(() => null),
    close: () => agent.destroy(),
  };
}

const { host } = new URL(baseUrl);

function exchange(agent: Agent, port: number, outgoing: Outgoing): Promise<Heard> {
  const { method, target, headers, body } = outgoing;
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        agent,
        host: "127.0.0.1",
        port,
        method,
        path: target,
        headers: { ...headers, Host: host },
        signal: AbortSignal.timeout(answerMsMax),
      },
      (incoming) => {
        const { statusCode: status = 0 } = incoming;
        text(incoming).then(
          (heard) => resolve({ status, headers: incoming.headers, body: heard }),
          reject,
        );
      },
    );
    sending.once("error", reject);
    sending.end(body);
  });
}
