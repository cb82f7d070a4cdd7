import { type Authenticated, authenticate, type Presented } from "@/lib/auth/authenticate";
import { checkRegistration, type Registration } from "@/lib/auth/registration";
import type { Engine } from "@/lib/engine/engine";
import { network } from "@/lib/engine/peer-guard";
import type { Endpoint, LimitClass } from "@/lib/protocol/endpoints";
import {
  GatewayError,
  nonceReused,
  rateLimited,
  tooManyFailures,
  unauthorized,
} from "@/lib/protocol/errors";
import { authorityOf } from "@/lib/protocol/signature";
import { parseJsonBody } from "./body";
import type { Exchange } from "./exchange";
import { authorityIn, type Incoming } from "./incoming";

export interface Shown {
  incoming: Incoming;
  body: Uint8Array<ArrayBuffer>;
}

export interface Knocking extends Shown {
  endpoint: Endpoint;
}

/** Who it is, and whether they may come in now. Sets the standing that the answer's headers tell. */
export async function admit(exchange: Exchange, knocking: Knocking): Promise<Authenticated> {
  const { engine, now } = exchange;
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
    if (isFailedAuthentication(error)) chargePeer(exchange);
    throw error;
  }
}

const registrations = "register";

/** Somebody with a key that nobody knows yet: limits are counted against the network peer. */
export async function admitNewcomer(exchange: Exchange, shown: Shown): Promise<Registration> {
  const { engine, peer, now } = exchange;
  if (exchange.standing.remaining === 0) throw tooManyFailures({ ...exchange.standing, now });
  try {
    const contentType = shown.incoming.fields.get("content-type");
    const { registration, nonce } = checkRegistration(presentedBy(exchange, shown), () =>
      parseJsonBody(contentType, shown.body),
    );
    const admission = await engine.counters.admit({
      caller: `peer:${peer === null ? "unknown" : network(peer)}`,
      class: registrations,
      limit: engine.settings.values().LIMIT_REGISTER,
      nonce,
    });
    if (!admission.fresh) throw nonceReused();
    exchange.standing = admission.standing;
    if (!admission.admitted) throw rateLimited({ ...admission.standing, now });
    return registration;
  } catch (error) {
    // Nobody was recognised yet, so whatever is wrong is the peer's.
    if (error instanceof GatewayError && error.http < 429) chargePeer(exchange);
    throw error;
  }
}

function chargePeer(exchange: Exchange): void {
  const { engine, peer, now } = exchange;
  engine.peerGuard.charge(peer, now);
  exchange.standing = engine.peerGuard.standing(peer, now);
}

function presentedBy({ engine, now }: Exchange, { incoming, body }: Shown): Presented {
  const { method, segments, query, fields } = incoming;
  // The door has refused what cannot be decoded; nothing holds over a target that has no canonical form.
  if (segments === null || query === null) throw unauthorized();
  const authorization = fields.get("authorization");
  const authority = authorityFor(engine, incoming);
  return { engine, now, method, segments, query, authority, authorization, body };
}

// Decisions 2: what a client wrote as Host chooses among our own names, and never adds one.
function authorityFor({ env }: Engine, { host }: Incoming): string {
  const asked = authorityIn(host) ?? "";
  const own = env.PUBLIC_URL.map(authorityOf);
  return own.length === 0 || own.includes(asked) ? asked : (own[0] ?? "");
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
  return limits[limitClass] ?? engine.settings.values()[limitSettings[limitClass]];
}

// Decisions 7: never charged to the DID that it claims to be.
function isFailedAuthentication(error: unknown): boolean {
  return error instanceof GatewayError && (error.http === 401 || error.code === "PROF002");
}
