import type { Page } from "playwright";

// Pages are taken from the dashboard's own links, so that a new one is looked at by itself.

// One thing each has a page of its own; or the same page shows another part of a list.
const thingsMax = 12;
const partsMax = 4;

/**
 * Every page below /dashboard that links lead to from the overview; a bounded number of those whose
 * addresses differ in nothing but ids.
 */
export async function* everyPage(page: Page): AsyncGenerator<{ address: string; status: number }> {
  const found = new Set(["/dashboard"]);
  const seen = new Map<string, number>();
  for (const address of found) {
    const kind = kindOf(address);
    const before = seen.get(kind) ?? 0;
    if (before >= mostOf(kind)) continue;
    seen.set(kind, before + 1);
    const response = await page.goto(address);
    yield { address, status: response?.status() ?? 0 };
    const links = await page
      .locator("a[href^='/dashboard']:not([type])")
      .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
    for (const link of links) found.add(link.replace(/#.*/, ""));
  }
}

function mostOf(kind: string): number {
  const [path = "", query = ""] = kind.split("?");
  if (path.includes("*")) return thingsMax;
  return query.includes("*") ? partsMax : 1;
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
