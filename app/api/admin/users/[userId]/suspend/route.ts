import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { suspendUser } from "@/lib/services/admin/users/change-user";

export const POST = adminRoute(adminEndpoints.suspendUser, async ({ ctx, params: { userId } }) => {
  await suspendUser(ctx, userId);
  return { data: { id: userId } };
});
