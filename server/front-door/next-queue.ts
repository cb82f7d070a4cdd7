import type { IncomingMessage, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import type { Engine } from "@/lib/engine/engine";
import { createRecentSums } from "@/lib/engine/load/recent-sums";
import { createWorkSlots, holdingSlot, type WorkSlots } from "@/lib/engine/load/work-slots";
import { network } from "@/lib/engine/peer-guard";
import { bodyBytesMax } from "@/lib/http/body";
import { peerOf } from "@/lib/http/peer";
import { targetOf } from "@/lib/http/protocol-request";
import { refuseAt, retryAfterSeconds } from "@/lib/http/reply";
import { busy } from "@/lib/protocol/errors";
import { seenAs } from "@/lib/services/accounts/secret-token";
import { actionFault } from "./action-body";
import { formBytesMaxOf, isImport } from "./framing";
import { arrival, fieldsOf, writeReply } from "./wire";

export interface QueueSettings {
  engine: Pick<Engine, "env" | "seenSessions">;
  next: Answer;
  letOthersIn: () => Promise<void>;
}

/** A line of waiting requests, and whose turn it is. */
interface Line {
  places: WorkSlots;
  /** The account of its session; without it, the network takes its turn. */
  account?: string;
  /** Before others that wait in it. */
  isFirst?: boolean;
  /** Whether the slot rests afterwards, so that others get the thread. */
  rests?: boolean;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

// A slot is for the thread. If it is held while the thread idles, the request waits for something else, such as
// a lock.
const lookMs = 25;
const idleMin = 0.5;
// However busy the thread is.
const heldMsMax = 5_000;
/** Memory for pages with slow readers, in total: beyond it, rendering waits. */
const unreadBytesMax = 64 * 1024 * 1024;

/** Bounds how many requests Next.js answers at a time; each begins after `letOthersIn`. Probes, files and pages do not wait for each other. */
export function queueForNext({ engine, next, letOthersIn }: QueueSettings): Answer {
  const { env, seenSessions } = engine;
  const probes = createWorkSlots(several);
  const files = createWorkSlots(several);
  const streams = createWorkSlots(several);
  const imports = createWorkSlots(several);
  const pages = createWorkSlots(onePerAccount);
  const publicPages = createWorkSlots(one);
  const docs = createWorkSlots(one);
  const signIns = createWorkSlots(one);
  const used = createRecentSums(usedKeptMs);

  function lineFor({ method = "", headers }: IncomingMessage, path: string): Line {
    if (isProbe.test(path)) return { places: probes };
    if (isFile.test(path)) return { places: files };
    if (isStream.test(path)) return { places: streams };
    if (isImport.test(path)) return { places: imports };
    if (isAuth.test(path)) return { places: signIns };
    const account = isApi.test(path) || isOwn.test(path) ? accountOf(headers.cookie) : undefined;
    if (account !== undefined) {
      return { places: pages, account, isFirst: used.of(account) < usedMsMax };
    }
    if (isDocs.test(path)) return { places: docs, rests: true };
    if (method === "POST") return { places: signIns };
    return { places: publicPages, rests: true, isFirst: isEntrance.test(path) };
  }

  // Anybody can invent a cookie: it counts as a stranger's until a session was found for it.
  function accountOf(cookies = ""): string | undefined {
    const token = session.exec(cookies)?.[1];
    return token === undefined ? undefined : seenSessions.get(seenAs(token));
  }

  return async (request, response) => {
    const { url = "" } = request;
    const path = decodedPath(request);
    const fields = fieldsOf(request.headers);
    if (hasBody(request) && !isImport.test(path)) {
      // A slow body makes nobody wait.
      const body = await arrival(request, bytesMaxOf(path));
      const fault = actionFault(request.headers, body);
      if (fault !== null) return writeReply(response, refuseAt(url, fields, fault));
    }
    const peer = peerOf(fields, env.TRUST_PROXY_HOPS);
    await new Promise<void>((resolve, reject) => {
      if (response.headersSent || response.destroyed) return resolve();
      let leave = () => {};
      const gone = () => {
        leave();
        resolve();
      };
      response.once("close", gone);
      const { places, account, isFirst, rests } = lineFor(request, path);
      leave = places.take(account ?? (peer === null ? null : network(peer)), {
        isFirst,
        begin(leavePlace) {
          response.off("close", gone);
          const began = performance.now();
          let isLeft = false;
          const release = () => {
            if (isLeft) return;
            isLeft = true;
            const ms = performance.now() - began;
            if (account !== undefined) used.add(account, ms);
            if (rests) setTimeout(leavePlace, Math.min(ms, restMsMax));
            else leavePlace();
          };
          const work = async () => {
            await letOthersIn();
            return next(request, response);
          };
          holding(response, release, work).then(resolve, reject);
        },
        refuse() {
          writeReply(response, refuseAt(url, fields, busy(tooManyWait, retryAfterSeconds)));
          resolve();
        },
      });
    });
  };
}

const several = { underWayMax: 4, underWayMaxPerPeer: 2 };
// All pages share one thread: an account's concurrent pages would finish no earlier.
const onePerAccount = { underWayMax: 2, underWayMaxPerPeer: 1 };
// Accounts whose pages took more within a minute wait for others.
const usedMsMax = 5_000;
const usedKeptMs = 60_000;
// After a stranger's page, the slot rests for up to as long as it took, waiting included.
const restMsMax = 100;
// One page takes up to 45 ms of the only thread, and strangers may ask for it. More at once would finish no
// earlier and delay everybody else. Forms and sign-ins do not delay reading.
const one = { underWayMax: 1, underWayMaxPerPeer: 1 };

const tooManyWait = "Too many requests are waiting. Send this one again shortly.";
const isStream = /^\/api\/live$/;
// Exactly these; unknown paths below them are pages.
const isProbe = /^\/api\/(health|health\/ready|metrics)$/;
const isAuth = /^\/api\/auth(\/|$)/;
const isApi = /^\/api(\/|$)/;
const isOwn = /^\/(dashboard|admin)(\/|$)/;
const session = /(?:^|; )(?:__Host-)?gateway-session=([^;]{1,64})(?:;|$)/;
const isEntrance = /^\/sign-(in|up)$/;
const isDocs = /^\/docs(\/|$)/;
const isFile = /^\/_next\/static\//;

/** As Next.js reads it. */
function decodedPath(request: IncomingMessage): string {
  return `/${(targetOf(request.url ?? "").segments ?? []).join("/")}`;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;
}

function bytesMaxOf(path: string): number {
  return path.startsWith("/api/") ? bodyBytesMax : formBytesMaxOf(path.slice(1).split("/")[0]);
}

// Rendering goes on after its reader has left, so its slot is kept until it ends. Files and streams have no
// rendering after their headers, and an unread one would keep its slot.
async function holding(
  response: ServerResponse,
  release: () => void,
  work: () => Promise<void>,
): Promise<void> {
  const began = performance.now();
  let last = performance.eventLoopUtilization();
  const look = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(last);
    last = performance.eventLoopUtilization();
    if (utilization < 1 - idleMin || performance.now() - began > heldMsMax) leave();
  }, lookMs);
  // A file whose reader is gone never ends.
  const leave = () => {
    clearInterval(look);
    release();
  };
  // Emitted when all of the answer has been written, though not yet read.
  response.once("prefinish", leave);
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = (...head: unknown[]) => {
    const written = writeHead(...head);
    if (!isPage(response)) leave();
    return written;
  };
  keepUnread(response);
  try {
    await holdingSlot(leave, work);
  } finally {
    leave();
  }
}

const unread = new Set<ServerResponse>();

// Next.js stops to render where a write says that the reader is slow.
function keepUnread(response: ServerResponse): void {
  const write = response.write.bind(response) as (...chunk: unknown[]) => boolean;
  response.write = (...chunk: unknown[]) => {
    const isRead = write(...chunk);
    if (isRead || !isPage(response)) return isRead;
    unread.add(response);
    return unreadBytes() <= unreadBytesMax;
  };
}

function unreadBytes(): number {
  let bytes = 0;
  for (const response of unread) {
    if (response.closed || response.writableLength === 0) unread.delete(response);
    else bytes += response.writableLength;
  }
  return bytes;
}

function isPage(response: ServerResponse): boolean {
  return /^text\/(html|x-component)/.test(String(response.getHeader("content-type")));
}
