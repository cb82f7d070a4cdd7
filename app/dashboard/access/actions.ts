"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { action } from "@/lib/http/action";
import { decideConsent } from "@/lib/services/access/consents";
import { seeGrant } from "@/lib/services/access/lens";
import { revokeAgent } from "@/lib/services/access/revoke-agent";
import { profileContext, profileOf } from "../profile";
import { type LensView, lensView } from "./request/lens-view";
import { DecisionForm, DisconnectForm, RequestId, Scopes } from "./schemas";

export const decideAction = action(DecisionForm, async ({ ctx, who, input }) => {
  const { did } = profileOf(who);
  const { requestId, intent, choice = "once", scopes } = input;
  if (intent === "preview") {
    const shown = lensView(await seeGrant(ctx, { did, requestId, scopes }), scopes);
    return { ok: true, message: null, shown, keeps: true };
  }
  const granted = intent === "grant" ? scopes : [];
  await decideConsent(ctx, { did, requestId, scopes: granted, choice });
  revalidatePath("/dashboard", "layout");
  redirect(`/dashboard/access?request=${requestId}#${requestId}`);
});

/** What the agent would see with these scopes, for a form that is being filled in. */
export async function lensAction(request: string, switched: string[]): Promise<LensView | null> {
  const requestId = RequestId.safeParse(request);
  const scopes = Scopes.safeParse(switched);
  const { ctx, profile } = await profileContext();
  if (!requestId.success || !scopes.success) return null;
  const imagined = { did: profile.did, requestId: requestId.data, scopes: scopes.data };
  return lensView(await seeGrant(ctx, imagined), imagined.scopes);
}

export const disconnectAction = action(DisconnectForm, async ({ ctx, who, input }) => {
  await revokeAgent(ctx, { did: profileOf(who).did, agentDid: input.agentDid });
  revalidatePath("/dashboard", "layout");
  return {
    ok: true,
    message: "Disconnected. Its very next request gets nothing from these grants.",
  };
});
