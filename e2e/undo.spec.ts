import type { Page } from "playwright";
import { ageSignIns } from "./demo";
import { expect, expectSound, test } from "./page-checks";
import { newcomer, type Person } from "./people";

const rules = "/dashboard/access/policies";

/** A newcomer who has just removed the first rule, and signed in an hour ago. */
async function removed(page: Page) {
  const person = await newcomer(page.context().request, "Undine");
  await page.goto(rules);
  const rule = page.getByRole("main").getByRole("listitem").filter({ hasText: "template" }).first();
  const words = (await rule.getByRole("switch").getAttribute("aria-label")) ?? "";
  await rule.getByRole("button", { name: "More about" }).click();
  await page.getByRole("button", { name: "Remove" }).click();
  const one = page.getByRole("switch", { name: words });
  await expect(one).toHaveCount(0);
  await ageSignIns(person.email);
  return { person, rule: one };
}

async function confirm(page: Page, { password }: Pick<Person, "password">) {
  await page.getByLabel("Your password").fill(password);
  await page.getByRole("button", { name: "Confirm and go on" }).click();
}

test("An undo that must be confirmed asks for the password in its own message, and is done then", async ({
  page,
}) => {
  const { person, rule } = await removed(page);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Nothing was undone yet.").first()).toBeVisible();
  await expect(page.getByLabel("Your password")).toBeFocused();
  await expectSound(page);
  await confirm(page, { password: "not the password" });
  await expect(page.getByText("This is not your password.").first()).toBeVisible();
  await expect(rule).toHaveCount(0);
  await confirm(page, person);
  await expect(rule).toHaveCount(1);
  await expect(page.getByLabel("Your password")).toHaveCount(0);
});

test("An undo without an answer can be tried again", async ({ page }) => {
  const { person, rule } = await removed(page);
  await page.route(`**${rules}*`, (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 404, contentType: "text/plain", body: "gone" })
      : route.continue(),
  );
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("No answer came.").first()).toBeVisible();
  await page.unrouteAll();
  await page.getByRole("button", { name: "Undo" }).click();
  await confirm(page, person);
  await expect(rule).toHaveCount(1);
});

test.describe("before any script runs", () => {
  test.use({ javaScriptEnabled: false });

  test("An undo that must be confirmed asks at the head of the page", async ({ page }) => {
    const { person, rule } = await removed(page);
    await page.getByRole("button", { name: "Undo" }).click();
    await confirm(page, { password: "not the password" });
    await expect(page.getByText("This is not your password.")).toBeVisible();
    await confirm(page, person);
    await expect(rule).toHaveCount(1);
  });
});
