import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright";
import { test as base, expect } from "playwright/test";

// Every test of ours fails on a script error, a policy report or an error in the page's console.
export const test = base.extend<{ quiet: undefined }>({
  quiet: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error" && !/status of 404/.test(message.text())) {
          complaints.push(message.text());
        }
      });
      await use(undefined);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

const widths = [390, 1280];
const schemes = ["light", "dark"] as const;

// Themes differ in colours alone, so what is not about colour is looked at in one of them.
function axeFor(page: Page, colorScheme: (typeof schemes)[number]): AxeBuilder {
  // No page here has frames, for which axe would open a page of its own each time; and what is in order
  // need not be told.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  return colorScheme === "light" ? axe : axe.withRules(["color-contrast", "link-in-text-block"]);
}

/** Every page, at the widths and in the themes that people have: no violation, no sideways scroll. */
export async function expectSound(page: Page): Promise<void> {
  await expect(page).toHaveTitle(/Profile Access Gateway|API reference/);
  const before = page.viewportSize();
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 });
      const { violations } = await axeFor(page, colorScheme).analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html)}`);
      expect(found, `${page.url()} at ${width} px, ${colorScheme}`).toEqual([]);
      const { scroll, client } = await page.evaluate(() => ({
        scroll: document.documentElement.scrollWidth,
        client: document.documentElement.clientWidth,
      }));
      expect(scroll, `${page.url()} scrolls sideways at ${width} px`).toBeLessThanOrEqual(client);
    }
  }
  await page.emulateMedia({ colorScheme: null });
  if (before !== null) await page.setViewportSize(before);
}
