import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { issueResetLink } from "@/lib/services/admin/users/links";
import { linkShown } from "../../../link-shown";

export const POST = adminRoute(
  adminEndpoints.issueResetLink,
  async ({ ctx, params: { userId } }) => ({
    data: await linkShown(await issueResetLink(ctx, userId)),
  }),
);
