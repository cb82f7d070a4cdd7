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

// A session is a row; its cookie is an opaque value that names the row. next-auth calls it a JWT: the row is
// written when somebody is identified and read when the value is decoded. docs/decisions/0019.

export function requestCtx(caller: Caller = { kind: "nobody" }): Ctx {
  return contextOf(engine(), caller);
}

/** Returns the signed-in user; read from the database once per request. */
export const currentUser = cache(async (): Promise<SessionUser | null> => {
  const token = (await cookies()).get(sessionCookie().name)?.value;
  return token === undefined ? null : whoHolds(token);
});

/** Returns the user of a request that Next.js has not prepared. Two cookies of the same name identify nobody. */
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
 * Starts a session. Returns false if what identified the user was changed at this moment; nobody is signed in
 * then.
 */
export async function startSession(arrived: Arrived): Promise<boolean> {
  const issued = await replaceSession(arrived);
  if (issued !== null) await keepSession(issued);
  return issued !== null;
}

/** Gives the browser its session, or a new value of it. */
export async function keepSession({ token, expiresAt }: SessionValue): Promise<void> {
  const { name, options } = sessionCookie();
  (await cookies()).set(name, token, { ...options, expires: expiresAt });
}

/** Returns the cookie as a header, for answers that Next.js does not write. */
export function setCookie({ token, expiresAt }: SessionValue): string {
  const { name, options } = sessionCookie();
  const { path, secure } = options;
  const parts = [`${name}=${token}`, `Path=${path}`, `Expires=${expiresAt.toUTCString()}`];
  return [...parts, "HttpOnly", "SameSite=Lax", ...(secure ? ["Secure"] : [])].join("; ");
}

// The one that the browser had until now ends with it.
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
      // At sign-in, with the identified user; later, with the result of readSession.
      jwt: ({ token, user }) => (user === undefined ? token : { opaque: opaqueIn(user) }),
      // Pages use `currentUser`. A script gets only the expiry from this address.
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

// An expired cookie or an invented address is not an error of the gateway.
const foreign: ReadonlySet<string> = new Set(["JWT_SESSION_ERROR", "INVALID_CALLBACK_URL_ERROR"]);

/** Whom next-auth takes along until it sets the cookie. */
interface Signed {
  id: string;
  opaque?: string;
}

// next-auth would write an error's message into an address, so no error may leave.
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
    engine().log.error("a sign-in was not decided", { requestId: ctx.requestId, error });
    return null;
  }
}

function isProvider(id: string): id is ProviderId {
  return Object.hasOwn(providerNames, id);
}

// As above: an error would end up in an address.
function undecided(error: unknown): string {
  engine().log.error("a sign-in was not decided", { error });
  return "/sign-in?error=provider";
}

interface Returning {
  provider: ProviderId;
  /** Gets the session that was made. */
  user: Signed;
  profile: object;
}

// Signs in with the provider. A signed-in user links it or, if it is linked already, confirms the session.
// Returns where to go instead, if anywhere.
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

// Linking adds a permanent way to sign in, so an unlocked laptop is not enough.
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
  if (typeof opaque !== "string") throw new Error("nobody was recognised");
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

// `__Host-`: browsers then refuse one that another host or a plain connection sets.
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
