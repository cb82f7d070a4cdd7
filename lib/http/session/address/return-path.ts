import { cookies } from "next/headers";
import { backPath } from "../confirm";

// A visitor who has to sign in first comes back to the page that they asked for. A cookie remembers it, not an
// address: it outlasts signing up, an invitation and the way to a provider, and only our own pages get into it.

export const returnCookie = "gateway-return";

const rememberedSeconds = 60 * 60;
const pathMax = 2_000;

/** What a link may name besides its page. The next to sign in on this browser learns nothing else, such as a search. */
const namedByLinks = ["request", "card"];

// A file is no page to come back to.
const files = /^\/(dashboard|admin)\/activity\/export\//;

/** Returns the page that was asked for, which is always one of ours; else the usual one. */
export async function returnPath(usual = "/dashboard"): Promise<string> {
  const path = (await cookies()).get(returnCookie)?.value;
  return path === undefined ? usual : backPath(path);
}

interface Visit {
  url: Pick<URL, "pathname" | "searchParams">;
  isSignedIn: boolean;
  /** Whether the browser has the cookie. */
  isRemembered: boolean;
  isHttps: boolean;
}

/** Returns what a visit to a personal page does to the cookie, as a header; null for nothing. */
export function returnCookieAfter({
  url,
  isSignedIn,
  isRemembered,
  isHttps,
}: Visit): string | null {
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isHttps ? "; Secure" : ""}`;
  if (isSignedIn) return isRemembered ? `${returnCookie}=; Max-Age=0; ${attributes}` : null;
  const named = [...url.searchParams].filter(([name]) => namedByLinks.includes(name));
  const query = named.length === 0 ? "" : `?${new URLSearchParams(named)}`;
  const path = encodeURIComponent(`${url.pathname}${query}`);
  if (path.length > pathMax || files.test(url.pathname)) return null;
  return `${returnCookie}=${path}; Max-Age=${rememberedSeconds}; ${attributes}`;
}

const places: [path: RegExp, name: string][] = [
  [/^\/dashboard\/access(\?.*request=|\/creq_)/, "the access request"],
  [/^\/dashboard\/access\/policies/, "your rules"],
  [/^\/dashboard\/access/, "your access requests"],
  [/^\/dashboard\/proposals/, "your inbox"],
  [/^\/dashboard\/memories/, "your memories"],
  [/^\/dashboard\/agents/, "your agents"],
  [/^\/dashboard\/activity/, "your activity"],
  [/^\/dashboard\/settings/, "your settings"],
  [/^\/dashboard\/connect\/./, "the program that asks to be connected"],
  [/^\/dashboard\/./, "the page you asked for"],
  [/^\/admin/, "the admin pages"],
];

/** Names a page to a visitor who is not signed in, so without anything that is on it; null for the overview. */
export function returnWords(path: string): string | null {
  return places.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
