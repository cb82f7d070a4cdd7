import type { Ctx } from "../context";
import { onProfile } from "../open-profile";
import { type ActivityPlace, loadEvents, type SealedEvent } from "./load-events";
import type { ActivityFilter } from "./matching";

const batchMax = 500;

export interface ExportAsked extends ActivityFilter {
  did: string;
  /** As what, for the event that this leaves. */
  format: string;
}

/**
 * The log, oldest first, a batch at a time as it is asked for: up to this instant, without the event
 * that the export itself leaves.
 */
export async function exportActivity(
  ctx: Ctx,
  { did, format, ...filter }: ExportAsked,
): Promise<AsyncGenerator<SealedEvent[]>> {
  return onProfile(ctx, { verb: "readActivity", did }, async ({ profile, record }) => {
    const to = filter.to === undefined || filter.to > ctx.now ? ctx.now : filter.to;
    await record(ctx.pool, { detail: { exported: format } });
    ctx.announce(profile.id);
    return batches(ctx, { ...filter, to, profileId: profile.id });
  });
}

async function* batches({ pool }: Ctx, filter: ActivityFilter & { profileId: number }) {
  let after: ActivityPlace | undefined;
  for (;;) {
    const events = await loadEvents(pool, { ...filter, after, order: "oldest", limit: batchMax });
    if (events.length > 0) yield events;
    if (events.length < batchMax) return;
    after = events.at(-1);
  }
}
