import { cookies, headers } from "next/headers";
import type { NextAuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { cache } from "react";
import { z } from "zod";
import { engine } from "@/lib/engine/engine";
import { isUnconfirmed } from "@/lib/protocol/errors";
import { text } from "@/lib/protocol/resources";
import type { Caller } from "@/lib/rules/may";
import { arrive, type Identity, isLinked, linkIdentity } from "@/lib/services/accounts/identities";
import { seenAs } from "@/lib/services/accounts/secret-token";
import { sessionDays } from "@/lib/services/accounts/session-life";
import {
  callerOf,
  endSession,
  findSession,
  issueSession,
  type NewSession,
  type SessionUser,
  type SessionValue,
} from "@/lib/services/accounts/sessions";
import { type Ctx, contextOf } from "@/lib/services/context";
import { checkPassword } from "./credentials";
import { oauthClients, type ProviderId, providerNames, strangerFrom } from "./providers";

// A session is a database row, and its cookie is a random token that identifies the row. next-auth treats the
// token as a JWT: `encode` returns it, and `decode` reads the row. docs/decisions/0019.

export function requestCtx(caller: Caller = { kind: "nobody" }): Ctx {
  return contextOf(engine(), caller);
}

/** Returns the signed-in user; read from the database once per page. */
export async function currentUser(): Promise<SessionUser | null> {
  const token = (await cookies()).get(sessionCookie().name)?.value;
  return token === undefined ? null : whoHoldsOnPage(token);
}

// Cached by the token: even a cache that another request filled returns only the user of this token.
const whoHoldsOnPage = cache(whoHolds);

/** Returns the user of a Cookie header, for code without `cookies()`. Two session cookies identify nobody. */
export async function userOfCookies(header: string | null): Promise<SessionUser | null> {
  const start = `${sessionCookie().name}=`;
  const sent = (header ?? "").split(";").map((pair) => pair.trim());
  const [token, ...others] = sent.filter((pair) => pair.startsWith(start));
  if (token === undefined || others.length > 0) return null;
  return whoHolds(token.slice(start.length));
}

async function whoHolds(token: string): Promise<SessionUser | null> {
  const who = await findSession(requestCtx(), token);
  if (who !== null) engine().seenSessions.set(seenAs(token), who.userId);
  return who;
}

type Arrived = Pick<NewSession, "userId" | "by">;

/**
 * Starts a session and sets its cookie. Returns false, and starts none, if the password or provider that
 * identified the user has changed since.
 */
export async function startSession(arrived: Arrived): Promise<boolean> {
  const issued = await replaceSession(arrived);
  if (issued !== null) await keepSession(issued);
  return issued !== null;
}

/** Sets the cookie of a new or renewed session. */
export async function keepSession({ token, expiresAt }: SessionValue): Promise<void> {
  const { name, options } = sessionCookie();
  (await cookies()).set(name, token, { ...options, expires: expiresAt });
}

/** Returns the Set-Cookie header of a session, for responses that Next.js does not write. */
export function setCookie({ token, expiresAt }: SessionValue): string {
  const { name, options } = sessionCookie();
  const { path, secure } = options;
  const parts = [`${name}=${token}`, `Path=${path}`, `Expires=${expiresAt.toUTCString()}`];
  return [...parts, "HttpOnly", "SameSite=Lax", ...(secure ? ["Secure"] : [])].join("; ");
}

// Also ends the session that the browser had before.
async function replaceSession(arrived: Arrived) {
  const ctx = requestCtx();
  const userAgent = (await headers()).get("user-agent");
  const issued = await issueSession(ctx, { ...arrived, userAgent });
  const before = (await cookies()).get(sessionCookie().name)?.value;
  if (issued !== null) engine().seenSessions.set(seenAs(issued.token), arrived.userId);
  if (issued !== null && before !== undefined) await endSession(ctx, before);
  return issued;
}

export async function leaveSession(): Promise<void> {
  const { name, options } = sessionCookie();
  const token = (await cookies()).get(name)?.value;
  if (token !== undefined) await endSession(requestCtx(), token);
  (await cookies()).set(name, "", { ...options, maxAge: 0 });
}

const Typed = z.object({
  email: text({ max: 254 }).toLowerCase(),
  password: z.string().max(1_000),
});

export function authOptions(peer: string | null): NextAuthOptions {
  return {
    session: { strategy: "jwt", maxAge: sessionDays * 24 * 60 * 60 },
    useSecureCookies: isHttps(),
    cookies: { sessionToken: sessionCookie() },
    pages: { signIn: "/sign-in", error: "/sign-in", signOut: "/dashboard" },
    providers: [
      CredentialsProvider({
        credentials: { email: { label: "E-mail" }, password: { label: "Password" } },
        authorize: (typed) => authorize(typed, peer),
      }),
      ...oauthClients(engine().env),
    ],
    jwt: {
      encode: async ({ token }) => opaqueIn(token),
      decode: ({ token }) => readSession(token),
    },
    callbacks: {
      signIn: ({ user, account, profile }) =>
        account !== null && isProvider(account.provider)
          ? comeBack({ provider: account.provider, user, profile: profile ?? {} }).catch(undecided)
          : true,
      // next-auth passes `user` at sign-in only. Later, `token` is the result of readSession.
      jwt: ({ token, user }) => (user === undefined ? token : { opaque: opaqueIn(user) }),
      // /api/auth/session returns the expiry and nothing else. Pages use `currentUser`.
      session: ({ session: { expires } }) => ({ expires }),
    },
    events: { signOut: ({ token }) => forget(token?.opaque) },
    logger: {
      error: (code) => engine().log[foreign.has(code) ? "debug" : "error"]("next-auth", { code }),
      warn: (code) => engine().log.warn("next-auth", { code }),
      debug: () => undefined,
    },
  };
}

// Clients cause these, with an expired cookie or an invented callback URL.
const foreign: ReadonlySet<string> = new Set(["JWT_SESSION_ERROR", "INVALID_CALLBACK_URL_ERROR"]);

/** The user that next-auth passes from sign-in to the `jwt` callback. */
interface Signed {
  id: string;
  opaque?: string;
}

// Throws nothing: next-auth would put the error's message into a URL.
async function authorize(typed: unknown, peer: string | null): Promise<Signed | null> {
  const ctx = requestCtx();
  const parsed = Typed.safeParse(typed);
  if (!parsed.success) return null;
  try {
    const checked = await checkPassword(ctx, { ...parsed.data, peer });
    if (checked.outcome !== "right") return null;
    const issued = await replaceSession(checked);
    return issued === null ? null : { id: checked.userId, opaque: issued.token };
  } catch (error) {
    engine().log.error("sign-in failed with an error", { requestId: ctx.requestId, error });
    return null;
  }
}

function isProvider(id: string): id is ProviderId {
  return Object.hasOwn(providerNames, id);
}

// Throws nothing, for the same reason as `authorize`.
function undecided(error: unknown): string {
  engine().log.error("sign-in failed with an error", { error });
  return "/sign-in?error=provider";
}

interface Returning {
  provider: ProviderId;
  /** next-auth's object. The token of the new session is stored in it. */
  user: Signed;
  profile: object;
}

// Signs in with the provider. For a user who is signed in, links the provider or, if it is linked already, starts
// a confirmed session. Returns true, or the URL to redirect to instead.
async function comeBack({ provider, user, profile }: Returning): Promise<true | string> {
  const stranger = strangerFrom(provider, profile);
  if (stranger === null) return "/sign-in?error=provider";
  const by = { provider, providerAccountId: stranger.providerAccountId };
  const who = await currentUser();
  if (who !== null && !(await isLinked(engine().db, { userId: who.userId, ...by }))) {
    return `/dashboard/settings/account?linked=${await link(who, by)}`;
  }
  const { PROF_NAMESPACE: namespace, SIGN_UP } = engine().settings.values();
  const arrival = await arrive(requestCtx(), { ...stranger, namespace, open: SIGN_UP === "open" });
  if ("userId" in arrival) {
    const issued = await replaceSession({ userId: arrival.userId, by });
    user.opaque = issued?.token;
    return issued === null ? "/sign-in?error=provider" : true;
  }
  return `/sign-in?error=${arrival.outcome.replaceAll(" ", "-")}`;
}

// Linking adds a permanent way to sign in, so the session must have been confirmed in the last ten minutes.
async function link(who: SessionUser, identity: Identity): Promise<string> {
  try {
    return await linkIdentity(requestCtx(callerOf(who)), identity);
  } catch (error) {
    if (isUnconfirmed(error)) return "stale";
    throw error;
  }
}

function opaqueIn(holder: object | undefined): string {
  const opaque = holder !== undefined && "opaque" in holder ? holder.opaque : undefined;
  if (typeof opaque !== "string") throw new Error("next-auth passed no session token");
  return opaque;
}

async function readSession(token: string | undefined) {
  if (token === undefined) return null;
  const who = await whoHolds(token);
  return who === null ? null : { sub: who.userId, opaque: token };
}

async function forget(opaque: unknown): Promise<void> {
  if (typeof opaque === "string") await endSession(requestCtx(), opaque);
}

// With `__Host-`, browsers reject a cookie that another host or an unencrypted response sets.
function sessionCookie() {
  const secure = isHttps();
  return {
    name: secure ? "__Host-gateway-session" : "gateway-session",
    options: { httpOnly: true, sameSite: "lax", path: "/", secure },
  } as const;
}

function isHttps(): boolean {
  return engine().env.PUBLIC_URL[0]?.startsWith("https:") ?? false;
}
