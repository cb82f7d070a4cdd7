import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { Page } from "playwright";
import { signInAlice } from "./demo";
import { expect, expectSound, test } from "./page-checks";

test.describe.configure({ timeout: 120_000 });

test.beforeEach(({ page }) => signInAlice(page));

const secret = (page: Page) => page.getByRole("status", { name: "Secret" });
const messages = (page: Page) => page.getByRole("list", { name: "Messages" });

/** Registers an agent and opens the page of its webhook. */
async function openWebhook(page: Page): Promise<void> {
  const { publicKey } = generateKeyPairSync("ed25519");
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  await page.goto("/dashboard/agents/register");
  await page.getByLabel("Name", { exact: true }).fill("Hook");
  await page.getByLabel("Identifier").fill(`hook-${randomUUID().slice(0, 8)}`);
  await page.getByRole("textbox", { name: "Public key" }).fill(pem);
  await page.getByRole("button", { name: "Register", exact: true }).click();
  await page.getByRole("link", { name: "webhook" }).click();
  await expect(page.getByRole("heading", { name: "Webhook" })).toBeVisible();
}

async function set(page: Page, url: string): Promise<void> {
  await page.getByLabel("Where messages are sent").fill(url);
  await page.getByRole("button", { name: /^(Set the webhook|Save)$/ }).click();
}

test("The person who runs an agent sets its webhook, tests it, and replaces its secret", async ({
  page,
}) => {
  await openWebhook(page);
  await expectSound(page);
  await set(page, "https://10.0.0.1/hook");
  await expect(page.getByText("not one of the public internet")).toBeVisible();
  await set(page, "https://agent.example.com/hook");
  await expect(secret(page)).toHaveText(/^whsec_/);
  const first = await secret(page).textContent();
  await page.getByRole("button", { name: "Send a test message" }).click();
  await expect(messages(page).getByRole("heading", { name: "webhook.test" })).toBeVisible();
  await expect(messages(page)).toContainText("1 attempt");
  await expectSound(page);
  await page.getByText("Replace the secret").click();
  await page.getByRole("button", { name: "Replace it now" }).click();
  await expect(page.getByText("Former secret ends")).toBeVisible();
  await expect(secret(page)).not.toHaveText(first ?? "");
  await page.reload();
  await expect(secret(page)).toHaveCount(0);
  await page.getByText("Message and answer").click();
  await expect(page.getByText('"type": "webhook.test"')).toBeVisible();
  await page.getByText("Remove the webhook").click();
  await page.getByRole("button", { name: "Remove it now" }).click();
  await expect(
    page.getByText("Removed: no more messages are sent.", { exact: true }),
  ).toBeVisible();
  await expect(messages(page)).toHaveCount(0);
});

test.describe("before any script runs", () => {
  test.use({ javaScriptEnabled: false });

  test("A webhook is set, tested and removed", async ({ page }) => {
    await openWebhook(page);
    await set(page, "https://agent.example.com/hook");
    await expect(secret(page)).toHaveText(/^whsec_/);
    await page.getByRole("button", { name: "Send a test message" }).click();
    await expect(messages(page)).toContainText("waits to be sent");
    await page.getByText("Remove the webhook").click();
    await page.getByRole("button", { name: "Remove it now" }).click();
    await expect(
      page.getByText("Removed: no more messages are sent.", { exact: true }),
    ).toBeVisible();
  });
});
