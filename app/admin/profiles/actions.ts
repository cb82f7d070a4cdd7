"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { engine } from "@/lib/engine/engine";
import { adminAction } from "@/lib/http/session/admin";
import { invalidRequest } from "@/lib/protocol/errors";
import {
  resumeProfile,
  setProfileFormat,
  suspendProfile,
} from "@/lib/services/admin/profiles/change-profile";
import { createProfileFor } from "@/lib/services/admin/profiles/create-profile";
import { deleteProfileOf } from "@/lib/services/admin/profiles/delete-profile";
import { transferProfile, withdrawTransfer } from "@/lib/services/admin/profiles/transfer-profile";
import {
  CreateForm,
  DeleteForm,
  FormatForm,
  StateForm,
  TransferForm,
  WithdrawForm,
} from "./schemas";

export const stateAction = adminAction(StateForm, async ({ ctx, input: { did, intent } }) => {
  await (intent === "suspend" ? suspendProfile : resumeProfile)(ctx, did);
  revalidatePath("/admin", "layout");
  const message =
    intent === "suspend"
      ? "Suspended: agents and its owner are refused from now on."
      : "Resumed: it is as it was before.";
  return { ok: true, message };
});

export const formatAction = adminAction(FormatForm, async ({ ctx, input }) => {
  await setProfileFormat(ctx, input);
  revalidatePath("/admin", "layout");
  return { ok: true, message: "Agents read the new type and version from now on." };
});

export const transferAction = adminAction(TransferForm, async ({ ctx, input }) => {
  await transferProfile(ctx, input);
  revalidatePath("/admin", "layout");
  const message = `The transfer to ${input.email} waits until both accept, or seven days if the owner does not answer.`;
  return { ok: true, message };
});

export const withdrawAction = adminAction(WithdrawForm, async ({ ctx, input: { did } }) => {
  await withdrawTransfer(ctx, did);
  revalidatePath("/admin", "layout");
  return { ok: true, message: "Withdrawn: the profile stays with its owner." };
});

export const createAction = adminAction(CreateForm, async ({ ctx, input }) => {
  const namespace = engine().settings.values().PROF_NAMESPACE;
  const did = await createProfileFor(ctx, { ...input, namespace });
  revalidatePath("/admin", "layout");
  redirect(`/admin/profiles/${encodeURIComponent(did)}`);
});

export const deleteAction = adminAction(DeleteForm, async ({ ctx, input: { did, typed } }) => {
  if (typed !== did) {
    throw invalidRequest([{ path: "typed", message: `Type ${did} to confirm.` }]);
  }
  await deleteProfileOf(ctx, did);
  revalidatePath("/admin", "layout");
  redirect("/admin/profiles?deleted=1");
});
