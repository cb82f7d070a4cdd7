import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { deleteUser } from "@/lib/services/admin/users/delete-user";
import { findUser } from "@/lib/services/admin/users/list-users";

export const GET = adminRoute(adminEndpoints.getUser, async ({ ctx, params: { userId } }) => ({
  data: await findUser(ctx, userId),
}));

export const DELETE = adminRoute(adminEndpoints.deleteUser, async ({ ctx, params: { userId } }) => {
  await deleteUser(ctx, userId);
  return { data: { id: userId } };
});
