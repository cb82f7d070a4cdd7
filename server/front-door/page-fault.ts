import type { IncomingMessage } from "node:http";
import type { Env } from "@/lib/engine/env";
import { isFromOtherSite, otherSiteRefusal } from "@/lib/http/session/same-origin";
import { GatewayError, malformedRequest, methodNotAllowed } from "@/lib/protocol/errors";
import { fieldsOf } from "./wire";

export interface PageSettings {
  env: Pick<Env, "PUBLIC_URL">;
  /** The ids of the built server actions; without them, every well-formed id goes to Next.js. */
  actions?: ReadonlySet<string>;
}

/** Finds requests that Next.js would answer with 500, or log as the client wrote them. */
export function pageFault(
  request: IncomingMessage,
  { env, actions }: PageSettings,
): GatewayError | null {
  const { method = "", url = "", headers } = request;
  const allow = /^\/(api|prof)(\/|\?|$)/.test(url) ? routeMethods : pageMethods;
  if (!allow.includes(method)) return methodNotAllowed(allow);
  const action = headers["next-action"];
  if (action !== undefined && !actionId.test(String(action))) {
    return malformedRequest(
      "The Next-Action header must be the id of an action. Reload the page and send its form again.",
    );
  }
  const isForm = action !== undefined || formType.test(headers["content-type"] ?? "");
  if (method !== "POST" || !isForm || answersItself.test(url)) return null;
  if (isFromOtherSite({ method, headers: fieldsOf(headers) }, env)) return otherSiteRefusal(env);
  const isKnown = action === undefined || (actions?.has(String(action)) ?? true);
  return isKnown ? null : unknownAction();
}

// A page of an earlier build sends such ids too: its script knows this header from Next.js.
function unknownAction(): GatewayError {
  return new GatewayError({
    code: "PROF003",
    message: "There is no such action here any more. Reload the page and send its form again.",
    headers: { "x-nextjs-action-not-found": "1" },
  });
}

const pageMethods = ["GET", "HEAD", "POST"];
const routeMethods = [...pageMethods, "PUT", "PATCH", "DELETE", "OPTIONS"];
// A byte for the arguments it takes, and a SHA-1.
const actionId = /^[0-9a-f]{42}$/;
const formType = /^(multipart\/form-data|application\/x-www-form-urlencoded)/i;
// An import answers with the page that it came from.
const answersItself = /^\/api\/profile\/import(\?|$)/;
