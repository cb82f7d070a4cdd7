import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { Did } from "@/lib/protocol/did";
import { suspendProfile } from "@/lib/services/admin/profiles/change-profile";

export const POST = adminRoute(adminEndpoints.suspendProfile, async ({ ctx, params }) => {
  const did = Did.parse(params.did);
  await suspendProfile(ctx, did);
  return { data: { id: did } };
});
