import type { IncomingMessage } from "node:http";
import type { Env } from "@/lib/engine/env";
import { isFromOtherSite, otherSiteRefusal } from "@/lib/http/session/same-origin";
import { type GatewayError, malformedRequest, methodNotAllowed } from "@/lib/protocol/errors";
import { fieldsOf } from "./wire";

/** Finds what Next.js would answer with 500, or print to the log as the client wrote it. */
export function pageFault(
  request: IncomingMessage,
  env: Pick<Env, "PUBLIC_URL">,
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
  const isForeign = isFromOtherSite({ method, headers: fieldsOf(headers) }, env);
  return isForeign ? otherSiteRefusal(env) : null;
}

const pageMethods = ["GET", "HEAD", "POST"];
const routeMethods = [...pageMethods, "PUT", "PATCH", "DELETE", "OPTIONS"];
// A byte that says what arguments it takes, and a SHA-1.
const actionId = /^[0-9a-f]{42}$/;
const formType = /^(multipart\/form-data|application\/x-www-form-urlencoded)/i;
// An import answers with the page that it came from.
const answersItself = /^\/api\/profile\/import(\?|$)/;
