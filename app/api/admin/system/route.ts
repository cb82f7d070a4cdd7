import { engine } from "@/lib/engine/engine";
import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { describeSystem } from "@/lib/services/admin/system/describe-system";

export const GET = adminRoute(adminEndpoints.describeSystem, async ({ ctx }) => ({
  data: await describeSystem(ctx, engine()),
}));
