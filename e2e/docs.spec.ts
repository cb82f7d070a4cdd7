import { docsHref, docsNames } from "@/app/docs/_parts/docs-pages";
import { rootSignIn, signInAlice } from "./demo";
import { expect, expectSound, test } from "./page-checks";
import { signIn } from "./people";

for (const name of docsNames) {
  test(`The page ${name} of the documentation is sound, and its title has each part once`, async ({
    page,
  }) => {
    await page.goto(docsHref(name));
    const parts = (await page.title()).split(" · ");
    expect(parts).toHaveLength(name === "index" ? 2 : 3);
    expect(new Set(parts).size).toBe(parts.length);
    await expectSound(page);
  });
}

test("The contents of a page lead to its sections, beside it and on a phone", async ({ page }) => {
  await page.goto("/docs/dashboard-api");
  const contents = page.getByRole("navigation", { name: "On this page" });
  const heading = page.getByRole("heading", { name: "Revoke a connection token" });
  await expect(heading).not.toBeInViewport();
  await contents.getByRole("link", { name: "Revoke a connection token" }).click();
  await expect(heading).toBeInViewport();
  await expect(contents).toBeInViewport();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/docs/dashboard-api");
  await page.locator("summary", { hasText: "On this page" }).click();
  await expectSound(page);
  await contents.getByRole("link", { name: "Revoke a connection token" }).click();
  await expect(heading).toBeInViewport();
});

test("A heading is a link to itself", async ({ page }) => {
  await page.goto("/docs/errors");
  await page
    .getByRole("link", { name: /^PROF004/ })
    .last()
    .click();
  await expect(page).toHaveURL(/\/docs\/errors#PROF004$/);
});

test("The search finds sections, those with the words in their heading first", async ({ page }) => {
  await page.goto("/docs");
  await page.getByRole("searchbox", { name: "Search" }).fill("PROF004");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/search\?q=PROF004$/);
  await expect(page.getByRole("status")).toContainText("sections");
  await expectSound(page);
  await page.getByRole("main").getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: /^PROF004/ })).toBeInViewport();

  await page.goto("/docs/search?q=%3Cscript%3E%20nowhere");
  await expect(page.getByRole("status")).toContainText("No section has all of these words");
});

test("Help leads from every place of the dashboard to the section about it", async ({ page }) => {
  await signInAlice(page);
  await page.goto("/dashboard");
  const places = page.getByRole("navigation", { name: "Dashboard" }).getByRole("link");
  const addresses = await places.evaluateAll((links) =>
    links.map((one) => one.getAttribute("href")),
  );
  expect(addresses.length).toBeGreaterThan(7);
  for (const address of addresses) {
    await page.goto(address ?? "");
    await page.getByRole("link", { name: "Help with this page" }).click();
    await page.waitForURL(/\/docs\/help#/);
    await expect(page.locator(new URL(page.url()).hash)).toBeInViewport();
  }
});

test("Help leads from the admin pages to what operators read", async ({ page }) => {
  await signIn(page, rootSignIn());
  await page.waitForURL(/\/(dashboard|admin)/);
  await page.goto("/admin/settings");
  await page.getByRole("link", { name: "Help with this page" }).click();
  await expect(page).toHaveURL(/\/docs\/operations#settings$/);
  await expect(page.getByRole("heading", { name: "Settings", exact: true })).toBeInViewport();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("Search, contents and help work", async ({ page }) => {
    await page.goto("/docs/search?q=everything+off");
    await page.getByRole("main").getByRole("link", { name: "Overview" }).click();
    await expect(page).toHaveURL(/\/docs\/help#overview$/);
    const contents = page.getByRole("navigation", { name: "On this page" });
    await contents.getByRole("link", { name: "Stop an agent" }).click();
    await expect(page.getByRole("heading", { name: "Stop an agent" })).toBeInViewport();
  });
});
