import { cursorOf, placeOf } from "@/lib/http/session/cursor";
import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { listAdminEvents } from "@/lib/services/admin/list-admin-events";

export const GET = adminRoute(
  adminEndpoints.listAdminActivity,
  async ({ ctx, query: { limit, cursor, admin, subject, verb, from, to } }) => {
    const { events, next } = await listAdminEvents(ctx, {
      adminId: admin,
      subject,
      verb,
      from: from === undefined ? undefined : new Date(from),
      to: to === undefined ? undefined : new Date(to),
      after: placeOf(cursor),
      limit,
    });
    return { data: events, meta: { count: events.length, next: cursorOf(next) } };
  },
);
