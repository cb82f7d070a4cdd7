import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sendFile } from "@/lib/http/session/own-file";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { exportProfile } from "@/lib/services/archive/export";

export const GET = sessionRoute(
  sessionEndpoints.exportProfile,
  async ({ request, ctx, who: { userId }, params }) =>
    sendFile(request, {
      userId,
      name: "profile.json",
      type: "application/json; charset=utf-8",
      open: () => exportProfile(ctx, params),
    }),
);
