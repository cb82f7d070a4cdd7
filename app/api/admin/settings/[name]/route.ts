import { engine } from "@/lib/engine/engine";
import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { changeSetting } from "@/lib/services/admin/settings";

export const PUT = adminRoute(
  adminEndpoints.changeSetting,
  async ({ ctx, params: { name }, body: { value } }) => ({
    data: { id: await changeSetting(ctx, engine().settings, { name, value }) },
  }),
);
