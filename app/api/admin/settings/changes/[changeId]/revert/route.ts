import { engine } from "@/lib/engine/engine";
import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { revertSetting } from "@/lib/services/admin/settings";

export const POST = adminRoute(
  adminEndpoints.revertSetting,
  async ({ ctx, params: { changeId: id } }) => {
    await revertSetting(ctx, engine().settings, id);
    return { data: { id } };
  },
);
