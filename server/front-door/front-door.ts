import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Engine } from "@/lib/engine/engine";
import { startWatchdog } from "@/lib/engine/load/watchdog";
import { newId } from "@/lib/engine/random";
import { connectRoute } from "@/lib/http/oauth/connect-routes";
import { answeringPage } from "@/lib/http/page-failure";
import {
  peerHeader,
  peerHeaderValue,
  prefetchHeader,
  proxiedHeader,
  requestIdOf,
} from "@/lib/http/peer";
import type { Fields, Target } from "@/lib/http/protocol-request";
import type { Answering } from "@/lib/http/protocol-route";
import { type Reply, refuse, refuseAt, refuseOtherName } from "@/lib/http/reply";
import { mayBeInPopup, securityHeaders } from "@/lib/http/security-headers";
import { type GatewayError, malformedRequest } from "@/lib/protocol/errors";
import { boundConnections } from "./connections";
import { queueFailingPeers } from "./failing-peers";
import { framingFault, headersMax } from "./framing";
import { queueForNext } from "./next-queue";
import { keepOwnCookies } from "./own-cookies";
import { paceRefusals } from "./paced-refusals";
import { pageFault } from "./page-fault";
import { pathTemplate } from "./path-template";
import { fieldsOf, incomingFrom, writeRaw, writeReply } from "./wire";

export interface FrontDoorSettings {
  engine: Engine;
  /** Returns the answer to this method and target under /prof; without it, Next.js answers. */
  protocolRoute?: (method: string, target: Target) => Answering;
  /** Everything else. */
  next: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;
  /** The ids of the server actions that Next.js has. */
  actions?: ReadonlySet<string>;
}

const isProtocol = /^\/prof(\/|\?|$)/;

// One node:http server in front of Next.js. It settles what Next.js would rewrite, redirect or answer by
// itself, and calls the protocol's routes directly.
export function createFrontDoor({
  engine,
  protocolRoute,
  next,
  upgrade,
  actions,
}: FrontDoorSettings): Server {
  const https = engine.env.PUBLIC_URL[0]?.startsWith("https:") ?? false;

  const watchdog = startWatchdog(engine);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const incoming = incomingFrom(request);
    const fault = framingFault(request, incoming);
    if (fault !== null) return reply(response, refuse(incoming.fields, fault));
    const otherName = refuseOtherName(engine, incoming.fields, request.url ?? "");
    if (otherName !== null) return reply(response, otherName);
    const { url = "" } = request;
    const route =
      protocolRoute !== undefined && isProtocol.test(url)
        ? protocolRoute(incoming.method, incoming)
        : connectRoute(incoming.method, url, incoming);
    const pageRefusal = route === null ? pageFault(request, { env: engine.env, actions }) : null;
    if (pageRefusal !== null) {
      return reply(response, refuseAt(url, incoming.fields, pageRefusal));
    }
    if (request.headers.expect !== undefined && request.httpVersion === "1.1") {
      response.writeContinue();
    }
    if (route !== null) {
      const answered = await answerInTurn(response, () => {
        watch(request, response);
        return route(incoming);
      });
      return answered === null ? undefined : reply(response, answered);
    }
    keepOwnCookies(request);
    return answerWithNext(request, response);
  }

  async function reply(response: ServerResponse, answered: Reply): Promise<void> {
    await refuseInTurn(response.req, answered.status);
    writeReply(response, answered);
  }

  const refuseInTurn = paceRefusals(engine);
  const answerInTurn = queueFailingPeers(engine);
  const answerWithNext = queueForNext({
    engine,
    letOthersIn: () => connections.acceptWaiting(),
    next(request, response) {
      watch(request, response);
      const headers = securityHeaders({ https, inPopup: mayBeInPopup(request.url ?? "") });
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      return answeringPage(response, () => next(request, response));
    },
  });

  // From when its work begins: a request that only waits blocks nothing.
  function watch(request: IncomingMessage, response: ServerResponse): void {
    const { method = "", url = "" } = request;
    const requestId = requestIdOf(fieldsOf(request.headers)) ?? "";
    const endpoint = () => pathTemplate(url);
    response.once("close", watchdog.enter({ requestId, method, endpoint }));
  }

  function serve(request: IncomingMessage, response: ServerResponse): void {
    identify(request, { requestId: newId("req"), trustProxyHops: engine.env.TRUST_PROXY_HOPS });
    answer(request, response).catch((error: unknown) => {
      engine.log.error("a request was not answered", { error });
      response.destroy();
    });
  }

  const server = createServer(patience);
  const connections = boundConnections(server, engine.env, serve);
  server.on("request", connections.take);
  server.on("close", watchdog.stop);
  // One more than the limit, so that framing.ts notices an excess.
  server.maxHeadersCount = headersMax + 1;
  // Node would answer 417 itself; framing.ts refuses what cannot be met.
  server.on("checkExpectation", connections.take);
  // Node would ask for the body itself; a body that is too large is refused without it.
  server.on("checkContinue", connections.take);
  refuseWhatIsNoRequest(server);
  if (upgrade !== undefined) {
    server.on("upgrade", (request, socket, head) => {
      if (refuseOtherName(engine, fieldsOf(request.headers), "") !== null) return socket.destroy();
      connections.keep(socket);
      upgrade(request, socket, head).catch((error: unknown) => {
        engine.log.error("an upgrade was not answered", { error });
        socket.destroy();
      });
    });
  }
  return server;
}

