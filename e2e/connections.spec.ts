import { randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright";
import { createClient } from "@/lib/protocol/client";
import { aliceDid, signInAlice } from "./demo";
import { expect, expectSound, test } from "./page-checks";

test.beforeEach(({ page }) => signInAlice(page));

const { DEMO_URL = "" } = process.env;

/** The real client with a token, and nothing else. */
function tokenClient(token: string) {
  return createClient({ token, baseUrl: DEMO_URL });
}

interface Wanted {
  agent?: string;
  deed?: string;
  scope?: string[];
  days?: string;
  label?: string;
}

/** The tick of a category, and of none below it. */
const ofCategory = (title: string) => new RegExp(`^${title}(?! ›)`);

/** Fills in the sentence of a token. */
async function fillIn(page: Page, { agent, deed, scope = [], days, label }: Wanted) {
  if (agent !== undefined) {
    await page.getByLabel("Which agents").selectOption({ label: agent });
  }
  if (deed !== undefined) await page.getByLabel("What they may do").selectOption({ label: deed });
  if (scope.length > 0) {
    await page.getByRole("button", { name: "With what:" }).click();
    for (const title of scope)
      await page.getByRole("checkbox", { name: ofCategory(title) }).check();
    await page.keyboard.press("Escape");
  }
  if (days !== undefined) await page.getByLabel("For how long").selectOption({ label: days });
  if (label !== undefined) await page.getByLabel("Label").fill(label);
}

const issuePage = "/dashboard/connections/issue";
const atlas = "Atlas (not verified)";

/** A token that no other test has, and its line in the list. */
async function issue(page: Page) {
  const label = `Tablet ${randomUUID()}`;
  await page.goto(issuePage);
  await fillIn(page, {
    ...{ agent: atlas, deed: "may read", scope: ["Interests"], days: "for 30 days", label },
  });
  await page.getByRole("button", { name: "Issue the token" }).click();
  const token = (await page.getByRole("status", { name: "Token" }).textContent()) ?? "";
  return { label, token, line: lineOf(page, label) };
}

function lineOf(page: Page, label: string): Locator {
  return page
    .getByRole("list", { name: "Connections", exact: true })
    .getByRole("listitem")
    .filter({ hasText: label });
}

test("A token is issued, works as shown, is revoked, refused, and works again after an undo", async ({
  page,
}) => {
  test.slow();
  const label = `Tablet ${randomUUID()}`;
  await page.goto(issuePage);
  await expect(page.locator("input[type=checkbox]:checked")).toHaveCount(0);
  for (const slot of ["Which agents", "What they may do", "For how long"]) {
    await expect(page.getByLabel(slot)).toHaveValue("");
  }
  await fillIn(page, { agent: "Nova (not verified)", deed: "may read and propose" });
  await fillIn(page, { scope: ["Health"] });
  const preview = page.getByRole("region", { name: "What this token reads" });
  await expect(preview.getByText("Sees a physiotherapist for her left knee.")).toBeVisible();
  await expect(preview.getByText("own key cannot read this yet")).toBeVisible();
  await expect(preview.getByText("May propose memories in health")).toBeVisible();
  await expect(page.getByText("No longer sees")).toHaveCount(0);
  await fillIn(page, { days: "for 7 days", label });
  await expectSound(page);
  await page.getByRole("button", { name: "Issue the token" }).click();

  const shown = page.getByRole("region", { name: "Your new token" });
  await expect(shown).toBeFocused();
  await expectSound(page);
  const token = (await shown.getByRole("status", { name: "Token" }).textContent()) ?? "";
  expect(token).toMatch(/^profct_[0-9A-Za-z]{49}$/);
  const [read = "", propose = ""] = await shown.locator("pre").allTextContents();
  expect(read).toContain(`curl -sS ${DEMO_URL}/prof/v1/profile \\`);
  expect(propose).toContain(`${DEMO_URL}/prof/v1/profile/memories/propose`);
  expect(page.url()).not.toContain(token);

  const client = tokenClient(token);
  const { data } = await client.getOwnProfile({});
  expect(data.id).toBe(aliceDid());
  expect(Object.keys(data.memories)).toEqual(["prof:health"]);

  await page.getByRole("link", { name: "I have put it away" }).click();
  const line = lineOf(page, label);
  await expect(line).toContainText("Nova");
  await expect(line).toContainText("May read and propose");
  await expect(line).toContainText("Active, ends in 7 days");
  await expect(line).toContainText("used just now");
  await expect(line).toContainText(`…${token.slice(-4)}`);
  expect(await page.content()).not.toContain(token);

  await line.locator("summary").click();
  await expect(line.getByText("refused at once")).toBeVisible();
  await expectSound(page);
  await line.getByRole("button", { name: "Revoke now" }).click();
  await expect(line).toContainText("Revoked just now");
  await expect(client.getOwnProfile({})).rejects.toMatchObject({ status: 401 });
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(line).toContainText("Active");
  expect((await client.getOwnProfile({})).data.id).toBe(aliceDid());
});

test("Enter in the field for other categories closes the list, and issues nothing", async ({
  page,
}) => {
  await page.goto(issuePage);
  await fillIn(page, { agent: atlas, deed: "may read", days: "for 1 day" });
  await page.getByRole("button", { name: "With what:" }).click();
  const typed = page.getByLabel("Other categories");
  await typed.fill("music");
  await typed.press("Enter");
  await expect(typed).toBeHidden();
  await expect(page.getByRole("button", { name: "With what: music" })).toBeFocused();
  await expect(page.getByRole("button", { name: "Issue the token" })).toBeVisible();
  await expect(page.getByRole("status", { name: "Token" })).toHaveCount(0);
});

test("The token is gone once its page was left, and stands in no address or store", async ({
  page,
}) => {
  const { token } = await issue(page);
  const kept = await page.evaluate(() =>
    JSON.stringify([location.href, document.cookie, { ...localStorage }, { ...sessionStorage }]),
  );
  expect(kept).not.toContain(token);
  await page.reload();
  await expect(page.getByRole("button", { name: "Issue the token" })).toBeVisible();
  expect(await page.content()).not.toContain(token);
  await page.goto("/dashboard/connections");
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Issue a token" })).toBeVisible();
  expect(await page.content()).not.toContain(token);
});

test("What a token carries less than the agent's key is not called lost", async ({ page }) => {
  await page.goto(issuePage);
  await fillIn(page, { agent: "Iris (verified)", deed: "may read", scope: ["Health"] });
  const preview = page.getByRole("region", { name: "What this token reads" });
  await expect(preview.getByText("Its own key reads besides")).toBeVisible();
  await preview.getByText("Its own key reads besides").click();
  await expect(preview.getByText("takes nothing away")).toBeVisible();
  await expect(preview.locator(".text-danger")).toHaveCount(0);
  await expectSound(page);
});

test("An incomplete form is refused at its slots, and keeps what was chosen", async ({ page }) => {
  await page.goto(issuePage);
  await fillIn(page, { agent: "Iris (verified)", days: "for 90 days", label: "Garden shed" });
  await page.getByRole("button", { name: "Issue the token" }).click();
  await expect(page.getByText("Choose what it may do.")).toBeVisible();
  await expect(page.getByLabel("What they may do")).toBeFocused();
  await fillIn(page, { deed: "may propose" });
  await page.getByRole("button", { name: "Issue the token" }).click();
  await expect(page.getByText("Choose what the token is for.")).toBeVisible();
  await page.getByRole("button", { name: "With what:" }).click();
  await page.getByLabel("Other categories").fill("garden, not a category!");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Issue the token" }).click();
  await expect(page.getByText("Not a scope")).toBeVisible();
  await expect(page.getByLabel("For how long")).toHaveValue("90");
  await expect(page.getByLabel("What they may do")).toHaveValue("propose");
  await expect(page.getByLabel("Label")).toHaveValue("Garden shed");
  await expectSound(page);
  await page.getByRole("button", { name: "With what:" }).click();
  await page.getByLabel("Other categories").fill("garden");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Issue the token" }).click();
  const shown = page.getByRole("region", { name: "Your new token" });
  await expect(shown.locator("pre")).toHaveCount(1);
  await expect(shown.locator("pre")).toContainText('"category":"prof:garden"');
});

test("An agent that is not in the list is named by its identifier", async ({ page }) => {
  await page.goto(`${issuePage}?agent=did:prof:agent:local:gone`);
  await expect(page.getByLabel("Identifier")).toHaveValue("did:prof:agent:local:gone");
  await fillIn(page, { deed: "may read", scope: ["Interests"], days: "for 1 day" });
  await page.getByRole("button", { name: "Issue the token" }).click();
  await expect(page.getByText("Must be an active agent of this gateway")).toBeVisible();
});

test("A token is issued and revoked with the keyboard alone", async ({ page }) => {
  await page.goto(issuePage);
  const select = async (label: string, text: string) => {
    await tabTo(page, page.getByLabel(label));
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  };
  await select("Which agents", "Atlas");
  await select("What they may do", "may read");
  await tabTo(page, page.getByRole("button", { name: "With what:" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("checkbox", { name: ofCategory("Interests") }));
  await page.keyboard.press("Space");
  await page.keyboard.press("Escape");
  await select("For how long", "for 1 day");
  await tabTo(page, page.getByRole("button", { name: "Issue the token" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Your new token" })).toBeFocused();
  await tabTo(page, page.getByRole("link", { name: "I have put it away" }));
  await page.keyboard.press("Enter");
  const line = page
    .getByRole("list", { name: "Connections", exact: true })
    .getByRole("listitem")
    .first();
  await expect(line).toContainText("Active");
  await tabTo(page, line.locator("summary"));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(line).toContainText("Revoked just now");
});

test("The list is narrowed to a state, and the address keeps it", async ({ page }) => {
  const { label, line } = await issue(page);
  await page.goto("/dashboard/connections");
  const which = page.getByRole("list", { name: "Which connections" });
  await which.getByRole("link", { name: "Active" }).click();
  await expect(page).toHaveURL(/state=active/);
  await expect(line).toBeVisible();
  await which.getByRole("link", { name: "Expired" }).click();
  await expect(page).toHaveURL(/state=expired/);
  await expect(page.getByText(label)).toHaveCount(0);
  await expectSound(page);
});

test.describe("before any script runs", () => {
  test.use({ javaScriptEnabled: false });

  test("A token is looked through, issued, shown once, revoked and given back", async ({
    page,
  }) => {
    const label = `Script ${randomUUID()}`;
    await page.goto(issuePage);
    await fillIn(page, { agent: atlas, deed: "may read", scope: ["Interests"], label });
    await page.getByRole("button", { name: "Show what it would see" }).click();
    // Another test may have given it before: then it is folded away under what is seen already.
    await expect(page.getByText("Throws pots on Thursday evenings.")).toBeAttached();
    await expect(page.getByRole("button", { name: "With what: interests" })).toBeVisible();
    await fillIn(page, { days: "for 1 day" });
    await page.getByRole("button", { name: "Issue the token" }).click();
    const shown = page.getByRole("status", { name: "Token" });
    const client = tokenClient((await shown.textContent()) ?? "");
    expect((await client.getOwnProfile({})).data.id).toBe(aliceDid());

    await page.goto("/dashboard/connections?state=active");
    const line = lineOf(page, label);
    await line.locator("summary").click();
    await line.getByRole("button", { name: "Revoke now" }).click();
    await expect(page.getByText("Ended. Its very next request is refused.")).toBeVisible();
    await expect(client.getOwnProfile({})).rejects.toMatchObject({ status: 401 });
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(line).toContainText("Active");
    expect((await client.getOwnProfile({})).data.id).toBe(aliceDid());
  });
});

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let turn = 0; turn < 60; turn++) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error("the keyboard does not get there");
}

test("The menu of a phone closes when one of its links is followed, also to the same page", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/dashboard");
  const link = page.getByRole("banner").getByRole("link", { name: "Connections" });
  for (const _ of ["from another page", "from the same"]) {
    await page.getByRole("banner").locator("summary").first().click();
    await link.click();
    await expect(page.getByRole("heading", { level: 1, name: "Connections" })).toBeVisible();
    await expect(link).toBeHidden();
  }
  await expectSound(page);
});
