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

// Changes that last need the person: their password, or a sign-in, in this session in the last ten
// minutes. The verbs demand it; here a form, a file or an import asks for it.

/** What a form asks for besides its fields. */
export type Confirmation = "password" | "sign-in";

interface Signed {
  ctx: Ctx;
  who: SessionUser;
}

/** Returns what is asked of the person before a change that lasts; null if they confirmed a moment ago. */
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
 * Confirms the session where the form came with a password, and gives the browser its new value. Returns who goes
 * on in it; null where no password came. Throws if that is wrong.
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

/** Throws unless the session was confirmed: for what begins a change that lasts, and ends elsewhere. */
export async function demandConfirmed(ctx: Ctx): Promise<void> {
  if ((await confirmedUntil(ctx)) === null) throw confirmFirst();
}

/** Answers a browser that wants a file with the page where its person confirms, and then comes back. */
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

/** Where the page that confirms leads on to: to one of ours, whatever its address names. */
export function backPath(named: unknown): string {
  if (typeof named !== "string" || !URL.canParse(named, ownOrigin)) return "/dashboard";
  const { origin, pathname, search } = new URL(named, ownOrigin);
  const isOwn = origin === ownOrigin && /^\/(dashboard|admin)(\/|$)/.test(pathname);
  return isOwn ? `${pathname}${search}` : "/dashboard";
}

const ownOrigin = "http://gateway.internal";
