import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { setProfileFormat } from "@/lib/services/admin/profiles/change-profile";
import { deleteProfileOf } from "@/lib/services/admin/profiles/delete-profile";
import { findProfile } from "@/lib/services/admin/profiles/list-profiles";

export const GET = adminRoute(adminEndpoints.describeProfile, async ({ ctx, params: { did } }) => {
  const { profile, counts, transfer } = await findProfile(ctx, did);
  const { id: _number, ...shown } = profile;
  return { data: { ...shown, counts, transfer } };
});

export const PATCH = adminRoute(adminEndpoints.setProfileFormat, async ({ ctx, params, body }) => {
  const { did } = params;
  await setProfileFormat(ctx, { did, ...body });
  return { data: { id: did } };
});

export const DELETE = adminRoute(adminEndpoints.eraseProfile, async ({ ctx, params: { did } }) => {
  await deleteProfileOf(ctx, did);
  return { data: { id: did } };
});
