import { methodNotAllowed, notFound } from "@/lib/protocol/errors";
import { openExchange } from "./exchange";
import { fail } from "./reply";

export type RouteFunction = (request: Request) => Promise<Response>;

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Methods = Record<(typeof methods)[number], RouteFunction>;

/** Every method of a path that the protocol does not know. */
export function unknownPath(): Methods {
  return everyMethod(answerUnknownPath);
}

export async function answerUnknownPath(request: Request): Promise<Response> {
  return fail(openExchange(request.headers), notFound("path"));
}

export function answerOtherMethod(allow: readonly string[]): RouteFunction {
  return async (request) => fail(openExchange(request.headers), methodNotAllowed(allow));
}

function everyMethod(route: RouteFunction): Methods {
  return {
    GET: route,
    HEAD: route,
    POST: route,
    PUT: route,
    PATCH: route,
    DELETE: route,
    OPTIONS: route,
  };
}
