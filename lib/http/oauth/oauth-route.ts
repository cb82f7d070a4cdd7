import { mcpPath, oauthPaths, resourceMetadata, serverMetadata } from "@/lib/oauth/metadata";
import { chargingFailures } from "../admission";
import type { ProtocolRequest, Target } from "../protocol-request";
import type { Answering } from "../protocol-route";
import type { Reply } from "../reply";
import { openRequestContext, type RequestContext } from "../request-context";
import { authorize } from "./authorize";
import { issuerOf } from "./issuer";
import { isGuess, oauthReply, refuseBare } from "./oauth-reply";
import { register } from "./register";
import { answerToken, revoke } from "./token";

type Handler = (context: RequestContext, incoming: ProtocolRequest) => Promise<Reply>;
type Route = Partial<Record<"GET" | "POST", Handler>>;

/** Documents change with a release alone. */
const kept = { "Cache-Control": "public, max-age=300" };

function document(read: (issuer: string) => object): Route {
  return {
    GET: async (context, incoming) =>
      oauthReply(context, { body: read(issuerOf(context.engine.env, incoming)), headers: kept }),
  };
}

const ofResource = document(resourceMetadata);
const ofServer = document(serverMetadata);

const routes: Record<string, Route> = {
  "/.well-known/oauth-protected-resource": ofResource,
  [`/.well-known/oauth-protected-resource${mcpPath}`]: ofResource,
  "/.well-known/oauth-authorization-server": ofServer,
  [`/.well-known/oauth-authorization-server${mcpPath}`]: ofServer,
  [oauthPaths.authorize]: { GET: authorize },
  [oauthPaths.token]: { POST: answerToken },
  [oauthPaths.register]: { POST: register },
  [oauthPaths.revoke]: { POST: revoke },
};

/** Answers all below /oauth and /.well-known, also what is not there: never with a page. */
export function oauthRoute(method: string, { segments }: Target): Answering {
  const route = routes[`/${(segments ?? []).join("/")}`];
  return async (incoming) => {
    const context = openRequestContext(incoming.fields);
    if (route === undefined) {
      const body = { error: "not_found", error_description: "There is nothing at this address." };
      return oauthReply(context, { status: 404, body });
    }
    const allow = [...Object.keys(route), "OPTIONS"].join(", ");
    if (method === "OPTIONS")
      return oauthReply(context, { status: 204, headers: preflight(allow) });
    const handler = method === "GET" || method === "POST" ? route[method] : undefined;
    if (handler === undefined) {
      const body = { error: "invalid_request", error_description: `Send ${allow}.` };
      return oauthReply(context, { status: 405, body, headers: { Allow: allow } });
    }
    try {
      return await chargingFailures(context, isGuess, () => handler(context, incoming));
    } catch (error) {
      return refuseBare(context, error);
    }
  };
}

function preflight(allow: string): Record<string, string> {
  return {
    "Access-Control-Allow-Methods": allow,
    "Access-Control-Allow-Headers": "Authorization, Content-Type, MCP-Protocol-Version",
    "Access-Control-Max-Age": "86400",
  };
}
