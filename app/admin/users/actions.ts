"use server";

import { redirect } from "next/navigation";
import { z } from "zod";
import { engine } from "@/lib/engine/engine";
import { act, adminActs, demandTyped, Typed } from "@/lib/http/session/admin";
import { Email, idOf } from "@/lib/http/session/form-fields";
import { gatewayUrl } from "@/lib/http/session/gateway-url";
import { changeRole, resumeUser, suspendUser } from "@/lib/services/admin/users/change-user";
import { deleteUser } from "@/lib/services/admin/users/delete-user";
import {
  type IssuedLink,
  inviteUser,
  issueResetLink,
  mailInvitation,
  mailResetLink,
} from "@/lib/services/admin/users/links";
import { findUser } from "@/lib/services/admin/users/list-users";
import type { Ctx } from "@/lib/services/context";

const Role = z.enum(["user", "admin"]);
const User = z.object({ userId: idOf("usr", "a user") });

/** Shown this once, to be handed over where the gateway sends no mail. */
export interface LinkShown {
  url: string;
  expiresAt: string;
}

export const userAction = adminActs({
  invite: act(z.object({ email: Email, role: Role }), async (ctx, input) => {
    if (engine().mailer !== null) {
      await mailInvitation(ctx, input);
      return { message: `Invited: ${input.email} gets the link by mail.` };
    }
    const shown = await shownOnce(await inviteUser(ctx, input));
    return { message: `Invited. Hand the link to ${input.email}.`, shown };
  }),
  reset: act(User, async (ctx, { userId }) => {
    if (engine().mailer !== null) {
      await mailResetLink(ctx, userId);
      return { message: "They get the link by mail. Until it is used, the old password works." };
    }
    const shown = await shownOnce(await issueResetLink(ctx, userId));
    return { message: "Here is the link. Until it is used, the old password works.", shown };
  }),
  suspend: actOnUser(suspendUser, "Suspended: every session of theirs has ended."),
  resume: actOnUser(resumeUser, "Resumed: they can sign in again."),
  changeRole: act(User.extend({ role: Role }), async (ctx, input) => {
    await changeRole(ctx, input);
    return {
      message: input.role === "admin" ? "Now an admin." : "No admin any more, from now on.",
    };
  }),
  delete: act(User.extend({ typed: Typed.toLowerCase() }), async (ctx, { userId, typed }) => {
    demandTyped(typed, (await findUser(ctx, userId)).email);
    await deleteUser(ctx, userId);
    redirect("/admin/users?deleted=1");
  }),
});

function actOnUser(work: (ctx: Ctx, userId: string) => Promise<void>, message: string) {
  return act(User, (ctx, { userId }) => work(ctx, userId), message);
}

async function shownOnce({ token, expiresAt }: IssuedLink): Promise<LinkShown> {
  return { url: `${await gatewayUrl()}/link/${token}`, expiresAt: expiresAt.toISOString() };
}
