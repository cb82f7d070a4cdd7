import { cursorOf, placeOf } from "@/lib/http/session/cursor";
import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { listUsers } from "@/lib/services/admin/users/list-users";

export const GET = adminRoute(
  adminEndpoints.listUsers,
  async ({ ctx, query: { cursor, ...query } }) => {
    const place = placeOf(cursor);
    const after = place && { createdAt: place.at, id: place.id };
    const { users, next } = await listUsers(ctx, { ...query, after });
    const end = next && { at: next.createdAt, id: next.id };
    return { data: users, meta: { count: users.length, next: cursorOf(end) } };
  },
);
