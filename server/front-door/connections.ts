import { AsyncResource } from "node:async_hooks";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { Env } from "@/lib/engine/env";
import { network } from "@/lib/engine/peer-guard";

type Bounds = Pick<Env, "MAX_CONNECTIONS" | "MAX_CONNECTIONS_PER_PEER" | "TRUST_PROXY_HOPS">;
type Serve = (request: IncomingMessage, response: ServerResponse) => void;

export interface Connections {
  /** Serves a request now, or after those that the same connection sent before it. */
  take: Serve;
  /** Waits until those that have connected by now are accepted: a turn of the event loop accepts one. */
  acceptWaiting(): Promise<void>;
  /** Exempts a connection that has stopped speaking HTTP. */
  keep(socket: Duplex): void;
}

// Each request that waits costs memory: a client that sends more before it reads an answer is cut off.
const pipelinedMax = 10;
// Between two pages: a page takes as long as some hundreds of these.
const acceptedMax = 256;
// Above this share of MAX_CONNECTIONS, each new connection closes the one that was idle longest or, without
// idle ones, the one whose request has been arriving, or whose answer has been unread, for longest.
const crowded = 4 / 5;
const idleMsMin = 1_000;
/** How long a response may wait for its reader to take a byte. */
const unreadMsMax = 30_000;

/** Bounds how many connections a peer has, and how much work and memory each of them takes. */
export function boundConnections(server: Server, bounds: Bounds, serve: Serve): Connections {
  // With the time since when they are idle, the longest first.
  const idle = new Map<Duplex, number>();
  const byPeer = new Map<string, Set<Duplex>>();
  // Waiting requests, bound to their own async context, by connection with a request under way.
  const waiting = new Map<Duplex, (() => void)[]>();
  // Ordered by the start of the request; those that have come whole are dropped when looked at.
  const coming = new Map<Duplex, IncomingMessage>();
  // With the time since when they are answered, the longest first.
  const answering = new Map<Duplex, number>();
  let open = 0;
  let accepted = 0;
  let accepting: Promise<void> | null = null;

  server.maxConnections = bounds.MAX_CONNECTIONS;
  server.timeout = unreadMsMax;
  server.on("connection", (socket: Socket) => {
    accepted++;
    const own = ownConnections(socket);
    if (own !== null && own.size >= bounds.MAX_CONNECTIONS_PER_PEER) {
      const oldestIdle = [...own].find((other) => idle.has(other));
      if (oldestIdle === undefined) return socket.destroy();
      own.delete(oldestIdle);
      close(oldestIdle);
    }
    open++;
    if (open > crowded * bounds.MAX_CONNECTIONS) makeRoom();
    own?.add(socket);
    idle.set(socket, performance.now());
    socket.once("close", () => {
      open--;
      idle.delete(socket);
      coming.delete(socket);
      waiting.delete(socket);
      answering.delete(socket);
    });
  });
  server.on("timeout", (socket) => {
    const isWorking = waiting.has(socket) && socket.writableLength === 0;
    if (!isWorking) socket.destroy();
  });

  // No connection could be closed for this one; the next one has room.
  server.on("drop", makeRoom);

  function makeRoom(): void {
    const [[longestIdle, since] = []] = idle;
    // A connection this new is about to send its request.
    const isNew = since !== undefined && performance.now() - since < idleMsMin;
    const busy = () => longestComing() ?? longestUnread();
    const leaving = isNew ? (busy() ?? longestIdle) : (longestIdle ?? busy());
    if (leaving !== undefined) close(leaving);
  }

  function longestComing(): Duplex | undefined {
    for (const [socket, { complete }] of coming) {
      if (!complete) return socket;
      coming.delete(socket);
    }
    return undefined;
  }

  function longestUnread(): Duplex | undefined {
    for (const [socket, since] of answering) {
      if (performance.now() - since < idleMsMin) return undefined;
      if (socket.writableLength > 0) return socket;
    }
    return undefined;
  }

  async function untilQuiet(): Promise<void> {
    // The first turn may be over already.
    for (let turn = 0, quiet = 0; turn < acceptedMax && quiet < 2; turn++) {
      const before = accepted;
      await setImmediate();
      quiet = accepted === before ? quiet + 1 : 0;
    }
  }

  // Null for sockets of our own proxies: each carries many clients, and the proxy has to bound those.
  function ownConnections(socket: Socket): Set<Duplex> | null {
    if (bounds.TRUST_PROXY_HOPS > 0) return null;
    const peer = network(socket.remoteAddress ?? "");
    const own = byPeer.get(peer) ?? new Set();
    byPeer.set(peer, own);
    socket.once("close", () => {
      own.delete(socket);
      if (own.size === 0 && byPeer.get(peer) === own) byPeer.delete(peer);
    });
    return own;
  }

  // Its close event comes later, and it must not be chosen again until then.
  function close(socket: Duplex): void {
    idle.delete(socket);
    coming.delete(socket);
    answering.delete(socket);
    socket.destroy();
  }

  function start(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (!request.complete) coming.set(socket, request);
    answering.set(socket, performance.now());
    response.once("close", () => {
      coming.delete(socket);
      answering.delete(socket);
      if (socket.destroyed) return;
      const next = waiting.get(socket)?.shift();
      if (next !== undefined) return next();
      waiting.delete(socket);
      idle.set(socket, performance.now());
    });
    serve(request, response);
  }

  return {
    take(request, response) {
      const { socket } = request;
      // The parser still emits the rest of its input.
      if (socket.destroyed) return;
      const behind = waiting.get(socket);
      if (behind === undefined) {
        waiting.set(socket, []);
        idle.delete(socket);
        start(request, response);
      } else if (behind.length < pipelinedMax) {
        behind.push(AsyncResource.bind(() => start(request, response)));
      } else {
        cutOff(socket);
      }
    },
    acceptWaiting() {
      accepting ??= untilQuiet().finally(() => {
        accepting = null;
      });
      return accepting;
    },
    keep: (socket) => void idle.delete(socket),
  };
}

// Makes the parser stop, which would otherwise handle up to a thousand requests it has read. Not a public part
// of Node.js; without it, cutting off takes longer and works as well.
function cutOff(socket: Socket & { parser?: { onIncoming: () => number } }): void {
  if (socket.parser) socket.parser.onIncoming = () => skipTheRest;
  socket.destroy();
}

const skipTheRest = 2;
