import { type Engine, engine } from "@/lib/engine/engine";
import type { RateLimitStatus } from "@/lib/engine/peer-guard";
import { newId } from "@/lib/engine/random";
import { latestVersion } from "@/lib/protocol/version";
import { peerOf, requestIdOf } from "./peer";
import type { Fields } from "./protocol-request";

/** The context of one request. Standing and version are set once they are known. */
export interface RequestContext {
  engine: Engine;
  requestId: string;
  now: Date;
  peer: string | null;
  standing: RateLimitStatus;
  version: string;
  /** Whether a signature or token was valid. */
  isAuthenticated: boolean;
}

export function openRequestContext(headers: Fields): RequestContext {
  const current = engine();
  const peer = peerOf(headers, current.env.TRUST_PROXY_HOPS);
  const requestId = requestIdOf(headers) ?? newId("req");
  const version = latestVersion;
  return {
    engine: current,
    requestId,
    peer,
    version,
    isAuthenticated: false,
    ...clockOf(current, peer),
  };
}

/** Returns the time, and the peer's rate limit at that time. */
export function clockOf({ now, peerGuard }: Engine, peer: string | null) {
  const moment = now();
  return { now: moment, standing: peerGuard.standing(peer, moment) };
}
