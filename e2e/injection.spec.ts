import type { Page } from "playwright";
import { everyPage } from "./every-page";
import { type Injected, injected, oddCategories } from "./injected";
import { expect, test } from "./page-checks";
import { type Agent, newcomer, type Person, refusal, registerAgent } from "./people";
import { actionRows, expectInert, expectInPlace, watch } from "./untouched";

// Everything that agents and people can write, through the real client and the real forms, and then
// every page on which it is shown.

// Many pages, one after the other.
test.describe.configure({ mode: "serial", timeout: 600_000 });
test.use({ actionTimeout: 30_000 });

interface Planted {
  name: string;
  what: Injected;
  agent: Agent;
  proposalId: string;
  requestUrl: string;
}

const harmless: Injected = { text: "Keeps bees behind the house.", seen: "Keeps bees" };
let owner: Person;
let cookies: Awaited<ReturnType<ReturnType<Page["context"]>["cookies"]>> = [];
const planted: Planted[] = [];

test("Texts of every kind arrive through the client", async ({ page }) => {
  owner = await newcomer(page.request, "Wren");
  cookies = await page.context().cookies();
  for (const [name, what] of [...Object.entries(injected), ["harmless", harmless] as const]) {
    planted.push(await plant(name, what, planted.length));
  }
});

async function plant(name: string, what: Injected, number: number): Promise<Planted> {
  const { text } = what;
  const { did } = owner;
  const agent = await registerAgent({
    name: cut(text, 100),
    description: cut(text, 500),
    operator: cut(text, 200),
  });
  const { data } = await agent.client.proposeMemory({
    did,
    content: cut(text, 10_000),
    context: cut(text, 1_000),
    category: oddCategories[number % oddCategories.length] ?? "prof:hobbies",
    confidence: 0.8,
  });
  const purpose = {
    type: number % 2 === 0 ? "personalization" : `constructor_${number}`,
    description: cut(text, 500),
    retention: number % 3 === 0 ? "__proto__".replaceAll("__", "0") : undefined,
  };
  const pending = agent.client.requestAccess({
    did,
    scopes: ["prof:interests", "prof:health"],
    purpose,
  });
  const { details } = await refusal(pending);
  return { name, what, agent, proposalId: data.proposalId, requestUrl: String(details.consentUrl) };
}

function cut(text: string, max: number): string {
  return Array.from(text).slice(0, max).join("");
}

test.describe("then", () => {
  test.beforeEach(({ page }) => page.context().addCookies(cookies));

  test("Every card of the inbox shows its text as text, with its buttons where they always are", async ({
    page,
  }) => {
    const happened = await watch(page);
    const shown = new Set<string>();
    for (let address: string | null = "/dashboard/proposals"; address !== null; ) {
      await page.goto(address);
      await expectInert(page);
      for (const one of planted) {
        const card = page.locator(`article#${one.proposalId}`);
        if ((await card.count()) === 0) continue;
        shown.add(one.name);
        const { seen = "", tokens = [] } = one.what;
        await expect(card.locator("bdi").nth(1), one.name).toContainText(seen);
        for (const token of tokens) await expect(card, one.name).toContainText(token);
        // By the keyboard: what a card resembles may come, and move it, between a mouse's down and up.
        const edit = card.locator("details[data-panel=edit] > summary");
        const field = card.getByLabel("What to remember instead");
        await edit.press("Enter");
        await expect(field, one.name).toBeVisible();
        await edit.press("Enter");
        await expect(field, one.name).toBeHidden();
      }
      await expectSameButtons(page);
      const older = page.getByRole("link", { name: "Older" });
      address = (await older.count()) === 0 ? null : await older.getAttribute("href");
    }
    expect(shown.size).toBe(planted.length);
    expect(happened()).toEqual([]);
  });

  test("Every request for access shows its words as words, with its buttons in reach", async ({
    page,
  }) => {
    const happened = await watch(page);
    // Every second one: names and purposes are shown by what shows the claims, all of which were looked at.
    for (const { name, what, requestUrl } of planted.filter((_one, place) => place % 2 === 0)) {
      await page.goto(requestUrl);
      const request = page.locator(`#${new URL(requestUrl).searchParams.get("request")}`);
      await expect(request.locator("blockquote"), name).toContainText(what.seen ?? "");
      for (const token of what.tokens ?? []) await expect(request, name).toContainText(token);
      await expectInert(page);
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        await request.getByRole("button", { name: "Deny" }).click({ trial: true });
        await request.getByRole("button", { name: "Grant selected" }).click({ trial: true });
      }
    }
    await expectInPlace(page);
    expect(happened()).toEqual([]);
  });

  test("What the owner writes about it is text as well", async ({ page }) => {
    const happened = await watch(page);
    // A third stays undecided, for the pages to show.
    const some = planted.filter((_one, place) => place % 2 === 0 && place % 3 !== 2);
    for (const [number, { what, proposalId }] of some.entries()) {
      await page.goto(`/dashboard/proposals?only=${proposalId}`);
      if (number % 2 === 0) await reject(page, proposalId, cut(what.text, 500));
      else await keepEdited(page, proposalId, cut(`${what.text} (kept)`, 10_000));
    }
    await expectInert(page);
    expect(happened()).toEqual([]);
  });

  test("No page of the dashboard does anything that a text says", async ({ page }) => {
    const happened = await watch(page);
    const visited: string[] = [];
    for await (const { address, status } of everyPage(page)) {
      expect(status, address).toBe(200);
      visited.push(address);
      await expectInert(page);
      await expectInPlace(page);
    }
    expect(visited).toEqual(expect.arrayContaining(["/dashboard/proposals?tab=decided"]));
    expect(happened()).toEqual([]);
  });
});

async function expectSameButtons(page: Page): Promise<void> {
  await expectInPlace(page);
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const rows = Object.entries(await actionRows(page));
    const [, usual] = rows[0] ?? [];
    for (const [id, row] of rows) {
      const { name } = planted.find(({ proposalId }) => proposalId === id) ?? {};
      expect({ name, ...row }, `${width} px`).toEqual({ name, ...usual, isLast: true });
    }
  }
}

async function reject(page: Page, proposalId: string, reason: string): Promise<void> {
  const card = page.locator(`article#${proposalId}`);
  await card.locator("summary", { hasText: "Reject" }).click();
  await card.getByLabel("Why not").fill(reason);
  await card.getByRole("button", { name: "Reject" }).click();
  await expect(card).toHaveCount(0);
}

async function keepEdited(page: Page, proposalId: string, content: string): Promise<void> {
  const card = page.locator(`article#${proposalId}`);
  await card.locator("summary", { hasText: "Edit" }).click();
  await card.getByLabel("What to remember instead").fill(content);
  await card.getByRole("button", { name: "Approve with changes" }).click();
  await expect(card).toHaveCount(0);
}
