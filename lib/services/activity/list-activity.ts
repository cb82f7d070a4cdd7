import type { Ctx } from "../context";
import { type PageSize, pageOf } from "../page";
import { withProfile } from "../profile-gate";
import type { ActivityEvent } from "./activity-event";
import { type ActivityPlace, type EventsQuery, loadEvents, type SealedEvent } from "./load-events";

export interface ActivityPage {
  events: ActivityEvent[];
  next: ActivityPlace | null;
}

/** Lists the events of a profile, newest first. */
export async function listActivity(
  ctx: Ctx,
  { did, bytesMax, ...input }: EventsQuery & PageSize & { did: string },
): Promise<ActivityPage> {
  return withProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    const { limit } = input;
    const { rows, isCut } = await loadEvents(ctx.pool, {
      ...input,
      profileId: profile.id,
      order: "newest",
      limit: limit + 1,
    });
    const paged = { limit, bytesMax, isCut };
    const { page: events, last } = pageOf(rows.map(shown), paged);
    const texts = await textsOf(ctx, profile.id, events);
    const named = events.map((one) => ({ ...one, subjectText: texts.get(one.subjectId ?? "") }));
    return { events: named, next: last === undefined ? null : { at: last.at, id: last.id } };
  });
}

// The position in the chain is only for exports.
function shown(event: SealedEvent): ActivityEvent {
  const { profileId, position, hash, hashBefore, storedPurpose, ...shown } = event;
  return shown;
}

const textMax = 300;

async function textsOf({ db }: Ctx, profileId: number, events: readonly ActivityEvent[]) {
  const ids = events.flatMap(({ actor, subjectId }) =>
    actor === "owner" && subjectId !== null ? [subjectId] : [],
  );
  if (ids.length === 0) return new Map<string, string>();
  const rows = await db.$queryRaw<{ id: string; text: string }[]>`
    SELECT id, left(content, ${textMax}::int) AS text FROM "Proposal"
    WHERE "profileId" = ${profileId} AND id = ANY(${ids}::text[])`;
  return new Map(rows.map(({ id, text }) => [id, text]));
}
