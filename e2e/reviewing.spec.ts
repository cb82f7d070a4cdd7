import { randomUUID } from "node:crypto";
import { signInAlice } from "./demo";
import { propose, statusOf } from "./inbox-page";
import { expect, expectSound, test } from "./page-checks";
import { newcomer } from "./people";

test("An account that the owner invites keeps what an agent proposes in their place, until that ends", async ({
  page,
  browser,
}) => {
  await signInAlice(page);
  const others = await browser.newContext();
  const rae = await others.newPage();
  const { email } = await newcomer(rae.request, "Rae");
  await page.goto("/dashboard/settings/reviewers");
  await page.getByLabel("Its e-mail address").fill(email);
  await page.getByRole("button", { name: "Invite" }).click();
  await expect(page.getByText("If an account here has this address").first()).toBeVisible();
  const content = `Draws maps of ${randomUUID()}.`;
  const { id } = await propose({ content });
  await rae.goto("/dashboard");
  await rae.getByRole("link", { name: "Look at the invitation" }).click();
  await rae.getByRole("button", { name: "Accept" }).click();
  await expect(rae.getByText("Accepted: you can review now.").first()).toBeVisible();
  await rae.getByRole("link", { name: "Review for" }).click();
  const card = rae.getByRole("article").filter({ hasText: content });
  const list = rae.getByRole("heading", { name: "What waits for" });
  await expect(list).toBeVisible();
  // Other tests leave proposals behind: this one is on the last page.
  const newer = rae.getByRole("link", { name: "Newer" });
  while (await newer.isVisible()) {
    const from = rae.url();
    await newer.click();
    await rae.waitForURL((url) => url.href !== from);
    await expect(list).toBeVisible();
  }
  await expect(card).toBeVisible();
  await expectSound(rae);
  await card.getByRole("button", { name: /^Keep:/ }).click();
  await expect(card).toHaveCount(0);
  expect(await statusOf(id)).toBe("approved");
  await page.goto(`/dashboard/proposals?tab=decided&q=${encodeURIComponent(content)}`);
  await expect(page.getByRole("article").filter({ hasText: content })).toContainText("Rae");
  await page.goto("/dashboard/settings/reviewers");
  await page.getByRole("button", { name: "End: Rae" }).click();
  await expect(page.getByText("Ended: they decide nothing more.").first()).toBeVisible();
  const { id: later } = await propose({ content: `Draws maps of ${randomUUID()}.` });
  await rae.reload();
  await expect(rae.getByText("You do not review here")).toBeVisible();
  expect(await statusOf(later)).toBe("pending");
  await others.close();
});
