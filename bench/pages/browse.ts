import type { Running } from "./options";

/** Somebody signed in, who loads pages. */
export interface Visitor {
  load(address: string): Promise<Loaded>;
}

export interface Loaded {
  status: number;
  html: string;
  /** From the request to the last byte. */
  ms: number;
}

export async function signIn({ url, email, password }: Running): Promise<Visitor> {
  const cookies = new Map<string, string>();
  async function ask(address: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...init.headers, cookie };
    const response = await fetch(new URL(address, url), { ...init, headers, redirect: "manual" });
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    return response;
  }
  const csrf = await (await ask("/api/auth/csrf")).json();
  const body = new URLSearchParams({ email, password, csrfToken: csrf.csrfToken, json: "true" });
  await (await ask("/api/auth/callback/credentials", { method: "POST", body })).text();
  const session = await (await ask("/api/auth/session")).json();
  if (session.expires === undefined) throw new Error("signing in failed");
  return {
    async load(address) {
      const start = performance.now();
      const response = await ask(address);
      const html = await response.text();
      return { status: response.status, html, ms: performance.now() - start };
    },
  };
}

const pagesMax = 60;

export type Area = "dashboard" | "admin";

const starts = { dashboard: "/dashboard", admin: "/admin/agents" } as const;

/**
 * Every kind of page of that area that links lead to from its first one, one of each: the same path with other ids is
 * the same kind, with other members of the query another one. So a new page is measured by itself.
 */
export async function findPages(visitor: Visitor, area: Area): Promise<string[]> {
  const start: string = starts[area];
  const found = new Map([[kindOf(start), start]]);
  for (const address of found.values()) {
    const { html } = await visitor.load(address);
    for (const link of linksIn(html, area)) {
      const kind = kindOf(link);
      if (!found.has(kind) && found.size < pagesMax) found.set(kind, link);
    }
  }
  return [...found.values()];
}

function linksIn(html: string, area: Area): string[] {
  return [...html.matchAll(/<a\b[^>]*\bhref="([^"#]*)/g)]
    .map(([, href = ""]) => href.replaceAll("&amp;", "&"))
    .filter((href) => href.startsWith(`/${area}`) && !downloads.test(href));
}

const downloads = /\/export\//;

/** What no link leads to: searches for many, for one and for none, and the lists that scripts ask for. */
export const adminSearches: readonly string[] = [
  ...["users", "profiles", "agents"].flatMap((list) =>
    ["example", "crowd-77", "do.99", "nothing-like-it"].flatMap((search) => [
      `/admin/${list}?search=${search}`,
      `/api/admin/${list}?search=${search}&limit=50`,
    ]),
  ),
  ...["users", "profiles", "agents", "activity", "settings", "system"].map(
    (list) => `/api/admin/${list}`,
  ),
  "/admin/activity?verb=exportAdminActivity",
  "/api/admin/activity?verb=approveAgent",
];

function kindOf(address: string): string {
  const { pathname, searchParams } = new URL(address, "http://gateway.invalid");
  const path = pathname.split("/").map((part) => (/\d|%3A|:/i.test(part) ? "*" : part));
  return `${path.join("/")}?${[...searchParams.keys()].sort()}`;
}
