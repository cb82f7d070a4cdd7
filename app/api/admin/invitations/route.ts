import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { inviteUser } from "@/lib/services/admin/users/links";
import { linkShown } from "../link-shown";

export const POST = adminRoute(adminEndpoints.inviteUser, async ({ ctx, body }) => ({
  data: await linkShown(await inviteUser(ctx, body)),
}));
