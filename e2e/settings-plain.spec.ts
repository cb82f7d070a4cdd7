import type { Page } from "playwright";
import { expect, expectSound, test } from "./page-checks";
import { newcomer, openOwnSteps, type Person, signUp } from "./people";

// Whatever listens for changes stays where it was signed in: it goes before its cookies do.
async function forget(page: Page) {
  await page.goto("about:blank");
  await page.context().clearCookies();
}

// Before any script runs, and with an account at somebody else's.

test.describe.configure({ timeout: 120_000 });

test.describe("before any script runs", () => {
  test.use({ javaScriptEnabled: false });
  let me: Person;
  test.beforeEach(async ({ page }) => {
    me = await signUp(page, "Nell");
  });

  test("A name is saved, a wrong value keeps what was typed, and a right one is added", async ({
    page,
  }) => {
    await page.goto("/dashboard/settings");
    await page.getByLabel("Display name").fill("Nell without scripts");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    await page.goto("/dashboard/settings/values");
    await page.getByLabel("Category", { exact: true }).selectOption("Professional facts");
    await page.getByLabel("Name", { exact: true }).fill("rank");
    await page.getByLabel("Kind").selectOption("Number");
    await page.getByLabel("Value").fill("twelve");
    await page.getByRole("button", { name: "Add value" }).click();
    await expect(page.getByText("Enter a number")).toBeVisible();
    await expect(page.getByLabel("Value")).toHaveValue("twelve");
    await page.getByLabel("Value").fill("12");
    await page.getByRole("button", { name: "Add value" }).click();
    const rank = page.getByRole("region", { name: "Professional facts" }).getByLabel("Rank");
    await expect(rank).toHaveValue("12");
    await page.getByRole("button", { name: "Remove Rank" }).click();
    await expect(page.getByText("Removed “Rank”.")).toBeVisible();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.goto("/dashboard/settings/values");
    await expect(rank).toHaveValue("12");
  });

  test("A password is changed, and an account is deleted", async ({ page }) => {
    await page.goto("/dashboard/settings/account");
    await page.getByLabel("New password").fill("a lantern in a cold window");
    await page.getByRole("button", { name: "Change password" }).click();
    await expect(page.getByText("Changed.")).toBeVisible();
    await page.goto("/dashboard/settings/delete");
    await page.getByText("Delete account…").click();
    await page.getByLabel("Type your e-mail address").fill(me.email);
    await page.getByRole("button", { name: "Delete my account now" }).click();
    await expect(page).toHaveURL(/\/goodbye$/);
  });

  test("A newcomer signs up with GitHub", async ({ page }) => {
    await forget(page);
    await throughProvider(page, { provider: "GitHub", login: `p${me.handle}` });
    await expect(page).toHaveURL(/\/dashboard$/);
    await openOwnSteps(page);
    await expect(page.getByText(`did:prof:user:local:p${me.handle}`).first()).toBeVisible();
  });
});

async function throughProvider(
  page: Page,
  { provider, login }: { provider: string; login: string },
) {
  await page.goto("/sign-in");
  await page.getByRole("button", { name: `Continue with ${provider}` }).click();
  await authorize(page, login);
}

async function authorize(page: Page, login: string) {
  await page.getByLabel("Login").fill(login);
  await page.getByRole("button", { name: "Authorize" }).click();
}

test("Who comes with Google gets an account, and finds it the next time", async ({ page }) => {
  const login = `g${Date.now()}`;
  await page.goto("/sign-in");
  await expectSound(page);
  await throughProvider(page, { provider: "Google", login });
  await openOwnSteps(page);
  await expect(page.getByText(`did:prof:user:local:${login}`).first()).toBeVisible();
  await forget(page);
  await page.goto("/dashboard/settings/account");
  await throughProvider(page, { provider: "Google", login });
  await expect(page).toHaveURL(/\/dashboard\/settings\/account$/);
  await expect(page.getByText("You sign in with another provider.")).toBeVisible();
  await page.getByRole("button", { name: "Unlink Google" }).click();
  await expect(page.getByText("your only way to sign in").first()).toBeVisible();
  await page.getByLabel("New password").fill("a lantern in a cold window");
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByText(/^Set\./).first()).toBeVisible();
  await page.getByRole("button", { name: "Unlink Google" }).click();
  await expect(page.getByText("You no longer sign in with Google.").first()).toBeVisible();
});

test("The same e-mail address never opens an account; linking it when signed in does", async ({
  page,
}) => {
  const me = await newcomer(page.request, "Nell");
  await forget(page);
  await throughProvider(page, { provider: "GitHub", login: me.email });
  await expect(page).toHaveURL(/\/sign-in\?error=e-mail-in-use/);
  await expect(page.getByText(/There is an account with your e-mail address/)).toBeVisible();
  await expectSound(page);
  await page.getByLabel("E-mail address").fill(me.email);
  await page.getByLabel("Password").fill(me.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(/\/dashboard$/);
  await page.goto("/dashboard/settings/account");
  await page.getByRole("button", { name: "Link GitHub" }).click();
  await authorize(page, me.email);
  await expect(page.getByText("Linked to this account")).toBeVisible();
  await expectSound(page);
  await forget(page);
  await throughProvider(page, { provider: "GitHub", login: me.email });
  await openOwnSteps(page);
  await expect(page.getByText(`did:prof:user:local:${me.handle}`).first()).toBeVisible();
});
