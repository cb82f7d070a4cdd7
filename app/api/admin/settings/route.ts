import { engine } from "@/lib/engine/engine";
import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { listSettings } from "@/lib/services/admin/settings";

export const GET = adminRoute(adminEndpoints.listSettings, async ({ ctx }) => ({
  data: await listSettings(ctx, engine().settings),
}));
