import { randomUUID } from "node:crypto";
import type { Page } from "playwright";
import { agentClient, aliceClient, aliceDid, signInAlice } from "./demo";
import { expect, expectSound, test } from "./page-checks";

test.beforeEach(({ page }) => signInAlice(page));

type Proposer = Parameters<typeof agentClient>[0] | "Alice";

function clientOf(by: Proposer) {
  return by === "Alice" ? aliceClient() : agentClient(by);
}

/** A proposal that no other test has. */
async function propose(
  content: string,
  { category = "prof:hobbies", by = "Iris" as Proposer } = {},
) {
  const input = { did: aliceDid(), category, content, confidence: 0.8 };
  const { data } = await clientOf(by).proposeMemory(input);
  return data.proposalId;
}

async function fate(proposalId: string, by: Proposer = "Iris") {
  const { data } = await clientOf(by).listProposals({ did: aliceDid(), limit: 200 });
  return data.find(({ id }) => id === proposalId)?.status;
}

function cardOf(page: Page, id: string) {
  return page.locator(`article#${id}`);
}

/** What was told last; it is said to a screen reader as well. */
function toast(page: Page, text: string) {
  return page.getByRole("listitem").filter({ hasText: text });
}

/** Only what holds this word, so that tests at the same time do not meet. */
function found(word: string, more = ""): string {
  return `/dashboard/proposals?q=${word}${more}`;
}

async function ready(page: Page): Promise<void> {
  await expect(page.locator("[aria-current=true]")).toBeVisible();
}

