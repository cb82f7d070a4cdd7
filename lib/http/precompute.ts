import type { Precomputed } from "@/lib/engine/counters/counters";
import { type Ctx, contextOf } from "@/lib/services/context";
import type { Admitted, Precompute } from "./admission";
import type { RequestContext } from "./request-context";

/** Who was admitted, and at which revisions, where those are known. */
export type AdmittedCaller = Pick<Admitted, "caller"> & Partial<Pick<Admitted, "revisions">>;

/** The context of a verb for an admitted caller. */
export function contextIn(
  { engine, now, requestId }: RequestContext,
  { caller, revisions }: AdmittedCaller,
): Ctx {
  return { ...contextOf(engine, caller), now, requestId, revisions };
}

interface PrecomputedAnswer<Answer> extends Precomputed {
  answer: () => Promise<Answer>;
}

/**
 * Decides a read before its admission, from the cache. Admission and event are then one statement and one commit.
 */
export function precomputing<Answer>(
  context: RequestContext,
  work: (by: Admitted, ctx: Ctx) => Promise<Answer>,
): Precompute<PrecomputedAnswer<Answer>> {
  return async (by) => {
    let event: { profileId: number } | undefined;
    const ctx: Ctx = {
      ...contextIn(context, by),
      get db() {
        return refuseDatabase();
      },
      get pool() {
        return refuseDatabase();
      },
      announce: () => {},
      recordEvent: (row) => {
        event = row;
      },
    };
    const [done] = await Promise.allSettled([work(by, ctx)]);
    // Other results are repeated after the admission.
    if (event === undefined) return undefined;
    const { profileId } = event;
    return {
      event,
      revisions: by.revisions,
      async answer() {
        context.engine.live.announce(profileId);
        if (done.status === "rejected") throw done.reason;
        return done.value;
      },
    };
  };
}

function refuseDatabase(): never {
  throw new Error("This is not in the cache.");
}
