import { cursorOf, placeOf } from "@/lib/http/session/cursor";
import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { listActivity } from "@/lib/services/activity/list-activity";

export const GET = sessionRoute(
  sessionEndpoints.listActivity,
  async ({ ctx, params: { did }, query: { cursor, from, to, ...query } }) => {
    const asked = { did, ...query, from: dateOf(from), to: dateOf(to), after: placeOf(cursor) };
    const { events, next } = await listActivity(ctx, asked);
    return { data: events.map(eventOf), meta: { count: events.length, next: cursorOf(next) } };
  },
);

function dateOf(instant: string | undefined): Date | undefined {
  return instant === undefined ? undefined : new Date(instant);
}

// Reasons and details are the dashboard's own words, which may change; the export has them.
function eventOf({ reasons: _reasons, detail: _detail, actorId: _actor, ...event }: ActivityEvent) {
  return event;
}
