import { cookies } from "next/headers";
import { backPath } from "../confirm";

// A visitor who has to sign in first comes back to the page that they asked for. A cookie remembers it, not an
// address: it outlasts signing up, an invitation and the way to a provider, and no link can set it.

export const returnCookie = "gateway-return";

const rememberedSeconds = 60 * 60;
const pathMax = 2_000;

/** Returns the page that was asked for, which is always one of ours; else the usual one. */
export async function returnPath(usual = "/dashboard"): Promise<string> {
  const path = (await cookies()).get(returnCookie)?.value;
  return path === undefined ? usual : backPath(path);
}

interface Visit {
  url: { pathname: string; search: string };
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
  const path = encodeURIComponent(`${url.pathname}${url.search}`);
  if (path.length > pathMax) return null;
  return `${returnCookie}=${path}; Max-Age=${rememberedSeconds}; ${attributes}`;
}

const places: [path: RegExp, name: string][] = [
  [/^\/dashboard\/access\?.*request=/, "the access request"],
  [/^\/dashboard\/access\/policies/, "your rules"],
  [/^\/dashboard\/access/, "your access requests"],
  [/^\/dashboard\/proposals/, "your inbox"],
  [/^\/dashboard\/memories/, "your memories"],
  [/^\/dashboard\/agents/, "your agents"],
  [/^\/dashboard\/activity/, "your activity"],
  [/^\/dashboard\/settings/, "your settings"],
  [/^\/dashboard\/./, "the page you asked for"],
  [/^\/admin/, "the admin pages"],
];

/** Names a page to a visitor who is not signed in, so without anything that is on it; null for the overview. */
export function returnWords(path: string): string | null {
  return places.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}
