import { randomUUID } from "node:crypto";
import { agentClient, aliceClient, aliceDid, signInAlice } from "./demo";
import {
  act,
  approve,
  cardOf,
  found,
  last,
  propose,
  queued,
  statusOf,
  takeBack,
} from "./inbox-page";
import { expect, expectSound, test } from "./page-checks";

test.beforeEach(({ page }) => signInAlice(page));

test("Decisions are undone one after the other, each named by its claim", async ({ page }) => {
  const word = randomUUID();
  const names = ["Sails", "Rows", "Swims", "Dives", "Skates"];
  const cards = [];
  for (const name of names) cards.push(await propose({ content: `${name} ${word}.` }));
  await page.goto(found(word, "&order=oldest"));
  for (const { id } of cards) {
    await expect(cardOf(page, id)).toHaveAttribute("data-seen");
    await page.keyboard.press("a");
    await expect(cardOf(page, id)).toHaveCount(0);
  }
  for (const { id, content } of cards.toReversed()) {
    await expect(last(page)).toContainText(`Approved “${content}”`);
    await page.keyboard.press("u");
    await expect(cardOf(page, id)).toBeFocused();
  }
  await expect(last(page)).toBeEmpty();
  await expect(queued(page)).toHaveText(cards.map(({ content }) => content));
  for (const { id } of cards) expect(await statusOf(id)).toBe("pending");
  await approve(cardOf(page, cards[0]?.id ?? ""));
  await page.locator("#queue").getByRole("button", { name: "Undo" }).click();
  await expect(queued(page)).toHaveCount(names.length);
  await expectSound(page);
});

test("Each press of U undoes one decision, also before the answers are there", async ({ page }) => {
  const word = randomUUID();
  const cards = [];
  for (const name of ["Knits", "Sews", "Weaves"]) {
    cards.push(await propose({ content: `${name} ${word}.` }));
  }
  await page.goto(found(word, "&order=oldest"));
  for (const { id } of cards) {
    await expect(cardOf(page, id)).toHaveAttribute("data-seen");
    await page.keyboard.press("a");
  }
  for (const _ of cards) await page.keyboard.press("u");
  await expect(queued(page)).toHaveText(cards.map(({ content }) => content));
  await expect(last(page)).toBeEmpty();
  for (const { id } of cards) expect(await statusOf(id)).toBe("pending");
});

test("A card that was decided elsewhere stays until it is left, and a decision on it is refused with the reason", async ({
  page,
}) => {
  const word = randomUUID();
  const second = await propose({ content: `Spins wool ${word}.` });
  const first = await propose({ content: `Weaves wool ${word}.` });
  await page.goto(found(word));
  await expect(cardOf(page, first.id)).toHaveAttribute("data-seen");
  await aliceClient().reviewProposal({ did: aliceDid(), proposalId: first.id, action: "reject" });
  await expect(page.getByRole("link", { name: "Decided 1" })).toBeVisible();
  await expect(cardOf(page, first.id)).toBeVisible();
  await page.keyboard.press("a");
  await expect(cardOf(page, second.id)).toBeFocused();
  const reason = "This proposal was rejected already; nothing was changed.";
  await expect(last(page)).toContainText(`Not approved. ${reason} “${first.content}”`);
  await page.setViewportSize({ width: 390, height: 844 });
  const onPhone = page.locator("#stage").getByRole("status");
  await expect(onPhone).toContainText(/Not approved\. .* nothing was changed\. “/);
  const isRead = await onPhone.evaluate((line) => {
    const reason = document.createRange();
    reason.selectNodeContents(line.querySelector("span") ?? line);
    reason.setEndBefore(line.querySelector("span > span") ?? line);
    return reason.getBoundingClientRect().bottom <= line.getBoundingClientRect().bottom;
  });
  expect(isRead).toBe(true);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expectSound(page);
  expect(await statusOf(first.id)).toBe("rejected");
  expect(await statusOf(second.id)).toBe("pending");
});

test("A card that its agent takes back loses its acts, and is left on a press", async ({
  page,
}) => {
  const word = randomUUID();
  const second = await propose({ content: `Cards wool ${word}.` });
  const first = await propose({ content: `Dyes wool ${word}.` });
  await page.goto(found(word));
  const card = cardOf(page, first.id);
  await expect(card).toHaveAttribute("data-seen");
  await takeBack(first);
  await expect(card.getByRole("status")).toHaveText(/Its agent took it back/);
  await expect(act(card, "Approve")).toHaveCount(0);
  await expect(page.getByText("Taken back, 1 left").first()).toBeVisible();
  await expect(queued(page).first()).toContainText("Its agent took it back");
  await expectSound(page);
  await card.getByRole("button", { name: "Go on" }).click();
  await expect(queued(page)).toHaveText([second.content]);
  await expect(cardOf(page, second.id)).toBeFocused();
  await takeBack(second);
  await cardOf(page, second.id).getByRole("button", { name: "Go on" }).click();
  await expect(page.getByRole("heading", { name: "Nothing here matches" })).toBeFocused();
});

