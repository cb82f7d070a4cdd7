import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { changeRole } from "@/lib/services/admin/users/change-user";

export const PUT = adminRoute(
  adminEndpoints.changeRole,
  async ({ ctx, params: { userId }, body: { role } }) => {
    await changeRole(ctx, { userId, role });
    return { data: { id: userId } };
  },
);
