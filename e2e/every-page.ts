import type { Page } from "playwright";

// Pages are taken from the dashboard's own links, so that a new one is looked at by itself.

interface Walk {
  root?: "/dashboard" | "/admin";
  /** At most so many pages that show one thing each. */
  things?: number;
  /** At most so many addresses that show another part of the same list. */
  parts?: number;
}

/**
 * Every page below `root` that links lead to from its first one; a bounded number of those whose addresses
 * differ in nothing but ids.
 */
export async function* everyPage(
  page: Page,
  { root = "/dashboard", things = 12, parts = 4 }: Walk = {},
): AsyncGenerator<{ address: string; status: number }> {
  const found = new Set<string>([root]);
  const seen = new Map<string, number>();
  for (const address of found) {
    const kind = kindOf(address);
    const before = seen.get(kind) ?? 0;
    if (before >= mostOf(kind, { things, parts })) continue;
    seen.set(kind, before + 1);
    const response = await page.goto(address);
    yield { address, status: response?.status() ?? 0 };
    const links = await page
      .locator(`a[href^='${root}']:not([type], [download])`)
      .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
    for (const link of links) found.add(link.replace(/#.*/, ""));
  }
}

function mostOf(kind: string, { things, parts }: Required<Omit<Walk, "root">>): number {
  const [path = "", query = ""] = kind.split("?");
  if (path.includes("*")) return things;
  return query.includes("*") ? parts : 1;
}

function kindOf(address: string): string {
  const { pathname, searchParams } = new URL(address, "http://gateway.invalid");
  const words = [...searchParams].map(([name, value]) =>
    /\d|:/.test(value) ? `${name}=*` : `${name}=${value}`,
  );
  return `${kindOfPath(pathname)}?${words.sort()}`;
}

/** The same for addresses that differ in nothing but an id. */
export function kindOfPath(pathname: string): string {
  const parts = pathname.split("/").map((part) => (/\d|%3A|:/i.test(part) ? "*" : part));
  return parts.join("/");
}
