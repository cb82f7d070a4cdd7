import { type Authenticated, type AuthRequest, authenticate } from "@/lib/auth/authenticate";
import {
  checkRegistration,
  type Registration,
  readRegistrationHeader,
} from "@/lib/auth/registration";
import { forgetSigner } from "@/lib/auth/signed-request";
import type { Precomputed, Revisions, Signing } from "@/lib/engine/counters/counters";
import { claimNonce } from "@/lib/engine/counters/counters-postgres";
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
import { refuseClosedRegistration } from "@/lib/services/agents/register";
import { parseJsonBody } from "./body";
import { authorityIn, type ProtocolRequest } from "./protocol-request";
import type { RequestContext } from "./request-context";

export interface ReceivedRequest {
  incoming: ProtocolRequest;
  body: Uint8Array<ArrayBuffer>;
}

export interface AdmissionInput extends ReceivedRequest {
  endpoint: Endpoint;
  /** That its path names. */
  profileDid: string | undefined;
}

export interface Admitted extends Authenticated {
  /** The revisions that this request is answered at, or later. */
  revisions: Revisions;
}

/** Decides a request before its admission, from the cache; undefined if the cache is not enough. */
export type Precompute<F extends Precomputed> = (by: Admitted) => Promise<F | undefined>;

/**
 * Authenticates a request and admits it. Sets the rate limit of the answer's headers. Returns the precomputed
 * answer if it still applies and its event is recorded.
 */
export async function admit<F extends Precomputed>(
  context: RequestContext,
  knocking: AdmissionInput,
  precompute?: Precompute<F>,
): Promise<Admitted & { precomputed?: F }> {
  const { now } = context;
  return chargingFailures(context, isFailedAuthentication, async () => {
    const { authenticated, admission, precomputed } = await recognised(
      context,
      knocking,
      precompute,
    );
    if (!admission.fresh) throw nonceReused();
    context.standing = admission.standing;
    if (!admission.admitted) throw rateLimited({ ...admission.standing, now });
    return { ...authenticated, revisions: admission.revisions, precomputed };
  });
}

const triesMax = 3;
const revisionsBytes = 200;

// The signer may change between authentication and admission; the request is then authenticated again.
async function recognised<F extends Precomputed>(
  context: RequestContext,
  knocking: AdmissionInput,
  precompute?: Precompute<F>,
) {
  const { limitClass } = knocking.endpoint;
  for (let tried = 1; ; tried++) {
    const authenticated = await authenticate(authRequestOf(context, knocking));
    context.isAuthenticated = true;
    const { signer } = authenticated;
    const by =
      tried < triesMax ? authenticated : { ...authenticated, signer: forAnyRevision(signer) };
    const { profileDid } = knocking;
    const { admission, precomputed } = await admitCaller(context, by, {
      limitClass,
      profileDid,
      precompute,
    });
    if (admission.known) return { authenticated, admission, precomputed };
    forgetSigner(context.engine, signer.did);
  }
}

const forAnyRevision = (signer: Signing) => ({ ...signer, revision: null });

interface Counting<F extends Precomputed> {
  limitClass: LimitClass;
  profileDid?: string;
  precompute?: Precompute<F>;
}

/** Counts a request of a known caller under its limit, with the event of what was precomputed. */
export async function admitCaller<F extends Precomputed>(
  context: RequestContext,
  by: Authenticated,
  { limitClass, profileDid: named, precompute }: Counting<F>,
) {
  const { engine } = context;
  const { account, caller, signer, nonce } = by;
  const profileDid = caller.kind === "token" ? caller.profileDid : named;
  const latest = `latest ${signer.did} ${profileDid}`;
  const revisions = engine.counters.recordsEvents && engine.cache.get<Revisions>(latest);
  const precomputed = revisions ? await precompute?.({ ...by, revisions }) : undefined;
  const limit = limitOf(context, by, limitClass);
  const counting = { caller: account, class: limitClass, limit, nonce, signer, profileDid };
  const admission = await engine.counters.admit({ ...counting, precomputed });
  if (admission.known && !admission.recorded) {
    engine.cache.set(latest, admission.revisions, revisionsBytes);
  }
  return { admission, precomputed: admission.recorded ? precomputed : undefined };
}

