"use server";

import { revalidatePath } from "next/cache";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { admitNewcomer, checkPassword, hashNewPassword } from "@/lib/auth/credentials";
import { requireGoodPassword } from "@/lib/auth/password-rule";
import { leaveSession, startSession } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";
import { peerOf } from "@/lib/http/peer";
import { action, openAction } from "@/lib/http/session/action";
import { returnPath } from "@/lib/http/session/address/return-path";
import { notFound, notNow } from "@/lib/protocol/errors";
import { signUp } from "@/lib/services/accounts/accounts";
import { findLink, redeemLink } from "@/lib/services/accounts/links";
import { ownWordsOf, resetPassword } from "@/lib/services/accounts/reset-password";
import { restoreFirst } from "@/lib/services/backup/first-restore";
import { confirmAddress, requestReset } from "@/lib/services/mail/mailbox";
import { stopMail } from "@/lib/services/mail/stop";
import { readerZone } from "../_components/shell/reader-zone";
import {
  ConfirmAddressForm,
  ForgotForm,
  LinkForm,
  ResetForm,
  RestoreForm,
  SignInForm,
  SignUpForm,
  StopForm,
} from "./schemas";

export const signInAction = openAction(SignInForm, async ({ ctx, input }) => {
  const checked = await checkPassword(ctx, { ...input, peer: await peer() });
  if (checked.outcome === "right") {
    if (await startSession(checked)) redirect(await returnPath());
    const message = "This account was changed while you signed in. Sign in once more.";
    return { ok: false, message };
  }
  if (checked.outcome === "too many") return tooMany(checked.until, ctx.now);
  return {
    ok: false,
    message:
      checked.outcome === "suspended"
        ? "This account is suspended. Ask an admin of this gateway."
        : "The e-mail address or the password is wrong.",
  };
});

export const signUpAction = openAction(SignUpForm, async ({ ctx, input }) => {
  const until = admitNewcomer(ctx, await peer());
  if (until !== null) return tooMany(until, ctx.now);
  const { password, ...account } = input;
  const { PROF_NAMESPACE: namespace, SIGN_UP } = engine().settings.values();
  const passwordHash = await hashNewPassword(ctx, { password, peer: await peer() });
  const open = SIGN_UP === "open";
  const confirms = engine().mailer !== null;
  const { userId } = await signUp(ctx, { ...account, passwordHash, namespace, open, confirms });
  const isIn = await startSession({ userId, by: { passwordHash } });
  redirect(isIn ? await returnPath() : "/sign-in");
});

export const redeemLinkAction = openAction(LinkForm, async ({ ctx, input }) => {
  const until = admitNewcomer(ctx, await peer());
  if (until !== null) return tooMany(until, ctx.now);
  // Hashing is slow, so look for the link first.
  const link = await findLink(ctx, input.token);
  if (link === null || link.purpose === "password_reset" || link.purpose === "address") {
    throw notFound("link");
  }
  const { password, ...typed } = input;
  const account = { ...typed, email: link.email ?? typed.email };
  await requireGoodPassword(password, { ...account, handles: [account.handle] });
  const passwordHash = await hashNewPassword(ctx, { password, peer: await peer() });
  const namespace = engine().settings.values().PROF_NAMESPACE;
  const confirms = engine().mailer !== null;
  const { userId } = await redeemLink(ctx, { ...account, passwordHash, namespace, confirms });
  const isIn = await startSession({ userId, by: { passwordHash } });
  redirect(isIn ? await returnPath(link.role === "admin" ? "/admin" : undefined) : "/sign-in");
});

export const restoreAction = openAction(RestoreForm, async ({ ctx, input }) => {
  const until = admitNewcomer(ctx, await peer());
  if (until !== null) return tooMany(until, ctx.now);
  const notes = await restoreFirst(ctx, engine(), input);
  redirect(`/sign-in?from=${notes.length > 0 ? "noted-restore" : "restore"}`);
});

export const resetPasswordAction = openAction(ResetForm, async ({ ctx, input }) => {
  const until = admitNewcomer(ctx, await peer());
  if (until !== null) return tooMany(until, ctx.now);
  const { token, password, revoke, shown } = input;
  const link = await findLink(ctx, token);
  if (link?.purpose !== "password_reset" || link.email === null) throw notFound("link");
  await requireGoodPassword(password, await ownWordsOf(ctx, link.email));
  await resetPassword(ctx, {
    token,
    passwordHash: await hashNewPassword(ctx, { password, peer: await peer() }),
    // Nothing is kept where nothing was shown.
    keep: revoke ? null : (shown ?? null),
  });
  await leaveSession();
  redirect("/sign-in?from=reset");
});

/** Says the same, with the same work, whether or not an account has the address. */
export const forgotAction = openAction(ForgotForm, async ({ ctx, input: { email } }) => {
  if (engine().mailer === null) throw notNow("This gateway sends no mail, so nothing was sent.");
  const until = admitNewcomer(ctx, await peer());
  if (until !== null) return tooMany(until, ctx.now);
  await requestReset(ctx, { email });
  const message = `If an account has the address ${email}, a link is on its way there. It works for an hour.`;
  return { ok: true, message };
});

export const stopMailAction = openAction(StopForm, async ({ ctx, input }) => {
  await stopMail(ctx.db, input);
  // The page says how it is now.
  redirect(`/mail/stop/${input.what}/${encodeURIComponent(input.key)}`);
});

/** The person who reads the mail is the one who is signed in. */
export const confirmAddressAction = action(ConfirmAddressForm, async ({ ctx, input }) => {
  await confirmAddress(ctx, { ...input, timeZone: await readerZone() });
  revalidatePath("/dashboard", "layout");
  redirect("/dashboard/settings/mail?confirmed=1");
});

export async function signOutAction(): Promise<void> {
  await leaveSession();
  redirect("/sign-in?from=sign-out");
}

async function peer(): Promise<string | null> {
  return peerOf(await headers(), engine().env.TRUST_PROXY_HOPS);
}

function tooMany(until: Date, now: Date): { ok: false; message: string } {
  const minutes = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 60_000));
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return { ok: false, message: `Too many attempts. Nothing was checked; try again in ${wait}.` };
}
