"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { gatewayUrl } from "@/app/docs/_parts/gateway-url";
import { adminAction } from "@/lib/http/session/admin";
import { invalidRequest } from "@/lib/protocol/errors";
import { changeRole, resumeUser, suspendUser } from "@/lib/services/admin/users/change-user";
import { deleteUser } from "@/lib/services/admin/users/delete-user";
import { type IssuedLink, inviteUser, issueResetLink } from "@/lib/services/admin/users/links";
import { findUser } from "@/lib/services/admin/users/list-users";
import { DeleteForm, InviteForm, ResetForm, RoleForm, StateForm } from "./schemas";

/** Shown this once, to be handed over: the gateway sends no e-mail. */
export interface LinkShown {
  url: string;
  expiresAt: string;
}

export const inviteAction = adminAction(InviteForm, async ({ ctx, input }) => {
  const shown = await shownOnce(await inviteUser(ctx, input));
  return { ok: true, message: `Invited. Hand the link to ${input.email}.`, shown };
});

export const resetAction = adminAction(ResetForm, async ({ ctx, input }) => {
  const shown = await shownOnce(await issueResetLink(ctx, input.userId));
  return {
    ok: true,
    message: "Here is the link. Until it is used, the old password works.",
    shown,
  };
});

export const stateAction = adminAction(StateForm, async ({ ctx, input: { userId, intent } }) => {
  await (intent === "suspend" ? suspendUser : resumeUser)(ctx, userId);
  revalidatePath("/admin", "layout");
  const message =
    intent === "suspend"
      ? "Suspended: every session of theirs has ended."
      : "Resumed: they can sign in again.";
  return { ok: true, message };
});

export const roleAction = adminAction(RoleForm, async ({ ctx, input }) => {
  await changeRole(ctx, input);
  revalidatePath("/admin", "layout");
  const message = input.role === "admin" ? "Now an admin." : "No admin any more, from now on.";
  return { ok: true, message };
});

export const deleteAction = adminAction(DeleteForm, async ({ ctx, input: { userId, typed } }) => {
  const { email } = await findUser(ctx, userId);
  if (typed !== email) {
    throw invalidRequest([{ path: "typed", message: `Type ${email} to confirm.` }]);
  }
  await deleteUser(ctx, userId);
  revalidatePath("/admin", "layout");
  redirect("/admin/users?deleted=1");
});

async function shownOnce({ token, expiresAt }: IssuedLink): Promise<LinkShown> {
  return { url: `${await gatewayUrl()}/link/${token}`, expiresAt: expiresAt.toISOString() };
}
