import type { Env } from "@/lib/engine/env";
import type { Stranger } from "@/lib/services/accounts/identities";

// GitHub and Google, if the environment has a client for them. Uses only their ids and verified addresses.

export const providerNames = { github: "GitHub", google: "Google" } as const;
export type ProviderId = keyof typeof providerNames;

export interface Provider {
  id: ProviderId;
  name: string;
}

export function providersOf(env: Env): Provider[] {
  const configured = {
    github: env.GITHUB_ID !== undefined,
    google: env.GOOGLE_CLIENT_ID !== undefined,
  };
  return providerIds.filter((id) => configured[id]).map((id) => ({ id, name: providerNames[id] }));
}

export const providerIds = ["github", "google"] as const;

/** The origins of their sign-in pages, which our forms may redirect to. */
export function providerOrigins(env: Env): string[] {
  const origins = { github: env.GITHUB_URL, google: env.GOOGLE_ISSUER };
  return providersOf(env).map(({ id }) => new URL(origins[id]).origin);
}

/** In the terms of next-auth. */
export function oauthClients(env: Env) {
  return providersOf(env).map(({ id }) => (id === "github" ? gitHub(env) : google(env)));
}

const patienceMs = 10_000;

interface ProviderProfile {
  sub?: unknown;
  id?: unknown;
  login?: unknown;
  name?: unknown;
  email?: unknown;
  email_verified?: unknown;
}

function gitHub({ GITHUB_ID, GITHUB_SECRET, GITHUB_URL }: Env) {
  const base = new URL(GITHUB_URL).origin;
  // A GitHub Enterprise Server has its API below its own address.
  const api = base === "https://github.com" ? "https://api.github.com" : `${base}/api/v3`;
  return {
    id: "github",
    name: providerNames.github,
    type: "oauth" as const,
    clientId: GITHUB_ID,
    clientSecret: GITHUB_SECRET,
    httpOptions: { timeout: patienceMs },
    checks: ["state" as const],
    authorization: { url: `${base}/login/oauth/authorize`, params: { scope: "user:email" } },
    token: `${base}/login/oauth/access_token`,
    userinfo: {
      url: `${api}/user`,
      request: ({ tokens }: { tokens: { access_token?: string } }) =>
        askGitHub(api, tokens.access_token ?? ""),
    },
    profile: profileOf,
  };
}

// The address in a GitHub profile may be somebody else's; the list says which ones are verified.
async function askGitHub(api: string, token: string): Promise<Record<string, unknown>> {
  const ask = async (path: string): Promise<unknown> => {
    const response = await fetch(`${api}${path}`, {
      headers: { Authorization: `Bearer ${token}`, Accept: "application/vnd.github+json" },
      signal: AbortSignal.timeout(patienceMs),
    });
    if (!response.ok) throw new Error(`GitHub answered ${response.status}`);
    return response.json();
  };
  const [user, emails] = await Promise.all([ask("/user"), ask("/user/emails")]);
  const verified = Array.isArray(emails)
    ? emails.find((one) => one?.primary === true && one?.verified === true)
    : undefined;
  const known = typeof user === "object" && user !== null ? user : {};
  return { ...known, email: verified?.email ?? null, email_verified: verified !== undefined };
}

function google({ GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, GOOGLE_ISSUER }: Env) {
  const issuer = new URL(GOOGLE_ISSUER).origin;
  return {
    id: "google",
    name: providerNames.google,
    type: "oauth" as const,
    clientId: GOOGLE_CLIENT_ID,
    clientSecret: GOOGLE_CLIENT_SECRET,
    httpOptions: { timeout: patienceMs },
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    issuer,
    idToken: true,
    checks: ["pkce" as const, "state" as const],
    authorization: { params: { scope: "openid email profile" } },
    profile: profileOf,
  };
}

function profileOf(profile: ProviderProfile): { id: string } {
  return { id: String(profile.sub ?? profile.id ?? "") };
}

/** Returns the person that a provider names; null if it names nobody. */
export function strangerFrom(provider: ProviderId, profile: ProviderProfile): Stranger | null {
  const { id: providerAccountId } = profileOf(profile);
  if (providerAccountId === "" || providerAccountId.length > 255) return null;
  const email = profile.email_verified === true ? emailOf(profile.email) : null;
  const login = textOf(profile.login) ?? email?.split("@")[0] ?? "";
  const handle = login.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, 48) || provider;
  const name = textOf(profile.name)?.slice(0, 100) ?? handle;
  return { provider, providerAccountId, email, name, handle };
}

function emailOf(value: unknown): string | null {
  const email = textOf(value)?.toLowerCase() ?? "";
  return /^[^\s@]+@[^\s@]+$/.test(email) && email.length <= 254 ? email : null;
}

// Plain text, as names that people type are.
function textOf(value: unknown): string | null {
  if (typeof value !== "string" || !value.isWellFormed()) return null;
  return value.replace(/\p{Cc}/gu, " ").trim() || null;
}
