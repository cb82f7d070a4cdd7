import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { resumeUser } from "@/lib/services/admin/users/change-user";

export const POST = adminRoute(adminEndpoints.resumeUser, async ({ ctx, params: { userId } }) => {
  await resumeUser(ctx, userId);
  return { data: { id: userId } };
});