test("An approval is taken back from the toast, and the card waits again in its place", async ({
  page,
}) => {
  const word = randomUUID();
  const below = await propose(`Rows on lakes ${word}.`);
  const above = await propose(`Sails on rivers ${word}.`);
  await page.goto(found(word));
  await cardOf(page, below).getByRole("button", { name: "Approve", exact: true }).click();
  await expect(cardOf(page, below)).toHaveCount(0);
  expect(await fate(below)).toBe("approved");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(toast(page, "Taken back: it waits in your inbox again.")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(2);
  const order = await page.getByRole("article").evaluateAll((cards) => cards.map(({ id }) => id));
  expect(order).toEqual([above, below]);
  expect(await fate(below)).toBe("pending");
  await expectSound(page);
});

test("The key U undoes a decision, and the card can be decided again", async ({ page }) => {
  const word = randomUUID();
  const id = await propose(`Plays the lute ${word}.`);
  await page.goto(found(word));
  await ready(page);
  await page.keyboard.press("a");
  await expect(cardOf(page, id)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
  await page.keyboard.press("u");
  await expect(cardOf(page, id)).toBeVisible();
  await expect.poll(() => fate(id)).toBe("pending");
  await page.keyboard.press("j");
  await page.keyboard.press("r");
  await page.keyboard.press("Enter");
  await expect.poll(() => fate(id)).toBe("rejected");
});

test("A decision is put back from the list of what was decided", async ({ page }) => {
  const word = randomUUID();
  const id = await propose(`Bakes rye bread ${word}.`);
  await page.goto(found(word));
  await cardOf(page, id).getByRole("button", { name: "Approve", exact: true }).click();
  await expect.poll(() => fate(id)).toBe("approved");
  await page.goto(found(word, "&tab=decided"));
  await expectSound(page);
  await page.getByRole("button", { name: "Put back in the inbox" }).click();
  await expect(page.getByRole("heading", { name: "Nothing here matches" })).toBeVisible();
  expect(await fate(id)).toBe("pending");
  await page.getByRole("link", { name: "Pending" }).click();
  await expect(cardOf(page, id)).toBeVisible();
});

test("Many are selected with X and approved at once, but never what is sensitive; all is undone in one go", async ({
  page,
}) => {
  const word = randomUUID();
  const sensitive = await propose(`Had the flu ${word}.`, { category: "prof:health", by: "Alice" });
  const plain = [await propose(`Collects stamps ${word}.`), await propose(`Flies kites ${word}.`)];
  await page.goto(found(word));
  await ready(page);
  await page.keyboard.press("j");
  for (let count = 0; count < 3; count++) {
    await page.keyboard.press("x");
    await page.keyboard.press("j");
  }
  const bar = page.getByRole("toolbar", { name: "Selected proposals" });
  await expect(bar).toContainText("3 selected");
  await expectSound(page);
  await bar.getByRole("button", { name: "Approve" }).click();
  await expect(toast(page, "2 proposals approved. 1 left")).toBeVisible();
  await expect(cardOf(page, sensitive)).toContainText("approved one at a time");
  await expect(bar.getByText(/^\d+ selected$/)).toBeHidden();
  for (const id of plain) expect(await fate(id)).toBe("approved");
  expect(await fate(sensitive, "Alice")).toBe("pending");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(toast(page, "they wait in your inbox again")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(3);
  for (const id of plain) expect(await fate(id)).toBe("pending");
});

test("A whole page is rejected at once with one reason", async ({ page }) => {
  const word = randomUUID();
  const ids = [await propose(`Hunts ducks ${word}.`), await propose(`Shoots clay ${word}.`)];
  await page.goto(found(word));
  await page.getByLabel("Select all").check();
  const bar = page.getByRole("toolbar", { name: "Selected proposals" });
  await expect(bar).toContainText("2 selected");
  await bar.getByRole("button", { name: "Clear" }).click();
  await expect(bar.getByText(/^\d+ selected$/)).toBeHidden();
  await page.getByLabel("Select all").check();
  await bar.locator("summary", { hasText: "Reject" }).click();
  await bar.getByLabel("Why not").fill("Not me.");
  await expectSound(page);
  await bar.getByRole("button", { name: "Reject the selected" }).click();
  await expect(toast(page, "2 proposals rejected.")).toBeVisible();
  for (const id of ids) expect(await fate(id)).toBe("rejected");
});

test("Proposals are found by parts of words and put in order, in both tabs", async ({ page }) => {
  const word = randomUUID().slice(0, 8);
  const first = await propose(`Grows ${word}berries.`);
  const second = await propose(`Picks ${word}berries.`);
  await page.goto("/dashboard/proposals");
  await page.getByLabel("Words in what is proposed").fill(`${word}BERR`);
  await page.getByLabel("Order").selectOption({ label: "Oldest first" });
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page).toHaveURL(/order=oldest/);
  await expect(page.getByRole("article")).toHaveCount(2);
  const order = await page.getByRole("article").evaluateAll((cards) => cards.map(({ id }) => id));
  expect(order).toEqual([first, second]);
  await cardOf(page, first).getByRole("button", { name: "Approve", exact: true }).click();
  await expect(cardOf(page, first)).toHaveCount(0);
  await page.getByRole("link", { name: "Decided" }).click();
  await page.getByLabel("Outcome").selectOption({ label: "Approved" });
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(page.getByRole("article")).toContainText(`Grows ${word}berries.`);
  await page.getByLabel("Outcome").selectOption({ label: "Rejected" });
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByRole("heading", { name: "Nothing here matches" })).toBeVisible();
  await expectSound(page);
});

test("A proposal replaces the memory it resembles, and an undo brings both back", async ({
  page,
}) => {
  const word = randomUUID();
  const category = "prof:preferences.walks";
  const old = await propose(`Walks the dog at noon near ${word}.`, { category });
  await page.goto(found(word));
  await cardOf(page, old).getByRole("button", { name: "Approve", exact: true }).click();
  await expect.poll(() => fate(old)).toBe("approved");
  const id = await propose(`Walks the dog at dusk near ${word}.`, { category });
  await page.goto(found(word));
  const matches = cardOf(page, id).locator("[data-matches]");
  await expect(matches.locator("del").first()).toHaveText("noon");
  await expect(matches.locator("ins").first()).toHaveText("dusk");
  await expectSound(page);
  await matches.getByRole("button", { name: "Replace it" }).first().click();
  await expect(page.getByText("Approved in place of the memory").first()).toBeVisible();
  const read = async () => {
    const input = { did: aliceDid(), category, limit: 200 };
    const { data } = await agentClient("Iris").listMemories(input);
    return JSON.stringify(data);
  };
  expect(await fate(id)).toBe("approved");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(cardOf(page, id)).toBeVisible();
  expect(await fate(id)).toBe("pending");
  await page.goto(found(word));
  await expect(matches.getByRole("button", { name: "Replace it" })).toHaveCount(1);
  expect(await read()).not.toContain("dusk");
});

test("A proposal that resembles another one that waits leads to its card", async ({ page }) => {
  const word = randomUUID();
  const other = await propose(`Feeds the ducks on Monday ${word}.`);
  const id = await propose(`Feeds the ducks on Tuesday ${word}.`);
  await page.goto(`/dashboard/proposals?only=${id}`);
  await expect(page.getByRole("article")).toHaveCount(1);
  await cardOf(page, id).getByRole("link", { name: "Show that proposal" }).first().click();
  await expect(cardOf(page, other)).toBeVisible();
});

test("A card says who could read it, and by which policy", async ({ page }) => {
  const word = randomUUID();
  const id = await propose(`Reads maps ${word}.`, { category: "prof:preferences.maps" });
  const hidden = await propose(`Has a sore knee ${word}.`, {
    category: "prof:health.knee",
    by: "Alice",
  });
  await page.goto(found(word));
  await cardOf(page, id)
    .getByText(/If you keep this, .* can read it/)
    .click();
  await expect(cardOf(page, id).getByText("by your policy:").first()).toBeVisible();
  await expect(cardOf(page, hidden)).toContainText("If you keep this,");
  await expectSound(page);
});

test("A new proposal appears by itself, and moves nothing while somebody works in the list", async ({
  page,
}) => {
  const word = randomUUID();
  const first = await propose(`Sings bass ${word}.`);
  await page.goto(found(word));
  await expect(page.getByRole("article")).toHaveCount(1);
  const second = await propose(`Sings tenor ${word}.`);
  await expect(cardOf(page, second)).toBeVisible();
  await cardOf(page, first).focus();
  const before = await cardOf(page, first).boundingBox();
  const third = await propose(`Sings alto ${word}.`);
  const show = page.getByRole("button", { name: "1 new proposal, show" });
  await expect(show).toBeVisible();
  expect(await cardOf(page, first).boundingBox()).toEqual(before);
  await expect(cardOf(page, third)).toHaveCount(0);
  await expectSound(page);
  await show.click();
  await expect(cardOf(page, third)).toBeVisible();
  await expect(show).toHaveCount(0);
});

test("After the last card the first new one has the focus, even if it comes with the key", async ({
  page,
}) => {
  const word = randomUUID();
  const last = await propose(`Sings one ${word}.`);
  await page.goto(found(word, "&order=oldest"));
  await ready(page);
  await page.keyboard.press("j");
  await expect(cardOf(page, last)).toBeFocused();
  // At the first change that the new one makes to the page, before its card is there.
  await page.evaluate(() => {
    const press = () => {
      const key = new KeyboardEvent("keydown", { key: "a", bubbles: true });
      document.activeElement?.dispatchEvent(key);
    };
    new MutationObserver((_, observer) => {
      observer.disconnect();
      press();
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  const next = await propose(`Sings two ${word}.`);
  await expect(cardOf(page, last)).toHaveCount(0);
  await expect(cardOf(page, next)).toBeFocused();
});

test("A hundred proposals are decided by keyboard without a dropped key", async ({ page }) => {
  test.setTimeout(240_000);
  const word = randomUUID();
  const agents: Proposer[] = ["Iris", "Alice"];
  const wanted = new Map<string, { by: Proposer; key: "a" | "r" }>();
  for (let count = 0; count < 100; count++) {
    const by = agents[count % agents.length] ?? "Iris";
    const id = await propose(`Knows song ${count} of ${word}.`, { by, category: "prof:hobbies" });
    wanted.set(id, { by, key: count % 3 === 0 ? "r" : "a" });
  }
  await page.goto(found(word, "&order=oldest"));
  await ready(page);
  const began = performance.now();
  await page.keyboard.press("j");
  for (const [id, { key }] of wanted) {
    await expect(cardOf(page, id)).toBeFocused({ timeout: 30_000 });
    await page.keyboard.press(key);
    if (key === "r") await page.keyboard.press("Enter");
  }
  await expect(
    page.locator("main li p.font-medium, main li span.font-medium").first(),
  ).toBeVisible();
  await expect(page.locator("article[aria-busy=true]")).toHaveCount(0, { timeout: 60_000 });
  const seconds = (performance.now() - began) / 1_000;
  test.info().annotations.push({ type: "seconds for 100 decisions", description: `${seconds}` });
  for (const by of agents) {
    const { data } = await clientOf(by).listProposals({ did: aliceDid(), limit: 200 });
    const became = data.filter(({ id }) => wanted.has(id));
    expect(became.length).toBeGreaterThan(30);
    for (const { id, status } of became) {
      expect(status).toBe(wanted.get(id)?.key === "r" ? "rejected" : "approved");
    }
  }
});

test("What tells pages of changes tells nobody else", async ({ page, browser, baseURL }) => {
  const live = `${baseURL}/api/live?profile=${encodeURIComponent(aliceDid())}`;
  const nobody = await browser.newContext();
  for (const url of [live, live.replace("/api/live", "/api/dashboard/matches")]) {
    expect((await nobody.request.get(url)).status()).toBe(401);
    const elsewhere = { headers: { "Sec-Fetch-Site": "cross-site" } };
    expect((await page.request.get(url, elsewhere)).status()).toBe(403);
    const other = url.replace(encodeURIComponent(aliceDid()), "did:prof:user:local:root");
    expect((await page.request.get(other)).status()).toBe(404);
  }
  await nobody.close();
  const unnamed = live.replace("/api/live", "/api/dashboard/matches");
  expect((await page.request.get(unnamed)).status()).toBe(400);
});

test.describe("before any script runs", () => {
  test.use({ javaScriptEnabled: false });

  test("Many are selected, approved and taken back", async ({ page }) => {
    const word = randomUUID();
    const ids = [await propose(`Mends clocks ${word}.`), await propose(`Winds watches ${word}.`)];
    await page.goto(found(word));
    const bar = page.getByRole("toolbar", { name: "Selected proposals" });
    await expect(bar.getByRole("button", { name: "Approve" })).toBeHidden();
    for (const id of ids) await cardOf(page, id).getByRole("checkbox").check();
    await bar.getByRole("button", { name: "Approve" }).click();
    await expect(page.getByText("2 proposals approved.")).toBeVisible();
    for (const id of ids) expect(await fate(id)).toBe("approved");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("they wait in your inbox again").first()).toBeVisible();
    for (const id of ids) expect(await fate(id)).toBe("pending");
    await page.goto(found(word));
    await cardOf(page, ids[0] ?? "")
      .getByRole("button", { name: "Approve", exact: true })
      .click();
    await page.goto(found(word, "&tab=decided"));
    await page.getByRole("button", { name: "Put back in the inbox" }).click();
    await expect(page.getByText("it waits in your inbox again").first()).toBeVisible();
  });
});
