import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";
import type { ActivityEvent } from "./activity-event";

/** Returns which access requests behind events still wait for the owner's answer. */
export async function waitingRequests(
  ctx: Ctx,
  { did, events }: { did: string; events: readonly ActivityEvent[] },
): Promise<Set<string>> {
  const ids = events.flatMap(({ verb, subjectId }) =>
    verb === "requestAccess" && subjectId !== null ? [subjectId] : [],
  );
  return withProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    if (ids.length === 0) return new Set();
    const requests = await ctx.db.consentRequest.findMany({
      where: { profileId: profile.id, id: { in: ids }, status: "pending" },
      select: { id: true },
    });
    return new Set(requests.map(({ id }) => id));
  });
}
