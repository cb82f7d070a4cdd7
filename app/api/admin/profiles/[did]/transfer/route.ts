import { adminEndpoints } from "@/lib/http/session/endpoints/admin/all";
import { adminRoute } from "@/lib/http/session/routes/session-route";
import { transferProfile, withdrawTransfer } from "@/lib/services/admin/profiles/transfer-profile";

export const POST = adminRoute(
  adminEndpoints.transferProfile,
  async ({ ctx, params: { did }, body: { email } }) => {
    const { effectiveAt } = await transferProfile(ctx, { did, email });
    return { data: { id: did, effectiveAt } };
  },
);

export const DELETE = adminRoute(
  adminEndpoints.withdrawTransfer,
  async ({ ctx, params: { did } }) => {
    await withdrawTransfer(ctx, did);
    return { data: { id: did } };
  },
);
