import { connect, type Socket } from "node:net";

export interface Answer {
  status: number;
  /** Names in lower case; one that came twice is joined by a comma. */
  headers: Map<string, string>;
  body: Buffer;
}

export interface Heard {
  answers: Answer[];
  /** Bytes that are no answer, or more than one. */
  rest: number;
  isLate: boolean;
  ms: number;
}

export const answerMsMax = 2_000;
// What comes late is still heard: it tells what was stored.
const patienceMsMax = 10_000;

export interface Line {
  /** One request on a connection that is kept open. */
  ask(bytes: Buffer, isHead: boolean): Promise<Heard>;
  /** Whatever bytes on a connection of their own; where they are cut off, it closes after the last one. */
  askOnce(bytes: Buffer, isHead: boolean, isCut: boolean): Promise<Heard>;
  /** The same, heard until the other end closes: every answer there is. */
  askOut(bytes: Buffer, isHead: boolean): Promise<Heard>;
  close(): void;
}

export function openLine(host: string, port: number): Line {
  let kept: Socket | null = null;

  async function ask(bytes: Buffer, isHead: boolean): Promise<Heard> {
    const socket = kept ?? connect({ host, port, noDelay: true });
    kept = socket;
    const heard = await listen(socket, { bytes, isHead, until: "answer" });
    const [answer] = heard.answers;
    const isOver = heard.rest > 0 || answer?.headers.get("connection") === "close";
    if (answer === undefined || isOver || socket.destroyed) {
      socket.destroy();
      kept = null;
    }
    return heard;
  }

  async function askAlone(asking: Asking): Promise<Heard> {
    const socket = connect({ host, port, noDelay: true, allowHalfOpen: true });
    const heard = await listen(socket, asking);
    socket.destroy();
    return heard;
  }

  return {
    ask,
    askOnce: (bytes, isHead, isCut) => askAlone({ bytes, isHead, isCut, until: "last answer" }),
    askOut: (bytes, isHead) => askAlone({ bytes, isHead, until: "closed" }),
    close: () => kept?.destroy(),
  };
}

/** A last answer says that it closes, and is let close: something may follow that should not. */
type Until = "answer" | "last answer" | "closed";
type Asking = { bytes: Buffer; isHead: boolean; isCut?: boolean; until: Until };

function listen(socket: Socket, { bytes, isHead, isCut, until }: Asking): Promise<Heard> {
  const began = performance.now();
  let received = Buffer.alloc(0);
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      for (const event of ["data", "end", "close", "error"]) socket.removeAllListeners(event);
      // Late resets of a connection that nobody reads any more.
      socket.on("error", () => {});
      const { answers, rest } = readAnswers(received, isHead);
      const ms = performance.now() - began;
      resolve({ answers, rest, isLate: ms > answerMsMax, ms });
    };
    const timer = setTimeout(finish, patienceMsMax);
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const last = readAnswers(received, isHead).answers.at(-1);
      if (last === undefined || until === "closed") return;
      if (until === "answer" || last.headers.get("connection") !== "close") finish();
    });
    for (const event of ["end", "close", "error"]) socket.on(event, finish);
    if (isCut) socket.end(bytes);
    else socket.write(bytes);
  });
}

function readAnswers(bytes: Buffer, isHead: boolean): { answers: Answer[]; rest: number } {
  const answers: Answer[] = [];
  let from = 0;
  for (;;) {
    const end = bytes.indexOf("\r\n\r\n", from);
    if (end === -1) break;
    const [line = "", ...fields] = bytes.toString("latin1", from, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(line)?.[1]);
    const headers = headersOf(fields);
    const bodyEnd = end + 4 + bodyLength({ status, headers, isHead, left: bytes.length - end - 4 });
    if (Number.isNaN(status + bodyEnd) || bodyEnd > bytes.length) break;
    // 1xx only announces the answer.
    if (status >= 200) answers.push({ status, headers, body: bytes.subarray(end + 4, bodyEnd) });
    from = bodyEnd;
  }
  return { answers, rest: bytes.length - from };
}

type Head = { status: number; headers: Map<string, string>; isHead: boolean; left: number };

function bodyLength({ status, headers, isHead, left }: Head): number {
  if (isHead || status < 200) return 0;
  // The gateway counts its bodies; only what is not its own comes in chunks.
  if (headers.get("transfer-encoding") === "chunked") return left;
  return Number(headers.get("content-length") ?? Number.NaN);
}

function headersOf(fields: string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (const field of fields) {
    const colon = field.indexOf(":");
    const name = field.slice(0, colon).toLowerCase();
    const value = field.slice(colon + 1).trim();
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return headers;
}
