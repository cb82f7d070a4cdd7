import type { Locator, Page } from "playwright";
import { everyPage } from "./every-page";
import { act, cardOf } from "./inbox-page";
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

// By day a part of the texts, and of pages that differ in nothing but ids; at night all.
const isNight = process.env.NIGHT === "1";
const texts = Object.entries(injected).filter((_one, place) => isNight || place % 4 === 0);
const walk = isNight ? {} : { things: 2, parts: 1 };

const harmless: Injected = { text: "Keeps bees behind the house.", seen: "Keeps bees" };
let owner: Person;
let cookies: Awaited<ReturnType<ReturnType<Page["context"]>["cookies"]>> = [];
const planted: Planted[] = [];

test("Texts of every kind arrive through the client", async ({ page }) => {
  owner = await newcomer(page.request, "Wren");
  cookies = await page.context().cookies();
  for (const [name, what] of [...texts, ["harmless", harmless] as const]) {
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
    const rows = new Set<string>();
    for (const { name, what, proposalId } of planted) {
      const card = cardOf(page, proposalId);
      for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`/dashboard/proposals?card=${proposalId}`);
        await expect(card.locator("[data-claim]"), name).toContainText(what.seen ?? "");
        for (const token of what.tokens ?? []) await expect(card, name).toContainText(token);
        await expectInert(page);
        // A long claim is approved once its end was seen.
        await card.locator("[data-claim]").evaluate((box) => box.scrollTo(0, box.scrollHeight));
        await expect(card, name).toHaveAttribute("data-seen");
        for (const button of ["Approve", "Edit", "Reject"]) {
          await card
            .getByRole("button", { name: new RegExp(`^${button}…?:`) })
            .click({ trial: true });
        }
        rows.add(`${width} ${JSON.stringify(await actionRows(page))}`);
      }
      await act(card, "Edit").press("Enter");
      await expect(card.getByLabel(field), name).toBeFocused();
      await page.keyboard.press("Escape");
      await expect(card, name).toBeFocused();
    }
    await expectInPlace(page);
    expect(happened()).toEqual([]);
    // Two widths, each with what is sensitive and what is not.
    expect(rows.size).toBeLessThanOrEqual(4);
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
        await request.getByRole("button", { name: /^Grant/ }).click({ trial: true });
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
      await page.goto(`/dashboard/proposals?card=${proposalId}`);
      if (number % 2 === 0) await reject(page, proposalId, cut(what.text, 500));
      else await keepEdited(page, proposalId, cut(`${what.text} (kept)`, 10_000));
    }
    await expectInert(page);
    expect(happened()).toEqual([]);
  });

  test("No page of the dashboard does anything that a text says", async ({ page }) => {
    const happened = await watch(page);
    const visited: string[] = [];
    for await (const { address, status } of everyPage(page, walk)) {
      expect(status, address).toBe(200);
      visited.push(address);
      await expectInert(page);
      await expectInPlace(page);
    }
    expect(visited).toEqual(expect.arrayContaining(["/dashboard/proposals?tab=decided"]));
    expect(happened()).toEqual([]);
  });
});

const field = "The memory as it will be kept";

async function reject(page: Page, proposalId: string, reason: string): Promise<void> {
  const card = cardOf(page, proposalId);
  await act(card, "Reject").click();
  await card.getByLabel("Why not").fill(reason);
  await decide(card, act(card, "Reject"));
}

async function keepEdited(page: Page, proposalId: string, content: string): Promise<void> {
  const card = cardOf(page, proposalId);
  await act(card, "Edit").click();
  await card.getByLabel(field).fill(content);
  await decide(card, act(card, "Approve with changes"));
}

async function decide(card: Locator, button: Locator): Promise<void> {
  await card.locator("[data-claim]").evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await expect(card).toHaveAttribute("data-seen");
  await button.click();
  await expect(card).toHaveCount(0);
}
