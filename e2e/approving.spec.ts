import { randomUUID } from "node:crypto";
import { agentClient, agentDid, aliceDid, signInAlice } from "./demo";
import { openCard, propose, statusOf } from "./inbox-page";
import { expect, test } from "./page-checks";

// What the gateway approves without the owner, and an agent that she shuts out for a while.

const category = "prof:stamps";
const pageOf = (name: "Iris" | "Atlas") =>
  `/dashboard/agents/${encodeURIComponent(agentDid(name))}`;

test.beforeEach(({ page }) => signInAlice(page));

test("A rule approves what its owner chose, lists it, and is undone as one", async ({ page }) => {
  const before = await propose({ category, content: `Swaps stamps with ${randomUUID()}.` });
  await page.goto(pageOf("Iris"));
  await page.getByText("Let the gateway approve some of it").click();
  await page.getByRole("checkbox", { name: "Stamps" }).check();
  await page.getByRole("button", { name: "Approve these without me" }).click();
  await expect(page.getByText("From now on the gateway approves").first()).toBeVisible();
  const content = `Owns an album from ${randomUUID()}.`;
  const { id } = await propose({ category, content });
  await expect.poll(() => statusOf(id)).toBe("approved");
  expect(await statusOf(before.id)).toBe("pending");
  await page.goto(pageOf("Iris"));
  await expect(page.getByText("1 of at most 100 proposals")).toBeVisible();
  await page.getByText("Show 1 approval").click();
  await expect(page.getByText(content)).toBeVisible();
  await page.getByText("End it and undo all").click();
  await page.getByRole("button", { name: "Undo what it approved" }).click();
  await expect(page.getByText("1 proposal is undecided again.").first()).toBeVisible();
  expect(await statusOf(id)).toBe("pending");
});

test("A quarantine shuts an agent out with one act, and lets it in again with another", async ({
  page,
}) => {
  const content = `Walks to work by ${randomUUID()}.`;
  const { id } = await propose({ by: "Atlas", content });
  await page.goto(pageOf("Atlas"));
  await page.getByRole("button", { name: "Quarantine" }).click();
  await expect(page.getByText("In quarantine: its very next request is").first()).toBeVisible();
  const scopes = ["prof:preferences"];
  const reading = agentClient("Atlas").getProfile({ did: aliceDid(), scopes });
  await expect(reading).rejects.toMatchObject({ code: "PROF004" });
  await page.goto(pageOf("Atlas"));
  await expect(page.getByText(content)).toBeVisible();
  await page.goto(`/dashboard/proposals?card=${id}`);
  await expect(page.locator(`article#${id}`)).toHaveCount(0);
  await page.goto(pageOf("Atlas"));
  await page.getByRole("button", { name: "Lift the quarantine" }).click();
  await expect(page.getByText("Lifted: your other rules decide").first()).toBeVisible();
  await expect(await openCard(page, { id, content })).toBeVisible();
});
