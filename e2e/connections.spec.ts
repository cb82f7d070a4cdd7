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

async function openForm(page: Page, agent: string): Promise<void> {
  await page.goto("/dashboard/connections/issue");
  await page.getByRole("link", { name: `Choose ${agent}` }).click();
  await expect(page.getByRole("button", { name: "Issue the token" })).toBeVisible();
}

/** A token that no other test has, and its line in the list. */
async function issue(page: Page) {
  const label = `Tablet ${randomUUID()}`;
  await openForm(page, "Atlas");
  await page.getByRole("checkbox", { name: "Read" }).check();
  await page.getByRole("checkbox", { name: "Interests", exact: true }).check();
  await page.getByLabel("Label").fill(label);
  await page.getByRole("button", { name: "Issue the token" }).click();
  const token = (await page.getByRole("status", { name: "Token" }).textContent()) ?? "";
  return { label, token, line: lineOf(page, label) };
}

function lineOf(page: Page, label: string): Locator {
  return page
    .getByRole("list", { name: "Tokens", exact: true })
    .getByRole("listitem")
    .filter({ hasText: label });
}

test("A token is issued, works as shown, is revoked, refused, and works again after an undo", async ({
  page,
}) => {
  test.slow();
  const label = `Tablet ${randomUUID()}`;
  await openForm(page, "Nova");
  await expect(page.locator("input[type=checkbox]:checked")).toHaveCount(0);
  await expect(page.getByRole("radio", { name: "30 days" })).toBeChecked();
  const lens = page.getByRole("region", { name: "What it would see" });
  await page.getByRole("checkbox", { name: "Read" }).check();
  await page.getByRole("checkbox", { name: "Health" }).check();
  await expect(lens.getByText("Sees a physiotherapist for her left knee.")).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: /^Health/ })).toContainText(
    "Sensitive",
  );
  await page.getByRole("checkbox", { name: "Propose" }).check();
  await page.getByRole("radio", { name: "7 days" }).check();
  await page.getByLabel("Label").fill(label);
  await expectSound(page);
  await page.getByRole("button", { name: "Issue the token" }).click();

  const shown = page.getByRole("region", { name: "The token of Nova" });
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

test("An incomplete form is refused at its fields, and keeps what was chosen", async ({ page }) => {
  await openForm(page, "Iris");
  await page.getByRole("radio", { name: "90 days" }).check();
  await page.getByLabel("Label").fill("Garden shed");
  await page.getByRole("button", { name: "Issue the token" }).click();
  await expect(page.getByText("Choose what it may do.")).toBeVisible();
  await expect(page.getByText("Choose what the token is for.")).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Read" })).toBeFocused();
  await page.getByRole("checkbox", { name: "Propose" }).check();
  await page.getByLabel("Other categories").fill("garden, not a category!");
  await page.getByRole("button", { name: "Issue the token" }).click();
  await expect(page.getByText("This is no category: prof:category!")).toBeVisible();
  await expect(page.getByRole("radio", { name: "90 days" })).toBeChecked();
  await expect(page.getByRole("checkbox", { name: "Propose" })).toBeChecked();
  await expect(page.getByLabel("Label")).toHaveValue("Garden shed");
  await expectSound(page);
  await page.getByLabel("Other categories").fill("garden");
  await page.getByRole("button", { name: "Issue the token" }).click();
  const shown = page.getByRole("region", { name: "The token of Iris" });
  await expect(shown.locator("pre")).toHaveCount(1);
  await expect(shown.locator("pre")).toContainText('"category":"prof:garden"');
});

test("An agent is found by its name, and one that is not there is said to be missing", async ({
  page,
}) => {
  await page.goto("/dashboard/connections/issue");
  await expectSound(page);
  await page.getByLabel("Search agents").fill("nova read");
  await page.getByRole("button", { name: "Search" }).click();
  const agents = page.getByRole("list", { name: "Agents" }).getByRole("listitem");
  await expect(agents).toHaveCount(1);
  await expect(agents).toContainText("Nova");
  await page.getByLabel("Search agents").fill("nobody at all");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("heading", { name: "No active agent matches" })).toBeVisible();
  await page.goto("/dashboard/connections/issue?agent=did:prof:agent:local:gone");
  await expect(page.getByText("That is not an active agent of this gateway.")).toBeVisible();
});

test("A token is issued and revoked with the keyboard alone", async ({ page }) => {
  await openForm(page, "Atlas");
  await page.getByRole("checkbox", { name: "Read" }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expect(page.locator("input[type=checkbox]:checked")).toHaveCount(2);
  await tabTo(page, page.getByRole("button", { name: "Issue the token" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "The token of Atlas" })).toBeFocused();
  await tabTo(page, page.getByRole("link", { name: "I have put it away" }));
  await page.keyboard.press("Enter");
  const line = page
    .getByRole("list", { name: "Tokens", exact: true })
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
  await page.getByRole("link", { name: "Active" }).click();
  await expect(page).toHaveURL(/state=active/);
  await expect(line).toBeVisible();
  await page.getByRole("link", { name: "Expired" }).click();
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
    await openForm(page, "Atlas");
    await page.getByRole("checkbox", { name: "Read" }).check();
    await page.getByRole("checkbox", { name: "Interests", exact: true }).check();
    await page.getByLabel("Label").fill(label);
    await page.getByRole("button", { name: "Show what it would see" }).click();
    // Another test may have given it before: then it is folded away under what is seen already.
    await expect(page.getByText("Throws pots on Thursday evenings.")).toBeAttached();
    await expect(page.getByRole("checkbox", { name: "Read" })).toBeChecked();
    await page.getByRole("button", { name: "Issue the token" }).click();
    const shown = page.getByRole("status", { name: "Token" });
    const client = tokenClient((await shown.textContent()) ?? "");
    expect((await client.getOwnProfile({})).data.id).toBe(aliceDid());

    await page.goto("/dashboard/connections?state=active");
    const line = lineOf(page, label);
    await line.locator("summary").click();
    await line.getByRole("button", { name: "Revoke now" }).click();
    await expect(
      page.getByText("Revoked. The token's very next request is refused."),
    ).toBeVisible();
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