/** The class that registrations of a peer count under. */
export const registrations = "register";

/**
 * Admits a registration. Its signature proves no identity, so the peer's limits apply before the body is read.
 * Protocol 7.
 */
export async function admitNewcomer(
  context: RequestContext,
  shown: ReceivedRequest,
): Promise<Registration> {
  const { engine, peer, now, standing: failures } = context;
  return chargingFailures(context, isFault, async () => {
    const presented = authRequestOf(context, shown);
    const claim = readRegistrationHeader(presented);
    if (failures.remaining === 0) throw tooManyFailures({ ...failures, now });
    const { AGENT_REGISTRATION, LIMIT_REGISTER } = engine.settings.values();
    refuseClosedRegistration(AGENT_REGISTRATION);
    const admission = await engine.counters.admit({
      caller: peerCaller(peer),
      class: registrations,
      limit: LIMIT_REGISTER,
    });
    context.standing = admission.standing;
    if (!admission.admitted) throw rateLimited({ ...admission.standing, now });
    const body = parseJsonBody(shown.incoming.fields.get("content-type"), shown.body);
    const { registration, nonce } = checkRegistration(presented, claim, body);
    if (!(await claimNonce(engine.pool, nonce))) throw nonceReused();
    return registration;
  });
}

export function peerCaller(peer: string | null): string {
  return `peer:${peer === null ? "unknown" : network(peer)}`;
}

/**
 * Counts failures against the peer, and answers 429 once it has failed too often. A success is always let in.
 * Protocol 7.
 */
export async function chargingFailures<T>(
  context: RequestContext,
  isFailure: (error: unknown) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  const { standing } = context;
  try {
    return await work();
  } catch (error) {
    if (isFailure(error)) chargeFailure(context, standing);
    throw error;
  }
}

/** `failures` is the peer's standing when the request began. */
export function chargeFailure(context: RequestContext, failures = context.standing): void {
  const { engine, peer, now } = context;
  engine.peerGuard.charge(peer, now);
  if (failures.remaining === 0) throw tooManyFailures({ ...failures, now });
  context.standing = engine.peerGuard.standing(peer, now);
}

function authRequestOf(
  { engine, now }: RequestContext,
  { incoming, body }: ReceivedRequest,
): AuthRequest {
  const { method, segments, query, fields } = incoming;
  // The front door rejects undecodable targets. Behind `next start` they get here, and no signature can match
  // them.
  if (segments === null || query === null) throw unauthorized();
  const authorization = fields.get("authorization");
  const authority = authorityFor(engine, incoming);
  return { engine, now, method, segments, query, authority, authorization, body };
}

// Protocol 2: the Host header chooses among our own names; it adds none.
function authorityFor({ env }: Engine, { host }: ProtocolRequest): string {
  const authority = authorityIn(host) ?? "";
  const own = env.PUBLIC_URL.map(authorityOf);
  return own.length === 0 || own.includes(authority) ? authority : (own[0] ?? "");
}

const limitSettings = {
  profile: "LIMIT_PROFILE",
  access: "LIMIT_ACCESS",
  propose: "LIMIT_PROPOSE",
  review: "LIMIT_REVIEW",
  memories: "LIMIT_MEMORIES",
  proposals: "LIMIT_PROPOSALS",
} as const satisfies Record<LimitClass, string>;

function limitOf(
  { engine }: RequestContext,
  { limits }: Authenticated,
  limitClass: LimitClass,
): number {
  return limits[limitClass] ?? engine.settings.values()[limitSettings[limitClass]];
}

// Nobody was authenticated yet, so the peer is to blame.
function isFault(error: unknown): boolean {
  return error instanceof GatewayError && error.http < 429;
}

// Protocol 7: never charged to the DID that it claims to be.
export function isFailedAuthentication(error: unknown): boolean {
  return error instanceof GatewayError && (error.http === 401 || error.code === "PROF002");
}
