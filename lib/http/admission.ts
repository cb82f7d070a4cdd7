import { type Authenticated, authenticate } from "@/lib/auth/authenticate";
import type { Endpoint, LimitClass } from "@/lib/protocol/endpoints";
import { GatewayError, nonceReused, rateLimited, tooManyFailures } from "@/lib/protocol/errors";
import type { Exchange } from "./exchange";

export interface Knocking {
  endpoint: Endpoint;
  request: Request;
  body: Uint8Array<ArrayBuffer>;
}

/** Who it is, and whether they may come in now. Sets the standing that the answer's headers tell. */
export async function admit(exchange: Exchange, knocking: Knocking): Promise<Authenticated> {
  const { engine, peer, now } = exchange;
  if (exchange.standing.remaining === 0) throw tooManyFailures({ ...exchange.standing, now });
  try {
    const authenticated = await authenticate(presentedBy(exchange, knocking));
    const admission = await engine.counters.admit({
      caller: authenticated.account,
      class: knocking.endpoint.limitClass,
      limit: limitOf(exchange, authenticated, knocking.endpoint.limitClass),
      nonce: authenticated.nonce,
    });
    if (!admission.fresh) throw nonceReused();
    exchange.standing = admission.standing;
    if (!admission.admitted) throw rateLimited({ ...admission.standing, now });
    return authenticated;
  } catch (error) {
    if (isFailedAuthentication(error)) {
      engine.peerGuard.charge(peer, now);
      exchange.standing = engine.peerGuard.standing(peer, now);
    }
    throw error;
  }
}

function presentedBy({ engine, now }: Exchange, { request, body }: Knocking) {
  const url = new URL(request.url);
  const own = engine.env.PUBLIC_URL.map((address) => new URL(address).host);
  return {
    engine,
    now,
    method: request.method,
    target: url.pathname + url.search,
    // Decisions 2: what a client wrote as Host chooses among our own names, and never adds one.
    authority: own.length === 0 || own.includes(url.host) ? url.host : (own[0] ?? ""),
    authorization: request.headers.get("authorization"),
    body,
  };
}

const limitSettings = {
  profile: "LIMIT_PROFILE",
  access: "LIMIT_ACCESS",
  propose: "LIMIT_PROPOSE",
  review: "LIMIT_REVIEW",
  memories: "LIMIT_MEMORIES",
  proposals: "LIMIT_PROPOSALS",
} as const satisfies Record<LimitClass, string>;

function limitOf({ engine }: Exchange, { limits }: Authenticated, limitClass: LimitClass): number {
  return limits[limitClass] ?? engine.env[limitSettings[limitClass]];
}

// Decisions 7: never charged to the DID that it claims to be.
function isFailedAuthentication(error: unknown): boolean {
  return error instanceof GatewayError && (error.http === 401 || error.code === "PROF002");
}
