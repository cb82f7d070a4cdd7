import type { Authenticated } from "@/lib/auth/authenticate";
import type { LimitClass } from "@/lib/protocol/endpoints";
import { rateLimited } from "@/lib/protocol/errors";
import { type Admitted, limitOf } from "../admission";
import type { RequestContext } from "../request-context";

/** Admits a call of a tool, by the limit of the endpoint that it stands on; null costs nothing. */
export async function admitCall(
  context: RequestContext,
  by: Authenticated,
  limitClass: LimitClass | null,
): Promise<Authenticated & Partial<Pick<Admitted, "revisions">>> {
  if (limitClass === null) return by;
  const { account, caller, signer } = by;
  const { admitted, standing, revisions } = await context.engine.counters.admit({
    caller: account,
    class: limitClass,
    limit: limitOf(context, by, limitClass),
    signer,
    profileDid: caller.kind === "token" ? caller.profileDid : undefined,
  });
  if (!admitted) throw rateLimited({ ...standing, now: context.now });
  return { ...by, revisions };
}
