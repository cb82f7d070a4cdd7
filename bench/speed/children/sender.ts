import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { quantile } from "../quantile";
import { unpacked } from "../requests";

// A process of its own: sends what is signed already over connections that it keeps, each the next
// request when the one before is answered, until the time is up or all are sent. Where so many a second are ordered, each
// has its own time, and what it waits behind others counts.

export interface Sent {
  answered: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
  /** By status, and `broken` for a connection that ended without an answer. */
  outcomes: Record<string, number>;
}

interface Order {
  host: string;
  port: number;
  connections: number;
  seconds: number;
  requests: Buffer[];
  /** Null: as many as can. */
  perSecond: number | null;
}

async function send({
  host,
  port,
  connections,
  seconds,
  requests,
  perSecond,
}: Order): Promise<Sent> {
  const outcomes: Record<string, number> = {};
  const latencies: number[] = [];
  let next = 0;
  const began = performance.now();
  const end = began + seconds * 1_000;

  function line(): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect({ host, port, noDelay: true });
      let sentAt = 0;
      let pending: Buffer = Buffer.alloc(0);
      const note = (outcome: string) => {
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      };
      const ask = () => {
        const nth = next++;
        const request = performance.now() < end ? requests[nth] : undefined;
        if (request === undefined) return finish(socket, resolve);
        sentAt = perSecond === null ? performance.now() : began + (nth * 1_000) / perSecond;
        doAt(() => socket.write(request), sentAt);
      };
      socket.on("connect", ask);
      socket.on("data", (chunk) => {
        pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
        const answer = answerIn(pending);
        if (answer === null) return;
        latencies.push(performance.now() - sentAt);
        note(answer.status);
        pending = Buffer.alloc(0);
        ask();
      });
      socket.on("error", () => {
        note("broken");
        finish(socket, resolve);
      });
      socket.on("close", () => resolve());
    });
  }

  await Promise.all(Array.from({ length: connections }, line));
  return { ...summaryOf(latencies), seconds: (performance.now() - began) / 1_000, outcomes };
}

function summaryOf(latencies: number[]) {
  const [p50Ms, p99Ms] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  return { answered: latencies.length, p50Ms, p99Ms };
}

function doAt(work: () => void, at: number): void {
  const waitMs = at - performance.now();
  if (waitMs <= 0) work();
  else setTimeout(work, waitMs);
}

function finish(socket: Socket, resolve: () => void): void {
  socket.removeAllListeners("close");
  socket.destroy();
  resolve();
}

const blank = Buffer.from("\r\n\r\n");

/** Null while it is not whole. No answer here comes in chunks. */
export function answerIn(bytes: Buffer): { status: string } | null {
  const head = bytes.indexOf(blank);
  if (head === -1) return null;
  const text = bytes.toString("latin1", 0, head);
  const [, length = "0"] = /\r\ncontent-length: *(\d+)/i.exec(text) ?? [];
  return bytes.length >= head + blank.length + Number(length)
    ? { status: text.slice(9, 12) }
    : null;
}

const [, , host = "", port = "", connections = "", seconds = "", file = "", rate] = process.argv;
if (file !== "") {
  const requests = unpacked(readFileSync(file));
  const order = { host, port: Number(port), connections: Number(connections), requests };
  const perSecond = rate === undefined ? null : Number(rate);
  const sent = await send({ ...order, seconds: Number(seconds), perSecond });
  process.stdout.write(JSON.stringify(sent));
}
