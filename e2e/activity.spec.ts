import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Page } from "playwright";
import { agentClient, aliceDid, askAccess, signInAlice } from "./demo";
import { expect, expectSound, test } from "./page-checks";

test.beforeEach(({ page }) => signInAlice(page));

const rows = (page: Page) => page.locator("section[aria-labelledby=events] li > details");

test("What a client does appears in words, without a reload, with the reason of a refusal", async ({
  page,
}) => {
  await page.goto("/dashboard/activity");
  const top = rows(page).first();
  await agentClient("Iris").getProfile({ did: aliceDid() });
  await expect(top).toContainText(/Iris\s*Verified\s*read \d+ preferences/);
  const category = "prof:financial";
  await agentClient("Nova")
    .listMemories({ did: aliceDid(), category })
    .catch(() => undefined);
  await expect(top).toContainText(
    "tried to read your money matters: refused, your policy forbids it",
  );
  await expect(top).toContainText("Nova");
  await top.locator("summary").click();
  await expect(top).toContainText("No agent may touch money matters");
  await expect(top).toContainText("prof:financial");
  await expect(top.getByRole("button", { name: "Copy: request id" })).toBeVisible();
  await expectSound(page);
});

test("The log is narrowed by who, what, outcome and time, with the keyboard alone", async ({
  page,
}) => {
  await agentClient("Nova")
    .listMemories({ did: aliceDid(), category: "prof:financial" })
    .catch(() => undefined);
  await page.goto("/dashboard/activity");
  await page.getByLabel("Who").focus();
  await page.keyboard.type("Nova");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Reads");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Refused");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Last 24");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL(/who=.*nova/);
  const sentences = await rows(page).locator("summary").allTextContents();
  expect(sentences.length).toBeGreaterThan(0);
  for (const sentence of sentences) expect(sentence).toMatch(/Nova.*tried to read.*refused/);
  await rows(page).first().locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(rows(page).first().getByText("In the log as")).toBeVisible();
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page).toHaveURL(/\/activity$/);
});

test("A period of one's own narrows the log and the chart", async ({ page }) => {
  await page.goto("/dashboard/activity");
  await expect(page.getByLabel("From")).toBeHidden();
  await page.getByLabel("When").selectOption("custom");
  await page.getByLabel("From").fill("2020-01-01");
  await page.getByLabel("To", { exact: true }).fill("2020-01-31");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("heading", { name: "Nothing here matches" })).toBeVisible();
  await expect(page.getByText("1 Jan to 31 Jan")).toBeVisible();
  await expectSound(page);
});

test("The chart and its table show the same numbers as the events", async ({ page }) => {
  await page.goto("/dashboard/activity?period=30d");
  await expect(page.getByRole("img", { name: /^Reads a day: .*Iris \d+/ })).toBeVisible();
  await page.getByText("The numbers as a table").click();
  const cells = await page
    .getByRole("table")
    .locator("tbody tr")
    .evaluateAll((all) =>
      all.map((row) => [...row.children].map((cell) => cell.textContent ?? "")),
    );
  const counted = cells
    .filter(([, agent]) => agent === "Iris")
    .reduce((sum, row) => sum + Number(row[2]), 0);
  const { events } = JSON.parse(await download(page, "/dashboard/activity/export/json?period=30d"));
  const reads = events.filter(
    ({ sealed }: Exported) =>
      sealed.actorId.endsWith(":iris") &&
      /^(get|list)/.test(sealed.verb) &&
      sealed.outcome === "ok",
  );
  expect(counted).toBe(reads.length);
  await expectSound(page);
});

interface Exported {
  sentence: string;
  sealed: Record<string, unknown> & {
    actorId: string;
    verb: string;
    outcome: string;
    position: string | null;
  };
  hashBefore: string | null;
  hash: string | null;
}

