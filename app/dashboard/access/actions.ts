"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { z } from "zod";
import { profileAction, profileQueryAction } from "@/lib/http/session/action";
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

const LensInput = z.object({ requestId: RequestId, scopes: Scopes });

/** Previews what the agent would see with these scopes while the form is filled in. */
export const lensAction = profileQueryAction(
  LensInput,
  async ({ ctx, profile: { did }, input }): Promise<LensView> =>
    lensView(await seeGrant(ctx, { did, ...input }), input.scopes),
);

export const revokeReceiptAction = profileAction(
  ReceiptForm,
  async ({ ctx, profile: { did }, input: { receiptId } }) => {
    const { eventId, policies } = await revokeReceipt(ctx, { did, receiptId });
    revalidatePath("/dashboard", "layout");
    const message = policies === 0 ? "Revoked." : "Revoked. What you granted for it ended too.";
    return { ok: true, message, undo: { kind: "access", id: eventId } };
  },
);
