import { randomUUID } from "node:crypto";
import type { Page } from "playwright";
import { agentClient, aliceClient, aliceDid, signInAlice } from "./demo";
import { expect, expectSound, test } from "./page-checks";

test.beforeEach(({ page }) => signInAlice(page));

const field = (page: Page) => page.getByRole("combobox", { name: "Search or go to" });

/** Presses the keys until the page listens to them. */
async function open(page: Page) {
  await expect(async () => {
    if (!(await field(page).isVisible())) await page.keyboard.press("Control+K");
    await expect(field(page)).toBeFocused({ timeout: 2_000 });
  }).toPass();
}

async function propose(content: string) {
  const input = { did: aliceDid(), category: "prof:hobbies", content, confidence: 0.8 };
  return (await agentClient("Iris").proposeMemory(input)).data.proposalId;
}

test("Control K opens the search; Enter goes to the first row, also before the answer is there", async ({
  page,
}) => {
  await page.goto("/dashboard");
  await open(page);
  await page.keyboard.type("memories in hea");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/memories\?category=prof(:|%3A)health$/);
  await expect(field(page)).toHaveCount(0);
});

test("The arrows move through pages, what waits, agents and memories; each is one row", async ({
  page,
}) => {
  const word = `quince${randomUUID().slice(0, 8)}`;
  const proposalId = await propose(`Bakes ${word} tarts.`);
  await page.goto("/dashboard");
  await open(page);
  await field(page).fill(word);
  const options = page.getByRole("dialog").getByRole("option");
  await expect(options).toHaveCount(1);
  await expect(options).toHaveText(new RegExp(`Bakes ${word} tarts.*Inbox`));
  await expect(page.getByRole("dialog").getByRole("option", { selected: true })).toHaveCount(1);
  await expect(page.getByRole("status").filter({ hasText: "1 result" })).toBeAttached();
  await field(page).fill("iris");
  await expect(page.getByRole("group", { name: "Agents" }).getByRole("option")).toHaveText(/Iris/);
  await page.keyboard.press("ArrowDown");
  const chosen = page.getByRole("dialog").getByRole("option", { selected: true });
  await expect(field(page)).toHaveAttribute(
    "aria-activedescendant",
    (await chosen.getAttribute("id")) ?? "",
  );
  await expectSound(page);
  await field(page).fill(word);
  await expect(options).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page.locator(`article#${proposalId}`)).toBeVisible();
  await aliceClient().reviewProposal({ did: aliceDid(), proposalId, action: "reject" });
});

test("Tab looks at memories only; Escape closes and gives the focus back", async ({ page }) => {
  await page.goto("/dashboard");
  const link = page.getByRole("link", { name: "Search or go to" }).first();
  await link.focus();
  await open(page);
  await expect(page.getByRole("group", { name: "Go to" })).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("group", { name: "Memories" }).getByRole("option")).not.toHaveCount(
    0,
  );
  await expect(page.getByRole("listbox").getByRole("group")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(field(page)).toHaveCount(0);
  await expect(link).toBeFocused();
});

test("The field of the side opens the search in place, and a click on a row goes there", async ({
  page,
}) => {
  await page.goto("/dashboard");
  await open(page);
  await page.keyboard.press("Escape");
  await expect(field(page)).toHaveCount(0);
  await page.getByRole("link", { name: "Search or go to" }).first().click();
  await expect(page).toHaveURL(/dashboard$/);
  await field(page).fill("add a memory");
  await page.getByRole("dialog").getByRole("option", { name: "Add a memory" }).click();
  await expect(page).toHaveURL(/memories\?add=1$/);
  await expect(page.getByLabel("What to remember")).toBeVisible();
});

test("What is typed stands in no address", async ({ page }) => {
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  await page.goto("/dashboard");
  await open(page);
  await field(page).fill("sertraline");
  await expect(page.getByRole("status").filter({ hasText: "Nothing was found." })).toBeVisible();
  expect(addresses.filter((address) => address.includes("sertraline"))).toEqual([]);
});

test("The title of a tab counts what waits, and follows it", async ({ page }) => {
  await page.goto("/dashboard/memories");
  const countIn = async () => Number(/^\((\d+)\) Memories · /.exec(await page.title())?.[1] ?? 0);
  const before = await countIn();
  const proposalId = await propose(`Keeps a tab open, ${randomUUID()}.`);
  await expect.poll(countIn).toBe(before + 1);
  await page.goto("/dashboard");
  await expect(page).toHaveTitle(`(${before + 1}) Overview · Profile Access Gateway`);
  await aliceClient().reviewProposal({ did: aliceDid(), proposalId, action: "reject" });
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("The search is a page", async ({ page }) => {
    await page.goto("/dashboard");
    await page.getByRole("link", { name: "Search or go to" }).first().click();
    await page.getByRole("searchbox").fill("iris");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByRole("region", { name: "Agents" }).getByRole("link", { name: "Iris" }).click();
    await expect(page).toHaveURL(/agents\/did/);
  });
});
