import { engine } from "@/lib/engine/engine";
import type { Did } from "@/lib/protocol/did";
import type { endpoints } from "@/lib/protocol/endpoints";
import { consentRequired, GatewayError, notFound } from "@/lib/protocol/errors";
import type { Ctx } from "@/lib/services/context";
import { type FollowedAccess, followAccess } from "@/lib/services/requests/follow";
import { findRequestProfile } from "@/lib/services/requests/request-profile";
import type { Answer, Deferred } from "../protocol-route";
import { untilDecided } from "./await-decision";
import type { requestEndpoints } from "./request-endpoints";

type FollowAnswer = Answer<typeof requestEndpoints.followAccess>;

interface Following {
  id: string;
  waits: number | null;
}

/** What the owner decided; where the caller would wait, once they have. */
export async function answerFollowing(ctx: Ctx, { id, waits }: Following): Promise<FollowAnswer> {
  const { profileId, did } = await profileOf(ctx, id);
  const first = await followAccess(ctx, { did, id });
  if (first.state !== "waiting" || waits === null) return answerOf(first);
  await untilDecided(engine(), { profileId, requestId: id, seconds: waits });
  return answerOf(await followAccess(ctx, { did, id }));
}

/** The profile that a request or a proposal of the caller's is about. What is another's is not there. */
export async function profileOf(
  { db, caller }: Ctx,
  id: string,
): Promise<{ profileId: number; did: Did }> {
  const isAgent = caller.kind === "agent" || caller.kind === "token";
  const found = isAgent ? await findRequestProfile(db, { id, agentDid: caller.did }) : null;
  const isOther = caller.kind === "token" && found?.did !== caller.profileDid;
  if (found === null || isOther) throw notFound("request");
  return found;
}

const retryAfter = { "Retry-After": "5" };

function answerOf({ state, refusedUntil, ...request }: FollowedAccess): FollowAnswer {
  switch (state) {
    case "waiting":
      return { status: 202, data: { ...request, state }, headers: retryAfter };
    case "granted":
      return { data: { ...request, state } };
    case "denied":
      throw consentRequired({ scopes: request.scopes, state });
    case "expired":
    case "ended":
      throw grantIsOver(state);
  }
}

function grantIsOver(state: "expired" | "ended"): GatewayError {
  const [http, what] = state === "expired" ? [408, "has run out"] : [410, "was ended by its owner"];
  const message = `The grant ${what}. Request access again.`;
  return new GatewayError({ code: "PROF006", http, message });
}

/**
 * Where the owner has to decide an access request and the caller would wait: until they have, or the time is over;
 * then where to look it up. Without `Prefer` it is refused, as the specification has it.
 */
export async function deferred(
  ctx: Ctx,
  { thrown, waits }: { thrown: unknown; waits: number | null },
): Promise<Deferred<typeof endpoints.requestAccess>> {
  const id = waits === null ? undefined : waitingIn(thrown);
  if (id === undefined || waits === null) throw thrown;
  const { profileId, did } = await profileOf(ctx, id);
  await untilDecided(engine(), { profileId, requestId: id, seconds: waits });
  const { state } = await followAccess(ctx, { did, id });
  const headers = { ...retryAfter, Location: `/api/access-requests/${id}` };
  return { status: 202, data: { id, state }, headers };
}

function waitingIn(thrown: unknown): string | undefined {
  if (!(thrown instanceof GatewayError) || thrown.details?.state !== "waiting") return undefined;
  const { consentRequestId } = thrown.details;
  return typeof consentRequestId === "string" ? consentRequestId : undefined;
}
