import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { resumeProfile } from "@/lib/services/admin/profiles/change-profile";

export const POST = adminRoute(adminEndpoints.resumeProfile, async ({ ctx, params }) => {
  const { did } = params;
  await resumeProfile(ctx, did);
  return { data: { id: did } };
});
