import { type Engine, engine } from "@/lib/engine/engine";
import type { Standing } from "@/lib/engine/peer-guard";
import { newId } from "@/lib/engine/random";
import { latestVersion } from "@/lib/protocol/version";
import { peerOf } from "./peer";

/** One request and its answer. The standing and the version are set as they become known. */
export interface Exchange {
  engine: Engine;
  requestId: string;
  now: Date;
  peer: string | null;
  standing: Standing;
  version: string;
}

export function openExchange(headers: Headers): Exchange {
  const current = engine();
  const now = current.now();
  const peer = peerOf(headers, current.env.TRUST_PROXY_HOPS);
  return {
    engine: current,
    requestId: newId("req"),
    now,
    peer,
    standing: current.peerGuard.standing(peer, now),
    version: latestVersion,
  };
}
