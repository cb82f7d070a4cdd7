import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { Did } from "@/lib/protocol/did";
import { resumeProfile } from "@/lib/services/admin/profiles/change-profile";

export const POST = adminRoute(adminEndpoints.resumeProfile, async ({ ctx, params }) => {
  const did = Did.parse(params.did);
  await resumeProfile(ctx, did);
  return { data: { id: did } };
});
