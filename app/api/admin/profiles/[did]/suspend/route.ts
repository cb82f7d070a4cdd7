import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { suspendProfile } from "@/lib/services/admin/profiles/change-profile";

export const POST = adminRoute(adminEndpoints.suspendProfile, async ({ ctx, params }) => {
  const { did } = params;
  await suspendProfile(ctx, did);
  return { data: { id: did } };
});