const patience = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  insecureHTTPParser: false,
  // Node's own answer to a missing Host lacks our headers; framing.ts refuses it.
  requireHostHeader: false,
};

function refuseWhatIsNoRequest(server: Server): void {
  // The last request of each connection that has no answer yet.
  const unanswered = new WeakMap<Duplex, ServerResponse>();
  server.prependListener("request", ({ socket }, response) => {
    unanswered.set(socket, response);
    response.on("close", () => {
      if (unanswered.get(socket) === response) unanswered.delete(socket);
    });
  });
  server.on("connect", (_request, socket: Duplex) => {
    refuseRaw(socket, malformedRequest("This gateway is no proxy: it takes no CONNECT."));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy();
    const fault = parserFault(error.code);
    const last = unanswered.get(socket);
    if (last === undefined) return refuseRaw(socket, fault);
    // A whole request has its answer under way: refusing what follows must not be taken for it.
    if (last.req.complete) return last.on("finish", () => socket.end());
    writeReply(last, refuse(peerFields(socket), fault));
  });
}

// To bytes that never became a request.
function refuseRaw(socket: Duplex, fault: GatewayError): void {
  socket.on("error", () => socket.destroy());
  writeRaw(socket, refuse(peerFields(socket), fault));
}

function peerFields(socket: Duplex): Fields {
  return fieldsOf({ [peerHeader]: socketPeer(socket) });
}

interface Identity {
  requestId: string;
  trustProxyHops: number;
}

// Removes headers that only we or a proxy may set.
function identify({ headers, socket }: IncomingMessage, { requestId, trustProxyHops }: Identity) {
  const isProxied = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  for (const name of Object.keys(headers)) {
    const isProxys = name === "forwarded" || name.startsWith("x-forwarded-");
    if (name.startsWith("x-gateway-") || (isProxys && trustProxyHops === 0)) delete headers[name];
  }
  headers[peerHeader] = socketPeer(socket, requestId);
  if (isProxied) headers[proxiedHeader] = "1";
  // With any other value of either, Next.js renders the page.
  if (headers.rsc === "1" && headers["next-router-prefetch"] === "1") {
    headers[prefetchHeader] = "1";
  }
}

function socketPeer(socket: Duplex, requestId?: string): string {
  return peerHeaderValue(socket instanceof Socket ? (socket.remoteAddress ?? "") : "", requestId);
}

function parserFault(code: string | undefined): GatewayError {
  if (code === "HPE_HEADER_OVERFLOW") {
    return malformedRequest("The request's headers are larger than 16 KiB.", 431);
  }
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return malformedRequest("The request was not complete in time. Send it again, whole.", 408);
  }
  return malformedRequest("The request is not well-formed HTTP/1.1.");
}
