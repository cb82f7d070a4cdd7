"use server";

import { revalidatePath } from "next/cache";
import { redirect } from "next/navigation";
import { z } from "zod";
import { counted, list } from "@/app/_components/words/list";
import { hashNewPassword } from "@/lib/auth/credentials";
import { requireGoodPassword } from "@/lib/auth/password-rule";
import { providerIds, providerNames } from "@/lib/auth/providers";
import { keepSession, leaveSession } from "@/lib/auth/session";
import { action } from "@/lib/http/session/action";
import { demandConfirmed } from "@/lib/http/session/confirm";
import { idOf } from "@/lib/http/session/form-fields";
import { beginProviderSignIn } from "@/lib/http/session/provider-sign-in";
import { parseDid } from "@/lib/protocol/did";
import { findCredential } from "@/lib/services/accounts/accounts";
import { unlinkIdentity } from "@/lib/services/accounts/identities";
import { endOtherSessions, endOwnSession } from "@/lib/services/accounts/own-sessions";
import { setPassword } from "@/lib/services/accounts/password";

const PasswordForm = z.object({ password: z.string().max(1_000) });

export const setPasswordAction = action(PasswordForm, async ({ ctx, who, input }) => {
  await demandConfirmed(ctx);
  // Read before the new one is hashed: what is replaced is what was there then, or nothing.
  const from = (await findCredential(ctx, who.email))?.passwordHash ?? null;
  const handles = who.profiles.map(({ did }) => parseDid(did)?.name ?? "");
  const { password } = input;
  await requireGoodPassword(password, { email: who.email, name: who.name, handles });
  const to = await hashNewPassword(ctx, { password, account: who.userId, peer: null });
  const { ended, unlinked, webhooks, session } = await setPassword(ctx, { from, to });
  await keepSession(session);
  revalidatePath("/dashboard", "layout");
  const others =
    ended === 0 ? "" : ` ${counted(ended, "other session")} ended: sign in there with the new one.`;
  const paused =
    webhooks === 0
      ? ""
      : " Webhooks of your agents are paused: look at each address, then resume it.";
  const done = from === null ? "Set." : "Changed.";
  const message = `${done}${others}${unlinkedWords(unlinked)}${paused}`;
  return { ok: true, message };
});

function unlinkedWords(unlinked: string[]): string {
  const names = providerIds.filter((id) => unlinked.includes(id)).map((id) => providerNames[id]);
  if (names.length === 0) return "";
  return names.length === 1
    ? ` ${list(names)} is no longer linked: link it again if you use it.`
    : ` ${list(names)} are no longer linked: link them again if you use them.`;
}

const SessionForm = z.object({ sessionId: idOf("ses", "a session") });

export const endSessionAction = action(SessionForm, async ({ ctx, who, input }) => {
  await endOwnSession(ctx, { id: input.sessionId });
  if (input.sessionId === who.sessionId) {
    await leaveSession();
    redirect("/sign-in?from=sign-out");
  }
  revalidatePath("/dashboard/settings/account");
  return { ok: true, message: "Ended. That device has to sign in again." };
});

export const endOthersAction = action(z.object({}), async ({ ctx }) => {
  const ended = await endOtherSessions(ctx);
  revalidatePath("/dashboard/settings/account");
  return { ok: true, message: `${counted(ended, "other session")} ended.` };
});

const ProviderForm = z.object({ provider: z.enum(providerIds) });

export const linkAction = action(ProviderForm, async ({ ctx, input: { provider } }) => {
  await demandConfirmed(ctx);
  redirect(await beginProviderSignIn(provider, "/dashboard/settings/account?linked=linked"));
});

export const unlinkAction = action(ProviderForm, async ({ ctx, input: { provider } }) => {
  await unlinkIdentity(ctx, { provider });
  revalidatePath("/dashboard/settings/account");
  return { ok: true, message: `You no longer sign in with ${providerNames[provider]}.` };
});
