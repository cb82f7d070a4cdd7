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

const pagesMax = 60;

export type Area = "dashboard" | "admin";

const starts = { dashboard: "/dashboard", admin: "/admin/agents" } as const;

/**
 * Every kind of page of that area that links lead to from its first one, one of each: the same path with other ids is
 * the same kind, with other members of the query another one. So a new page needs no list.
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

function kindOf(address: string): string {
  const { pathname, searchParams } = new URL(address, "http://gateway.invalid");
  const path = pathname.split("/").map((part) => (/\d|%3A|:/i.test(part) ? "*" : part));
  return `${path.join("/")}?${[...searchParams.keys()].sort()}`;
}
