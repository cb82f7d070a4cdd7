import type { Authenticated } from "@/lib/auth/authenticate";
import type { Precomputed } from "@/lib/engine/counters/counters";
import type { LimitClass } from "@/lib/protocol/endpoints";
import { rateLimited } from "@/lib/protocol/errors";
import { type Admitted, admitCaller, type Precompute } from "../admission";
import type { RequestContext } from "../request-context";

interface Admitting<F extends Precomputed> {
  /** Of the endpoint whose verb the tool calls; null: not limited. */
  limitClass: LimitClass | null;
  precompute?: Precompute<F>;
}

/** Admits a call of a tool, under the limit of an endpoint. */
export async function admitCall<F extends Precomputed>(
  context: RequestContext,
  by: Authenticated,
  { limitClass, precompute }: Admitting<F>,
): Promise<Authenticated & Partial<Pick<Admitted, "revisions">> & { precomputed?: F }> {
  if (limitClass === null) return by;
  const { admission, precomputed } = await admitCaller(context, by, { limitClass, precompute });
  const { admitted, standing, revisions } = admission;
  if (!admitted) throw rateLimited({ ...standing, now: context.now });
  return { ...by, revisions, precomputed };
}