test("The JSON file holds the whole chain, and anybody can check it", async ({ page }) => {
  await page.goto("/dashboard/activity");
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export JSON" }).click(),
  ]);
  expect(file.suggestedFilename()).toMatch(/^activity-\d{4}-\d{2}-\d{2}\.json$/);
  const { events, profile } = JSON.parse(readFileSync(await file.path(), "utf8"));
  expect(profile).toBe(aliceDid());
  const sealed = (events as Exported[])
    .filter(({ hash }) => hash !== null)
    .sort((a, b) => Number(a.sealed.position) - Number(b.sealed.position));
  expect(sealed.length).toBeGreaterThan(30);
  let before = "0".repeat(64);
  for (const [index, event] of sealed.entries()) {
    expect(event.sealed.position).toBe(String(index + 1));
    expect(event.hashBefore).toBe(before);
    const own = createHash("sha256")
      .update(Buffer.from(before, "hex"))
      .update(canonical(event.sealed));
    before = own.digest("hex");
    expect(event.hash).toBe(before);
  }
  await expect(page.getByText("You exported this log as JSON").first()).toBeVisible();
});

test("The CSV file has the same events, narrowed like the page", async ({ page }) => {
  await askAccess(agentClient("Atlas"), {
    scopes: ["prof:relationships"],
    purpose: { type: "research" },
  });
  const text = await download(page, "/dashboard/activity/export/csv?kind=access&period=24h");
  const [head, ...lines] = text.trimEnd().split("\r\n");
  expect(head).toMatch(/^time,sentence,kind,who,/);
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).toMatch(/,access,(agent|owner),/);
  expect(text).toContain("asked to know your relationships for research: left for you to decide");
});

test("A file is not given to a page elsewhere, nor to who is not signed in", async ({
  page,
  browser,
}) => {
  const elsewhere = await page.request.get("/dashboard/activity/export/csv", {
    headers: { "Sec-Fetch-Site": "cross-site" },
  });
  expect(elsewhere.status()).toBe(403);
  const nobody = await browser.newContext();
  const response = await nobody.request
    .get(`${process.env.DEMO_URL}/dashboard/activity/export/csv`, {
      maxRedirects: 0,
    })
    .catch(() => null);
  expect(response?.status() ?? 307).toBe(307);
  await nobody.close();
});

test("The owner verifies the log and is told how far it is intact", async ({ page }) => {
  await page.goto("/dashboard/activity");
  await page.getByRole("button", { name: "Verify log" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Intact." })).toContainText(
    /\d+ sealed events are as written/,
  );
  await expectSound(page);
});

test("The overview tells what waits, what changed since the last visit, and who is most active", async ({
  page,
}) => {
  await agentClient("Iris").getProfile({ did: aliceDid() });
  await page.goto("/dashboard");
  const card = (title: string) =>
    page.locator("section").filter({ has: page.getByRole("heading", { name: title }) });
  await expect(card("Waiting for you").getByRole("link", { name: /\d+ proposals?/ })).toBeVisible();
  await expect(card("Waiting for you")).toContainText(
    /the oldest came .* ago, the next expires in/,
  );
  await expect(card("Since your last visit")).toContainText("You were here 1 day ago");
  await expect(card("Since your last visit")).toContainText(/Iris\s*Verified\s*read/);
  await expectSound(page);
  await card("Most active").getByRole("link", { name: /Iris/ }).click();
  await expect(page).toHaveURL(/who=.*iris&period=7d/);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("The log, its chart, its filters, particulars and the verification work", async ({
    page,
  }) => {
    await page.goto("/dashboard/activity");
    await expect(page.getByRole("img", { name: /^Reads a day/ })).toBeVisible();
    await page.getByLabel("What", { exact: true }).selectOption("decisions");
    await page.getByRole("button", { name: "Filter" }).click();
    await expect(rows(page).first()).toContainText("You");
    await rows(page).first().locator("summary").click();
    await expect(rows(page).first().getByText("Request id", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Verify log" }).click();
    await expect(page.getByText(/Intact\. \d+ sealed events/)).toBeVisible();
  });
});

async function download(page: Page, address: string): Promise<string> {
  const response = await page.request.get(address);
  expect(response.status()).toBe(200);
  expect(response.headers()).toMatchObject({
    "cache-control": expect.stringContaining("no-store"),
    "content-disposition": expect.stringMatching(/^attachment; filename="activity-/),
  });
  return response.text();
}

// Written from what the file says of itself, not from the gateway's code.
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, one]) => `${JSON.stringify(name)}:${canonical(one)}`).join(",")}}`;
}
