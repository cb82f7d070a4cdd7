"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { profileAction } from "@/lib/http/session/action";
import { notFound } from "@/lib/protocol/errors";
import { decideConsent, findConsent } from "@/lib/services/access/consents";
import { revokeReceipt } from "@/lib/services/receipts/revoke-receipt";
import { accessAddress, DecisionForm, ReceiptForm } from "./schemas";

export const decideAction = profileAction(
  DecisionForm,
  async ({ ctx, profile: { did }, input }) => {
    const { requestId, intent, choice = "once", scopes } = input;
    // The form counts what is switched on; without scripts it has to come back for that.
    if (intent === "preview") {
      if ((await findConsent(ctx, { did, requestId })) === null) throw notFound("consent request");
      return { ok: true, message: null, keeps: true };
    }
    const granted = intent === "grant" ? scopes : [];
    const decision = { did, requestId, scopes: granted, choice };
    const { eventId } = await decideConsent(ctx, decision);
    revalidatePath("/dashboard", "layout");
    const decided = accessAddress.href({ request: requestId, undo: eventId });
    // Where no script goes on from here, the page that is shown next tells what was done.
    if (!input.scripted) redirect(`${decided}#${requestId}`);
    const message = intent === "grant" ? "Granted." : "Denied.";
    return { ok: true, message, undo: { kind: "access", id: eventId } };
  },
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
