import { engine } from "@/lib/engine/engine";
import { cursorOf, placeOf } from "@/lib/http/session/cursor";
import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { createProfileFor } from "@/lib/services/admin/profiles/create-profile";
import { listProfiles } from "@/lib/services/admin/profiles/list-profiles";

export const GET = adminRoute(
  adminEndpoints.listAllProfiles,
  async ({ ctx, query: { cursor, ...query } }) => {
    const place = placeOf(cursor);
    const after = place && { createdAt: place.at, id: Number(place.id) || 0 };
    const { profiles, next } = await listProfiles(ctx, { ...query, after });
    const end = next && { at: next.createdAt, id: String(next.id) };
    return {
      data: profiles.map(({ id: _number, ...profile }) => profile),
      meta: { count: profiles.length, next: cursorOf(end) },
    };
  },
);

export const POST = adminRoute(adminEndpoints.createProfile, async ({ ctx, body }) => {
  const namespace = engine().settings.values().PROF_NAMESPACE;
  return { data: { did: await createProfileFor(ctx, { ...body, namespace }) } };
});
