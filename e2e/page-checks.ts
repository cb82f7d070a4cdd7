import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { BrowserContext, Page } from "playwright";
import { test as base, expect } from "playwright/test";

// Tests with scripts follow each other in one context, so that the browser reads our scripts once and not
// again for each; what a test leaves in it is gone before the next.
let kept: BrowserContext | undefined;

interface Fixtures {
  /** Opens a page of a browser where nobody is signed in; it goes with the test. */
  elsewhere: () => Promise<Page>;
  quiet: undefined;
}

// Where a form leads to another site, Next.js asks that for a page of its own kind as well, if the browser
// takes its time to leave. Our policy keeps it from asking.
const leaving = /authorize\?client_id=/;

// Every test of ours fails on a script error, a policy report or an error in the page's console.
export const test = base.extend<Fixtures>({
  context: async ({ browser, javaScriptEnabled }, use) => {
    if (javaScriptEnabled === false) {
      const plain = await browser.newContext();
      await use(plain);
      return plain.close();
    }
    kept ??= await browser.newContext();
    await use(kept);
    for (const page of kept.pages()) await page.close();
    await kept.clearCookies();
    await kept.clearPermissions();
    await kept.unrouteAll();
  },
  elsewhere: async ({ browser }, use) => {
    const opened: BrowserContext[] = [];
    await use(async () => {
      const context = await browser.newContext();
      opened.push(context);
      return context.newPage();
    });
    for (const context of opened) await context.close();
  },
  quiet: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        const isExpected = /status of 404/.test(message.text()) || leaving.test(message.text());
        if (message.type() === "error" && !isExpected) complaints.push(message.text());
      });
      await use(undefined);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Holds the scripts of the pages that open next back, until what it answers is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route("/_next/static/**/*.js", (route) => arrived.then(() => route.continue()));
  return arrive;
}

// Both widths and both themes; e2e/night/accessible.spec.ts sees every page in each of these, and more.
const looks = [
  { width: 390, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
] as const;
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** Every page, at the widths and in the themes that people have: no violation, no sideways scroll. */
export async function expectSound(page: Page): Promise<void> {
  await expect(page).toHaveTitle(/Profile Access Gateway|API reference/);
  // Where nothing stands at an address, Next.js leaves it to its script to write the page that says so.
  await expect(page.locator("main")).toBeVisible();
  const before = page.viewportSize();
  for (const { width, colorScheme } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    expect(await violationsOn(page), `${page.url()} at ${width} px, ${colorScheme}`).toEqual([]);
    const { scroll, client } = await page.evaluate(() => ({
      scroll: document.documentElement.scrollWidth,
      client: document.documentElement.clientWidth,
    }));
    expect(scroll, `${page.url()} scrolls sideways at ${width} px`).toBeLessThanOrEqual(client);
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
}

/** Returns what axe finds on the page as it is now. */
export async function violationsOn(page: Page, rules: RunOptions["rules"] = {}): Promise<string[]> {
  if (!(await page.evaluate(() => Reflect.has(window, "axe")))) await page.evaluate(axeSource);
  return page.evaluate(async (more) => {
    const axe: { run(options: RunOptions): Promise<AxeResults> } = Reflect.get(window, "axe");
    // What is in order need not be told.
    const { violations } = await axe.run({ resultTypes: ["violations"], rules: more });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
  }, rules);
}
