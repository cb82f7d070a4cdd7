import { headers } from "next/headers";
import { confirmByPassword } from "@/lib/auth/confirm";
import { keepSession } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";
import { confirmFirst, invalidRequest, isUnconfirmed } from "@/lib/protocol/errors";
import { findCredential } from "@/lib/services/accounts/accounts";
import { confirmedUntil } from "@/lib/services/accounts/own-sessions";
import { callerOf, type SessionUser } from "@/lib/services/accounts/sessions";
import type { Ctx } from "@/lib/services/context";
import { peerOf } from "../peer";
import { confirmField } from "./confirm-field";

// Lasting changes need a password or a sign-in within the last ten minutes of this session. Verbs demand it;
// forms, files and imports ask for it here.

/** What a form asks for besides its fields. */
export type Confirmation = "password" | "sign-in";

interface Signed {
  ctx: Ctx;
  who: SessionUser;
}

/** Returns how the user has to confirm before a lasting change; null if they just did. */
export async function confirmationFor(signed: Signed): Promise<Confirmation | null> {
  return (await confirmedUntil(signed.ctx)) === null ? waysOf(signed) : null;
}

/** Returns how the user has to confirm: by password, or by signing in again if they have none. */
export async function waysOf(signed: Signed): Promise<Confirmation> {
  return (await hasPassword(signed)) ? "password" : "sign-in";
}

export async function hasPassword({ ctx, who }: Signed): Promise<boolean> {
  return ((await findCredential(ctx, who.email))?.passwordHash ?? null) !== null;
}

/**
 * Confirms the session if the form has a password, and gives the browser its new value. Returns the user; null
 * without a password. Throws if it is wrong.
 */
export async function confirmWith({ ctx, who }: Signed, given: unknown): Promise<Signed | null> {
  if (typeof given !== "string" || given === "") return null;
  const peer = peerOf(await headers(), engine().env.TRUST_PROXY_HOPS);
  const password = given.slice(0, passwordSentMax);
  const confirmed = await confirmByPassword(ctx, { who, password, peer });
  if (confirmed.outcome !== "confirmed") {
    throw invalidRequest([{ path: confirmField, message: refusals[confirmed.outcome] }]);
  }
  const { session } = confirmed;
  await keepSession(session);
  const renewed = { ...who, sessionId: session.sessionId };
  return { ctx: { ...ctx, caller: callerOf(renewed) }, who: renewed };
}

const passwordSentMax = 1_000;

export const refusals = {
  wrong: "This is not your password.",
  ended:
    "Your sign-in was renewed or ended at the same moment, in another tab perhaps. Nothing was changed; enter your password again.",
  "too many": "Too many attempts. Nothing was checked; try again in a few minutes.",
};

/** Throws unless the session was confirmed recently: for lasting changes that complete elsewhere. */
export async function demandConfirmed(ctx: Ctx): Promise<void> {
  if ((await confirmedUntil(ctx)) === null) throw confirmFirst();
}

/** Sends a browser that requests a file to the confirmation page, which returns to it. */
export async function orConfirmPage(
  { request, back }: { request: Request; back: string },
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    const isBrowser = request.headers.get("accept")?.includes("text/html") ?? false;
    if (!isBrowser || !isUnconfirmed(error)) throw error;
    const headers = { Location: confirmPage(back), "Cache-Control": "no-store" };
    return new Response(null, { status: 303, headers });
  }
}

function confirmPage(back: string): string {
  return `/confirm?${new URLSearchParams({ back })}`;
}

/** Returns the page to go back to, which is always one of ours. */
export function backPath(named: unknown): string {
  if (typeof named !== "string" || !URL.canParse(named, ownOrigin)) return "/dashboard";
  const { origin, pathname, search } = new URL(named, ownOrigin);
  const isOwn = origin === ownOrigin && /^\/(dashboard|admin)(\/|$)/.test(pathname);
  return isOwn ? `${pathname}${search}` : "/dashboard";
}

const ownOrigin = "http://gateway.internal";
