"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { profileAction } from "@/lib/http/session/action";
import { pageContext, profileOf } from "@/lib/http/session/page";
import { decideConsent } from "@/lib/services/access/consents";
import { seeGrant } from "@/lib/services/access/lens";
import { revokeReceipt } from "@/lib/services/receipts/revoke-receipt";
import { type LensView, lensView } from "../lens/lens-view";
import { DecisionForm, ReceiptForm, RequestId, Scopes } from "./schemas";

export const decideAction = profileAction(
  DecisionForm,
  async ({ ctx, profile: { did }, input }) => {
    const { requestId, intent, choice = "once", scopes } = input;
    if (intent === "preview") {
      const shown = lensView(await seeGrant(ctx, { did, requestId, scopes }), scopes);
      return { ok: true, message: null, shown, keeps: true };
    }
    const granted = intent === "grant" ? scopes : [];
    const decision = { did, requestId, scopes: granted, choice };
    const { eventId } = await decideConsent(ctx, decision);
    revalidatePath("/dashboard", "layout");
    const decided = `/dashboard/access?request=${requestId}&undo=${eventId}`;
    // Where no script goes on from here, the page that is shown next tells what was done.
    if (!input.scripted) redirect(`${decided}#${requestId}`);
    const message = intent === "grant" ? "Granted." : "Denied.";
    return { ok: true, message, undo: { kind: "access", id: eventId } };
  },
);

interface LensAsked {
  /** The profile that the form was shown for. */
  did: string | null;
  requestId: string;
  scopes: string[];
}

/** What the agent would see with these scopes, for a form that is being filled in. */
export async function lensAction({ did, ...asked }: LensAsked): Promise<LensView | null> {
  const requestId = RequestId.safeParse(asked.requestId);
  const scopes = Scopes.safeParse(asked.scopes);
  const { ctx, who } = await pageContext();
  const profile = await profileOf(who, did);
  if (!requestId.success || !scopes.success) return null;
  const imagined = { did: profile.did, requestId: requestId.data, scopes: scopes.data };
  return lensView(await seeGrant(ctx, imagined), imagined.scopes);
}

export const revokeReceiptAction = profileAction(
  ReceiptForm,
  async ({ ctx, profile: { did }, input: { receiptId } }) => {
    const { eventId } = await revokeReceipt(ctx, { did, receiptId });
    revalidatePath("/dashboard", "layout");
    return { ok: true, message: "Revoked.", undo: { kind: "access", id: eventId } };
  },
);
