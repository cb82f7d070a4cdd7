import { answerMcp } from "../mcp/mcp-route";
import type { Target } from "../protocol-request";
import type { Answering } from "../protocol-route";
import { oauthRoute } from "./oauth-route";

const isMcp = /^\/mcp(\?|$)/;
const firstSegments = ["mcp", "oauth", ".well-known"];

/** Answers what clients that connect by an address ask for: Next.js would redirect some of it, and lose its body. */
export function connectRoute(method: string, url: string, target: Target): Answering | null {
  if (isMcp.test(url)) return answerMcp;
  const name = target.segments?.find((segment) => segment !== "");
  return name !== undefined && firstSegments.includes(name) ? oauthRoute(method, target) : null;
}
