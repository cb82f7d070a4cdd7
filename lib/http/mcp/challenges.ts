import type { Authenticated } from "@/lib/auth/authenticate";
import type { Engine } from "@/lib/engine/engine";
import type { RequestContext } from "../request-context";

// Some clients show a 403 as an expired token and stop there. So the same refusal comes once as a challenge, and then
// for some minutes as a result of the tool, which the agent reads.

const againMs = 5 * 60_000;
const keptMax = 10_000;

const challenged = new WeakMap<Engine, Map<string, number>>();

/** Whether this client was not challenged for the same thing within minutes. Per process: a second one does no harm. */
export function isFirstChallenge(
  { engine, now }: Pick<RequestContext, "engine" | "now">,
  { account, caller }: Authenticated,
  what: readonly string[],
): boolean {
  const kept = challenged.get(engine) ?? new Map<string, number>();
  challenged.set(engine, kept);
  const tokenId = caller.kind === "token" ? caller.tokenId : "";
  const key = [account, tokenId, ...what].join(" ");
  const last = kept.get(key);
  if (last !== undefined && now.getTime() - last < againMs) return false;
  kept.delete(key);
  kept.set(key, now.getTime());
  // The oldest goes first.
  for (const oldest of kept.keys()) {
    if (kept.size <= keptMax) break;
    kept.delete(oldest);
  }
  return true;
}