test("An approval of what its agent took back says so", async ({ page }) => {
  const word = randomUUID();
  const given = await propose({ content: `Felts wool ${word}.` });
  // The page must not hear of it before the press.
  await page.route("**/api/live*", (route) => route.fulfill({ status: 404 }));
  await page.goto(found(word));
  await expect(cardOf(page, given.id)).toHaveAttribute("data-seen");
  await takeBack(given);
  await page.keyboard.press("a");
  const reason = "This proposal was taken back by its agent; nothing was changed.";
  await expect(last(page)).toContainText(`Not approved. ${reason} “${given.content}”`);
});

test("A decision is put back from the list of what was decided", async ({ page }) => {
  const word = randomUUID();
  const { id } = await propose({ content: `Bakes rye bread ${word}.` });
  await page.goto(found(word));
  await approve(cardOf(page, id));
  await expect.poll(() => statusOf(id)).toBe("approved");
  await page.goto(found(word, "&tab=decided"));
  await expectSound(page);
  await page.getByRole("button", { name: "Put back in the inbox" }).click();
  await expect(page.getByRole("heading", { name: "Nothing here matches" })).toBeVisible();
  expect(await statusOf(id)).toBe("pending");
  await page.getByRole("link", { name: "Pending" }).click();
  await expect(cardOf(page, id)).toBeVisible();
});

test("A group is decided at once after each of its cards was shown, but never what is sensitive", async ({
  page,
}) => {
  const word = randomUUID();
  const given = { by: "Alice" as const };
  const sensitive = await propose({
    ...given,
    content: `Had the flu ${word}.`,
    category: "prof:health",
  });
  const plain = [
    await propose({ ...given, content: `Collects stamps ${word}.` }),
    await propose({ ...given, content: `Flies kites ${word}.` }),
  ];
  await page.goto(`/dashboard/proposals?q=${word}`);
  const opener = page.locator("#queue").getByRole("button", { name: /^All of / });
  await opener.click();
  await expect(page.getByText("Look at each of them first")).toBeVisible();
  await expect(page.getByText("1 of them is left to be decided alone.")).toBeVisible();
  await expectSound(page);
  await page.keyboard.press("Escape");
  for (let count = 0; count < 3; count++) {
    await expect(page.locator("article[data-seen]")).toBeVisible();
    await page.keyboard.press("j");
  }
  await opener.click();
  await page.getByRole("button", { name: "Approve 2" }).click();
  await expect(queued(page)).toHaveCount(1);
  await expect(last(page)).toContainText("Approved “2 claims of");
  for (const { id } of plain) await expect.poll(() => statusOf(id)).toBe("approved");
  expect(await statusOf(sensitive.id)).toBe("pending");
  await page.locator("#queue").getByRole("button", { name: "Undo" }).click();
  await expect(queued(page)).toHaveCount(3);
  for (const { id } of plain) expect(await statusOf(id)).toBe("pending");
  await opener.click();
  await page.getByRole("button", { name: "Reject 2" }).click();
  await expect(last(page)).toContainText("Rejected “2 claims of");
  for (const { id } of plain) await expect.poll(() => statusOf(id)).toBe("rejected");
  expect(await statusOf(sensitive.id)).toBe("pending");
});

test("What was not decided of a group is said with its reason, and stays out of the count", async ({
  page,
}) => {
  const word = randomUUID();
  const given = { by: "Alice" as const };
  const names = ["Mends clocks", "Mends shoes", "Mends nets"];
  const cards = [];
  for (const name of names) cards.push(await propose({ ...given, content: `${name} ${word}.` }));
  // Else the page would leave out what is decided elsewhere.
  await page.route("**/api/live*", (route) => route.fulfill({ status: 404 }));
  await page.goto(`/dashboard/proposals?q=${word}`);
  for (let count = 0; count < names.length; count++) {
    await expect(page.locator("article[data-seen]")).toBeVisible();
    await page.keyboard.press("j");
  }
  const [gone, ...rest] = cards;
  const decision = { did: aliceDid(), proposalId: gone?.id ?? "", action: "reject" as const };
  await aliceClient().reviewProposal(decision);
  await page
    .locator("#queue")
    .getByRole("button", { name: /^All of / })
    .click();
  await page.getByRole("button", { name: "Approve 3" }).click();
  await expect(last(page)).toContainText(/Not approved\. 1 does not wait any more\. “1 claim of/);
  for (const { id } of rest) await expect.poll(() => statusOf(id)).toBe("approved");
  await page.keyboard.press("u");
  for (const { id } of rest) await expect.poll(() => statusOf(id)).toBe("pending");
  expect(await statusOf(gone?.id ?? "")).toBe("rejected");
});

