import { sessionEndpoints } from "@/lib/http/session/endpoints/all";
import { sessionRoute } from "@/lib/http/session/routes/session-route";
import { revokeReceipt } from "@/lib/services/receipts/revoke-receipt";

export const DELETE = sessionRoute(sessionEndpoints.revokeReceipt, async ({ ctx, params }) => {
  await revokeReceipt(ctx, params);
  return { data: { id: params.receiptId } };
});
