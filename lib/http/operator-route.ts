import { createHash, timingSafeEqual } from "node:crypto";
import type { Engine } from "@/lib/engine/engine";
import { forbidden } from "@/lib/protocol/errors";
import { openExchange } from "./exchange";
import { proxiedHeader, socketPeerOf } from "./peer";
import { fail, responseOf } from "./reply";

/** For those who run the gateway: from this machine, or with METRICS_TOKEN. */
export function operatorRoute(answer: (engine: Engine) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    const exchange = openExchange(request.headers);
    try {
      if (!isOperator(request.headers, exchange.engine.env.METRICS_TOKEN)) {
        throw forbidden(
          "Ask from the gateway's own machine, or send METRICS_TOKEN as Bearer token.",
        );
      }
      return await answer(exchange.engine);
    } catch (error) {
      return responseOf(fail(exchange, error));
    }
  };
}

function isOperator(headers: Headers, token: string | undefined): boolean {
  const sent = headers.get("authorization") ?? "";
  if (token !== undefined && sameSecret(sent, `Bearer ${token}`)) return true;
  // Behind a proxy that nobody told us of, every stranger seems to come from this machine.
  const isProxied = headers.has(proxiedHeader);
  const peer = socketPeerOf(headers);
  return !isProxied && peer !== null && /^(127\.|::1$|::ffff:127\.)/.test(peer);
}

function sameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