test("The queue is grouped by agent, by kind or by time, with all that waits counted", async ({
  page,
}) => {
  const word = randomUUID();
  await propose({ content: `Eats plums ${word}.`, by: "Alice" });
  await propose({ content: `Eats pears ${word}.`, category: "prof:preferences.fruit" });
  await propose({ content: `Eats figs ${word}.`, by: "Alice" });
  await page.goto(`/dashboard/proposals?q=${word}`);
  const headings = page.locator("#queue h2");
  await expect(headings).toHaveCount(2);
  await expect(queued(page)).toHaveText([/figs/, /plums/, /pears/]);
  await page.getByRole("button", { name: "By agent" }).click();
  await page.getByRole("link", { name: "By kind" }).click();
  await expect(headings).toHaveText(["Hobbies", "Preferences"]);
  await expectSound(page);
  await page.getByRole("button", { name: "By kind" }).click();
  await page.getByRole("link", { name: "By time" }).click();
  await expect(headings).toHaveCount(0);
  await expect(queued(page)).toHaveText([/figs/, /pears/, /plums/]);
});

test("Proposals are found by parts of words and put in order, in both tabs", async ({ page }) => {
  const word = randomUUID().slice(0, 8);
  const first = await propose({ content: `Grows ${word}berries.` });
  const second = await propose({ content: `Picks ${word}berries.` });
  await page.goto("/dashboard/proposals?group=time");
  await page.getByLabel("Search proposals").fill(`${word}BERR`);
  await expect(queued(page)).toHaveText([second.content, first.content]);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Order").selectOption({ label: "Oldest first" });
  await expect(page).toHaveURL(/order=oldest/);
  await expect(queued(page)).toHaveText([first.content, second.content]);
  await page.keyboard.press("Escape");
  await queued(page).first().click();
  await approve(cardOf(page, first.id));
  await expect.poll(() => statusOf(first.id)).toBe("approved");
  await page.getByRole("link", { name: "Decided" }).click();
  await page.waitForURL(/tab=decided/);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Outcome").selectOption({ label: "Approved" });
  await page.waitForURL(/outcome=approved/);
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(page.getByRole("article")).toContainText(first.content);
  await page.getByLabel("Outcome").selectOption({ label: "Rejected" });
  await expect(page.getByRole("heading", { name: "Nothing here matches" })).toBeVisible();
  await expectSound(page);
});

test("A proposal replaces the memory it is close to, and an undo brings both back", async ({
  page,
}) => {
  const word = randomUUID();
  const category = "prof:preferences.walks";
  const old = await propose({ content: `Walks the dog at noon near ${word}.`, category });
  await page.goto(found(word));
  await approve(cardOf(page, old.id));
  await expect.poll(() => statusOf(old.id)).toBe("approved");
  const { id } = await propose({ content: `Walks the dog at dusk near ${word}.`, category });
  await page.goto(found(word));
  const card = cardOf(page, id);
  await expect(card).toContainText(`Close to one of yours: ${old.content}`);
  await expect(card).toHaveAttribute("data-seen");
  await expectSound(page);
  await act(card, "Replace that one").click();
  await expect(last(page)).toContainText("Approved in place of another");
  await expect.poll(() => statusOf(id)).toBe("approved");
  const read = async () => {
    const input = { did: aliceDid(), category, limit: 200 };
    return JSON.stringify((await agentClient("Iris").listMemories(input)).data);
  };
  expect(await read()).not.toContain("noon");
  await page.keyboard.press("u");
  await expect(card).toContainText(`Close to one of yours: ${old.content}`);
  expect(await statusOf(id)).toBe("pending");
  expect(await read()).toContain("noon");
  expect(await read()).not.toContain("dusk");
});

