import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Page } from "playwright";
import { agentClient, agentDid, aliceDid, askAccess, signInAlice } from "./demo";
import { expect, expectSound, test } from "./page-checks";

test.beforeEach(({ page }) => signInAlice(page));

const rows = (page: Page) => page.locator("main li > details");

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
    "tried to read your money matters: refused, your rule forbids it",
  );
  await expect(top).toContainText("Nova");
  await expect(top.locator("summary")).not.toContainText("Not verified");
  await top.locator("summary").click();
  await expect(top).toContainText("Not verified");
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
  await page.getByLabel("Who", { exact: true }).focus();
  for (const choice of ["Nova", "Reads", "Refused", "Last 24"]) {
    await page.keyboard.type(choice);
    await page.keyboard.press("Tab");
  }
  await page.waitForURL(/who=.*nova.*period=24h/);
  await expect(async () => {
    const sentences = await rows(page).locator("summary").allTextContents();
    expect(sentences.length).toBeGreaterThan(0);
    for (const sentence of sentences) expect(sentence).toMatch(/Nova.*tried to read.*refused/);
  }).toPass();
  await rows(page).first().locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(rows(page).first().getByText("In the log as").first()).toBeVisible();
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page).toHaveURL(/\/activity$/);
});

test("A period of one's own narrows the log and the chart", async ({ page }) => {
  await page.goto("/dashboard/activity");
  await expect(page.getByLabel("From")).toBeHidden();
  await page.getByLabel("When").selectOption("custom");
  await page.getByLabel("From").fill("2020-01-01");
  await page.getByLabel("To", { exact: true }).fill("2020-01-31");
  await expect(page.getByRole("heading", { name: "Nothing here matches" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "1 Jan to 31 Jan" })).toBeVisible();
  await expectSound(page);

  await page.getByLabel("When").selectOption("7d");
  await expect(page).toHaveURL(/\/activity\?period=7d$/);
  await page.getByLabel("When").selectOption("custom");
  await expect(page.getByLabel("From")).toHaveValue("");
  await page.getByLabel("From").fill("2020-01-01");
  await page.waitForURL(/from=2020-01-01/);
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page).toHaveURL(/\/activity$/);
  await page.getByLabel("When").selectOption("custom");
  await page.waitForURL(/\/activity\?period=custom$/);
  await expect(page.getByLabel("From")).toHaveValue("");
});

test("The chart and its table show the same numbers as the events", async ({ page }) => {
  await page.goto(`/dashboard/activity?period=30d&who=${agentDid("Iris")}`);
  const chart = page.getByRole("img", { name: /^Reads and proposals: [\d,]+ reads?, / });
  await expect(chart).toBeVisible();
  await page.getByText("The numbers as a table").click();
  const cells = await page
    .getByRole("table")
    .locator("tbody tr")
    .evaluateAll((all) =>
      all.map((row) => [...row.children].map((cell) => cell.textContent ?? "")),
    );
  const counted = cells.reduce((sum, row) => sum + Number(row[1]), 0);
  await expect(chart).toHaveAccessibleName(new RegExp(`: ${counted} reads?,`));
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

test("The chart by category says who read how much of what", async ({ page }) => {
  await page.goto("/dashboard/activity?period=30d");
  await page.getByRole("link", { name: "By category" }).click();
  await expect(page.getByRole("img", { name: /^Preferences: [\d,]+ items?$/ })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Who read most" })).toBeVisible();
  await expectSound(page);
});

test("Times and days are those of the reader's clock", async ({ browser }) => {
  // Another day than that of UTC, and not one that has just begun.
  const now = new Date();
  const isEarly = now.getUTCHours() * 60 + now.getUTCMinutes() < 630;
  const timeZone = isEarly ? "Pacific/Pago_Pago" : "Pacific/Kiritimati";
  const context = await browser.newContext({ timezoneId: timeZone });
  const page = await context.newPage();
  await signInAlice(page);
  // The browser says its zone once scripts run.
  await page.goto("/dashboard/activity");
  const zones = async () => (await context.cookies()).filter(({ name }) => name === "zone");
  await expect.poll(zones).toHaveLength(1);
  await page.reload();
  const first = rows(page).first().locator("summary time");
  const at = new Date((await first.getAttribute("datetime")) ?? "");
  const clock = { hour: "2-digit", minute: "2-digit", timeZone } as const;
  await expect(first).toHaveText(at.toLocaleTimeString("en-GB", clock));
  await page.getByText("The numbers as a table").click();
  const day = at.toLocaleDateString("en-CA", { timeZone });
  await expect(page.getByRole("table").locator("time").first()).toHaveAttribute("datetime", day);
  await context.close();
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
  await page.getByRole("button", { name: "Export" }).click();
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
  await expect(rows(page).first()).toContainText("You exported this log as JSON");
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

test("A purpose in an agent's own words is quoted as its own, and waits in yellow", async ({
  page,
}) => {
  const purpose = { type: "service" };
  await askAccess(agentClient("Nova"), { scopes: ["prof:professional"], purpose });
  await page.goto("/dashboard/activity?kind=access");
  const row = rows(page).filter({ hasText: "in its words for “service”" }).first();
  await expect(row).toContainText("asked to know your professional facts");
  await expect(row.locator(".bg-signal")).toBeVisible();
});

test("On paper there is the log without navigation, filters and buttons", async ({ page }) => {
  await page.goto("/dashboard/activity");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation")).toHaveCount(0);
  await expect(page.getByRole("search")).toHaveCount(0);
  await expect(page.getByRole("button")).toHaveCount(0);
  await expect(rows(page).first()).toBeVisible();
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

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("The log, its chart, its filters, particulars and the verification work", async ({
    page,
  }) => {
    await page.goto("/dashboard/activity");
    await expect(page.getByRole("img", { name: /^Reads and proposals/ })).toBeVisible();
    await page.getByLabel("What", { exact: true }).selectOption("decisions");
    await page.getByRole("button", { name: "Show" }).click();
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
