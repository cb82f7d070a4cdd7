import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { transferProfile } from "@/lib/services/admin/profiles/change-profile";

export const POST = adminRoute(
  adminEndpoints.transferProfile,
  async ({ ctx, params, body: { email } }) => {
    const { did } = params;
    await transferProfile(ctx, { did, email });
    return { data: { id: did } };
  },
);