test("What is known already or was rejected before has an act of its own, and what is near has not", async ({
  page,
}) => {
  const word = randomUUID();
  const kept = await propose({ content: `Likes tea ${word}.` });
  const rejected = await propose({ content: `Likes rain ${word}.` });
  await page.goto(found(word, "&order=oldest"));
  await approve(cardOf(page, kept.id));
  await expect.poll(() => statusOf(kept.id)).toBe("approved");
  await expect(cardOf(page, rejected.id)).toHaveAttribute("data-seen");
  await page.keyboard.press("r");
  await page.keyboard.press("Enter");
  await expect.poll(() => statusOf(rejected.id)).toBe("rejected");
  const same = await propose({ content: `  LIKES TEA ${word}. ` });
  const again = await propose({ by: "Nova", content: `likes Rain ${word}.` });
  const near = await propose({ content: `Likes tea ${word} beside chess in the park.` });
  await page.goto(found(word, "&order=oldest"));
  await expect(queued(page)).toHaveText([
    /have this already$/,
    /rejected this before$/,
    /in the park\.$/,
  ]);
  const card = cardOf(page, same.id);
  await expect(card).toContainText("You have this already, in Hobbies.");
  await expect(card).toHaveAttribute("data-seen");
  await expectSound(page);
  await page.keyboard.press("d");
  await expect(cardOf(page, again.id)).toContainText("You rejected this on");
  await expect(cardOf(page, again.id)).toHaveAttribute("data-seen");
  await act(cardOf(page, again.id), "Reject again").click();
  await expect(cardOf(page, near.id)).toContainText("Close to one of yours:");
  for (const { id } of [same, again]) await expect.poll(() => statusOf(id)).toBe("rejected");
});

test("A proposal that is close to another one that waits leads to its card", async ({ page }) => {
  const word = randomUUID();
  const other = await propose({ content: `Feeds the ducks on Monday ${word}.` });
  const { id } = await propose({ content: `Feeds the ducks on Tuesday ${word}.` });
  await page.goto(`/dashboard/proposals?card=${id}`);
  const line = cardOf(page, id).getByText("Close to another that waits:").locator("..");
  await line.getByRole("link", { name: other.content }).click();
  await expect(cardOf(page, other.id)).toBeVisible();
});

test("A card says who could read it in the category that is chosen, and by which rule", async ({
  page,
}) => {
  const word = randomUUID();
  const { id } = await propose({
    content: `Reads maps ${word}.`,
    category: "prof:preferences.maps",
  });
  await page.goto(found(word));
  const card = cardOf(page, id);
  const readers = card.getByRole("button", { name: "All verified" });
  await readers.click();
  await expect(card.getByText("by your rule:").first()).toBeVisible();
  await expectSound(page);
  await page.keyboard.press("Escape");
  await card.getByLabel("Category").selectOption({ label: "Identity (sensitive)" });
  await expect(readers).toHaveCount(0);
  await expect(act(card, "Approve…")).toBeVisible();
});

test("What arrives waits, is counted, and moves nothing before it is asked for", async ({
  page,
}) => {
  const word = randomUUID();
  const first = await propose({ content: `Sings bass ${word}.` });
  await page.goto(found(word));
  const card = cardOf(page, first.id);
  await expect(card).toHaveAttribute("data-seen");
  await card.focus();
  const before = await card.boundingBox();
  const late = await propose({ content: `Sings alto ${word}.` });
  const show = page.getByRole("button", { name: "1 new, show" });
  await expect(show).toBeVisible();
  await expect(page.getByText("1 of 2").first()).toBeVisible();
  expect(await card.boundingBox()).toEqual(before);
  await expect(card).toBeFocused();
  await expectSound(page);
  await show.click();
  await expect(queued(page)).toHaveText([late.content, first.content]);
  await expect(card).toBeVisible();
  await expect(show).toHaveCount(0);
});

test("After the last card the first new one has the focus", async ({ page }) => {
  const word = randomUUID();
  const only = await propose({ content: `Sings one ${word}.` });
  await page.goto(found(word));
  await expect(cardOf(page, only.id)).toHaveAttribute("data-seen");
  await page.keyboard.press("a");
  await expect(page.getByRole("heading", { name: "Nothing here matches" })).toBeFocused();
  await expectSound(page);
  const next = await propose({ content: `Sings two ${word}.` });
  await expect(cardOf(page, next.id)).toBeFocused();
});

test("On a phone the queue opens over the card, and a toast lies on no card", async ({ page }) => {
  const word = randomUUID();
  const second = await propose({ content: `Carves spoons ${word}.` });
  const first = await propose({ content: `Carves bowls ${word}.` });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(found(word));
  await expect(page.getByRole("navigation", { name: "Shortcuts" })).toBeHidden();
  await page.getByRole("button", { name: "1 of 2" }).click();
  await expect(queued(page)).toHaveText([first.content, second.content]);
  await queued(page).last().click();
  await expect(cardOf(page, second.id)).toBeFocused();
  await expect(cardOf(page, second.id)).toHaveAttribute("data-seen");
  await approve(cardOf(page, second.id));
  await expect(page.locator("#stage").getByRole("status")).toHaveText(
    `Approved “${second.content}”`,
  );
  await page.getByRole("button", { name: `Undo: Approved ${second.content}` }).click();
  await expect(cardOf(page, second.id)).toBeVisible();
  await expect.poll(() => statusOf(second.id)).toBe("pending");
  await page.setViewportSize({ width: 1280, height: 800 });
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
