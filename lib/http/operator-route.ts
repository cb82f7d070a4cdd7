import { createHash, timingSafeEqual } from "node:crypto";
import type { Engine } from "@/lib/engine/engine";
import type { Env } from "@/lib/engine/env";
import { forbidden } from "@/lib/protocol/errors";
import { proxiedHeader, socketPeerOf } from "./peer";
import { isPublic } from "./protocol-request";
import { fail, responseOf } from "./reply";
import { openRequestContext } from "./request-context";

/** Answers operators: with METRICS_TOKEN, or from this machine while only it uses the gateway. */
export function operatorRoute(answer: (engine: Engine) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    const context = openRequestContext(request.headers);
    try {
      if (!isOperator(request.headers, context.engine.env)) {
        throw forbidden(refusal(context.engine.env));
      }
      return await answer(context.engine);
    } catch (error) {
      return responseOf(fail(context, error));
    }
  };
}

function refusal(env: Env): string {
  const byToken = "Send METRICS_TOKEN as Bearer token.";
  return isPublic(env) ? byToken : `${byToken} On the gateway's own machine none is needed.`;
}

function isOperator(headers: Headers, env: Env): boolean {
  const { METRICS_TOKEN: token } = env;
  const sent = headers.get("authorization") ?? "";
  if (token !== undefined && sameSecret(sent, `Bearer ${token}`)) return true;
  // A proxy on this machine may not say for whom it asks.
  if (isPublic(env)) return false;
  // Behind an undeclared proxy, every stranger seems to come from this machine.
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
