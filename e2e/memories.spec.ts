import { randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright";
import { agentClient, aliceDid, signInAlice } from "./demo";
import { expect, expectSound, test } from "./page-checks";
import { addMemory } from "./people";

test.beforeEach(({ page }) => signInAlice(page));

const agentsRead = "prof:preferences.pets";

/** A word that no other test has. */
function word(): string {
  return `w${randomUUID().slice(0, 12).replaceAll("-", "")}`;
}

async function addByHand(page: Page, content: string): Promise<void> {
  await page.goto("/dashboard/memories");
  await page.getByRole("link", { name: "Add a memory" }).click();
  await page.getByLabel("What to remember").fill(content);
  await page.locator("summary", { hasText: "A category that is not in the list" }).click();
  await page.getByLabel("New category").fill("preferences › pets");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(result(page, "Added to your memories.")).toBeVisible();
}

async function add(page: Page, content: string): Promise<void> {
  await addMemory(page.request, { did: aliceDid(), category: agentsRead, content });
  await page.goto("/dashboard/memories");
}

async function search(page: Page, text: string, state = "live"): Promise<Locator> {
  await page.goto(`/dashboard/memories?${new URLSearchParams({ q: text, state })}`);
  return page.getByRole("article").filter({ hasText: text });
}

function result(page: Page, text: string): Locator {
  return page.getByRole("listitem").filter({ hasText: text }).last();
}

async function undo(page: Page, text: string): Promise<void> {
  await result(page, text).getByRole("button", { name: "Undo" }).click();
  await expect(result(page, "Taken back.")).toBeVisible();
}

/** What the real agent gets now. */
async function readByIris(text: string): Promise<boolean> {
  const input = { did: aliceDid(), category: agentsRead, limit: 200 };
  const { data } = await agentClient("Iris").listMemories(input);
  return JSON.stringify(data).includes(text);
}

test("An owner adds a memory in words, and an agent that may reads it; undo takes it back", async ({
  page,
}) => {
  const text = `Has a dog called ${word()}.`;
  await addByHand(page, text);
  const card = page.getByRole("article").filter({ hasText: text });
  await expect(card).toContainText("Preferences › pets");
  await expect(card).toContainText("Very sure (1.00)");
  await expect(card).toContainText("Added by you");
  await expect(card).toContainText("Every verified agent can read it");
  expect(await readByIris(text)).toBe(true);
  await undo(page, "Added to your memories.");
  await expect(card).toHaveCount(0);
  expect(await readByIris(text)).toBe(false);
});

test("A memory that is refused keeps what was typed, and says why at the field", async ({
  page,
}) => {
  await page.goto("/dashboard/memories");
  await page.getByRole("link", { name: "Add a memory" }).click();
  const text = `Sings in a choir ${word()}.`;
  await page.getByLabel("What to remember").fill(text);
  await page.locator("summary", { hasText: "A category that is not in the list" }).click();
  await page.getByLabel("New category").fill("***");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByText("Use lower-case letters from a to z")).toBeVisible();
  await expect(page.getByLabel("New category")).toBeFocused();
  await expect(page.getByLabel("What to remember")).toHaveValue(text);
  await expectSound(page);
});

test("An owner edits a memory, agents read the new text, and undo brings the old one back", async ({
  page,
}) => {
  const own = word();
  await add(page, `Feeds ${own} twice.`);
  const card = await search(page, own);
  await card.getByRole("link", { name: "Edit" }).click();
  const field = card.getByLabel("What to remember");
  await expect(field).toBeFocused();
  await expectSound(page);
  await field.fill(`Feeds ${own} three times.`);
  await card.getByRole("button", { name: "Save" }).click();
  await expect(result(page, "Saved.")).toBeVisible();
  await expect(card).toContainText("three times");
  await expect(card).toContainText("Edited");
  await expect(card).toBeFocused();
  expect(await readByIris(`Feeds ${own} three times.`)).toBe(true);
  await undo(page, "Saved.");
  await expect(card).toContainText("twice");
  expect(await readByIris(`Feeds ${own} twice.`)).toBe(true);
});

test("Of two edits at once the later one is told, keeps its text, and can go on", async ({
  page,
  context,
}) => {
  const own = word();
  await add(page, `Walks ${own}.`);
  const card = await search(page, own);
  await card.getByRole("link", { name: "Edit" }).click();
  await card.getByLabel("What to remember").press("End");
  await card.getByLabel("What to remember").pressSequentially(" Mine");
  const other = await context.newPage();
  const same = await search(other, own);
  await same.getByRole("link", { name: "Edit" }).click();
  await same.getByLabel("What to remember").fill(`Theirs ${own}.`);
  await same.getByRole("button", { name: "Save" }).click();
  await expect(result(other, "Saved.")).toBeVisible();
  await other.close();
  await page.bringToFront();
  await expect(card.getByText("It was changed elsewhere while you were typing.")).toBeVisible();
  await card.getByRole("button", { name: "Save" }).click();
  await expect(card.getByText("was changed after you opened it")).toBeVisible();
  await expect(card.getByLabel("What to remember")).toHaveValue(`Walks ${own}. Mine`);
  await expect(card).toContainText(`Theirs ${own}.`);
  await card.getByRole("button", { name: "Save" }).click();
  await expect(result(page, "Saved.")).toBeVisible();
  await expect(card).toContainText(`Walks ${own}. Mine`);
  await expect(card).not.toContainText("Theirs");
});

test("An owner moves a memory to where Iris does not read it, and back by undo", async ({
  page,
}) => {
  const own = word();
  await add(page, `Grooms ${own}.`);
  const card = await search(page, own);
  await card.getByRole("link", { name: "Edit" }).click();
  await card.getByLabel("Category", { exact: true }).selectOption({ label: "Health (sensitive)" });
  await card.getByRole("button", { name: "Move" }).click();
  await expect(result(page, "Moved.")).toBeVisible();
  await expect(card).toContainText("Health");
  expect(await readByIris(own)).toBe(false);
  await undo(page, "Moved.");
  await expect(card).toContainText("Preferences › pets");
  expect(await readByIris(own)).toBe(true);
});

test("What is archived leaves the list and no agent reads it; it comes back by undo or from there", async ({
  page,
}) => {
  const own = word();
  await add(page, `Rides ${own}.`);
  const card = await search(page, own);
  await card.getByRole("button", { name: "Archive" }).click();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Nothing here matches" })).toBeVisible();
  await expect(result(page, "Archived:")).toBeVisible();
  expect(await readByIris(own)).toBe(false);
  await undo(page, "Archived:");
  await expect(card).toBeVisible();
  expect(await readByIris(own)).toBe(true);
  await card.getByRole("button", { name: "Archive" }).click();
  await page.getByRole("link", { name: "Archived" }).click();
  await expect(card).toContainText("No agent can read it");
  await expectSound(page);
  await card.getByRole("button", { name: "Unarchive" }).click();
  await expect(card).toHaveCount(0);
  await expect(await search(page, own)).toBeVisible();
  expect(await readByIris(own)).toBe(true);
});

test("What is deleted is gone for agents at once, and is restored by undo or from the deleted ones", async ({
  page,
}) => {
  const own = word();
  await add(page, `Swims ${own}.`);
  const card = await search(page, own);
  await card.getByRole("button", { name: "Delete" }).click();
  await expect(card).toHaveCount(0);
  // Its card leaves at once; that it is done is said when it is.
  await expect(result(page, "Deleted.")).toBeVisible();
  expect(await readByIris(own)).toBe(false);
  await undo(page, "Deleted.");
  await expect(card).toBeVisible();
  await card.getByRole("button", { name: "Delete" }).click();
  await expect(card).toHaveCount(0);
  const deleted = await search(page, own, "deleted");
  await expect(deleted).toContainText("Gone for good in 30 days");
  await expect(deleted.getByRole("link", { name: "Edit" })).toHaveCount(0);
  await expectSound(page);
  await deleted.getByRole("button", { name: "Restore" }).click();
  await expect(deleted).toHaveCount(0);
  await expect(result(page, "Restored.")).toBeVisible();
  expect(await readByIris(own)).toBe(true);
});

test("The page of a memory tells its history, and any state of it comes back", async ({ page }) => {
  const own = word();
  await add(page, `Keeps ${own} indoors.`);
  const card = await search(page, own);
  await card.getByRole("link", { name: "History" }).click();
  await expect(page.getByText("It is as it was from the beginning.")).toBeVisible();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("What to remember").fill(`Keeps ${own} outdoors.`);
  await page.getByRole("button", { name: "Save" }).click();
  const history = page.getByRole("region", { name: "History" });
  await expect(history.locator("del")).toContainText("indoors");
  await expect(history.locator("ins")).toContainText("outdoors");
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(history).toContainText("It was live and became deleted.");
  await expectSound(page);
  await history.getByRole("button", { name: "Restore what was before" }).last().click();
  await expect(result(page, "Restored.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Archive" })).toBeVisible();
  expect(await readByIris(`Keeps ${own} indoors.`)).toBe(true);
  await undo(page, "Restored.");
  await expect(page.getByRole("button", { name: "Archive" })).toHaveCount(0);
  expect(await readByIris(own)).toBe(false);
});

test("A memory tells which agent proposed it, why, and what was changed when it was approved", async ({
  page,
}) => {
  await page.goto("/dashboard/memories?q=site+office");
  const card = page.getByRole("article").filter({ hasText: "on most Mondays" });
  await expect(card).toContainText("From Iris");
  await expect(card).toContainText("Verified");
  await expect(card).toContainText("approved by you");
  await card.getByRole("link", { name: "History" }).click();
  await expect(page.getByText("proposed it and you approved it with changes:")).toBeVisible();
  await expect(page.locator("ins")).toContainText("most");
  await expect(page.getByText("Calendar entries of the past month.")).toBeVisible();
  await expectSound(page);
  await page.goto("/dashboard/memories/mem_nothing");
  await expect(page.getByRole("heading", { name: "No such memory" })).toBeVisible();
});

test("A search finds words, parts of them and misspelt ones, and the address keeps it", async ({
  page,
}) => {
  await page.goto("/dashboard/memories");
  const field = page.getByLabel("Search your memories");
  const ceramics = page.getByRole("article").filter({ hasText: "Is saving for a second kiln." });
  for (const text of ["KILN", "second saving", "econd", '"second kiln"']) {
    await field.fill(text);
    await page.getByRole("button", { name: "Search" }).click();
    await expect(page).toHaveURL((url) => url.searchParams.get("q") === text);
    await expect(field).toHaveValue(text);
    await expect(ceramics).toBeVisible();
  }
  await field.fill("secand kilm");
  await field.press("Enter");
  await expect(page.getByText("These are spelled alike")).toBeVisible();
  await expect(ceramics).toBeVisible();
  await expectSound(page);
  for (const text of ["%_\\", "'; --", '"', "zeppelin"]) {
    await field.fill(text);
    await field.press("Enter");
    await expect(page.getByRole("heading", { name: "Nothing here matches" })).toBeVisible();
  }
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(field).toHaveValue("");
});

test("The list is narrowed by category and by source, and sorted", async ({ page }) => {
  await page.goto("/dashboard/memories");
  await page
    .getByLabel("Category, and what lies below it")
    .selectOption({ label: "Professional facts" });
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("Prefers written briefs to calls.")).toBeVisible();
  await expect(page.getByText("Planted the first fig tree.")).toHaveCount(0);
  await page.getByLabel("From", { exact: true }).selectOption({ label: "Iris" });
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByText("Works from the site office")).toBeVisible();
  await expect(page.getByText("Prefers written briefs to calls.")).toHaveCount(0);
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page.getByRole("link", { name: "Clear" })).toHaveCount(0);
  await page.getByLabel("Sort").selectOption({ label: "Oldest first" });
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("article").first()).toContainText("Moved to the house");
});

test("Further pages hold each memory once", async ({ page }) => {
  const own = word();
  const category = `prof:interests.${own}`;
  for (let count = 0; count < 23; count++) {
    await addMemory(page.request, { did: aliceDid(), category, content: `No. ${count}` });
  }
  await page.goto(`/dashboard/memories?category=${category}`);
  const ids = () => page.getByRole("article").evaluateAll((all) => all.map(({ id }) => id));
  await expect(page.getByRole("article")).toHaveCount(20);
  await expect(page.getByText("23 memories found")).toBeVisible();
  const first = await ids();
  await page.getByRole("link", { name: "Next page" }).click();
  await expect(page.getByRole("article")).toHaveCount(3);
  expect(new Set([...first, ...(await ids())]).size).toBe(23);
  await page.getByRole("link", { name: "First page" }).click();
  await expect(page.getByRole("article")).toHaveCount(20);
});

test("A memory is added, edited and deleted with the keyboard alone, and focus is never lost", async ({
  page,
}) => {
  const own = word();
  await page.goto("/dashboard/memories");
  await page.getByRole("link", { name: "Add a memory" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("What to remember")).toBeFocused();
  await page.keyboard.type(`Chess ${own} one.`);
  await page.keyboard.press("Tab");
  await page.keyboard.type("Interests");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(result(page, "Added to your memories.")).toBeVisible();
  await add(page, `Chess ${own} two.`);
  const cards = await search(page, own);
  await expect(cards).toHaveCount(2);
  await cards.first().getByRole("link", { name: "Edit" }).focus();
  await page.keyboard.press("Enter");
  await expect(cards.first().getByLabel("What to remember")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(cards.first()).toBeFocused();
  const second = await cards.nth(1).getAttribute("id");
  await cards.first().getByRole("button", { name: "Delete" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator(`article#${second}`)).toBeFocused();
  await expect(cards).toHaveCount(1);
  await cards.first().getByRole("button", { name: "Delete" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#memories-count")).toBeFocused();
});

test("What somebody else wrote stays text, however long", async ({ page }) => {
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => dialogs.push(dialog.message())));
  const own = word();
  await add(page, `${own} <img src=x onerror="alert(1)"> \u202eltr \u200b ${"W".repeat(9_000)}`);
  const card = await search(page, own);
  await expect(card).toContainText('<img src=x onerror="alert(1)">');
  await expect(card.getByTitle("right-to-left override").first()).toHaveText("U+202E");
  await card.locator("summary", { hasText: "The other" }).click();
  await expectSound(page);
  await card.getByRole("button", { name: "Delete" }).click();
  await expect(card).toHaveCount(0);
  expect(dialogs).toEqual([]);
});

test.describe("before any script runs", () => {
  test.use({ javaScriptEnabled: false });

  test("Adding, editing, moving, deleting and undoing work, and what is refused is kept", async ({
    page,
  }) => {
    const own = word();
    await page.goto("/dashboard/memories");
    await page.getByRole("link", { name: "Add a memory" }).click();
    await page.getByLabel("What to remember").fill(" ");
    await page.locator("summary", { hasText: "A category that is not in the list" }).click();
    await page.getByLabel("New category").fill("preferences › pets");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await expect(page.getByText("Must have 1 to")).toBeVisible();
    await expect(page.getByLabel("New category")).toHaveValue("preferences › pets");
    await page.getByLabel("What to remember").fill(`Owns ${own}.`);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await expect(page.getByText("Added to your memories.")).toBeVisible();

    const card = await search(page, own);
    await card.getByRole("link", { name: "Edit" }).click();
    await card.getByLabel("What to remember").fill(`Owned ${own}.`);
    await card.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Saved.")).toBeVisible();
    await expect(card).toContainText(`Owned ${own}.`);
    await page.getByRole("button", { name: "Undo" }).click();
    await search(page, own);
    await expect(card).toContainText(`Owns ${own}.`);

    await card.getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("Deleted. You can restore it")).toBeVisible();
    expect(await readByIris(own)).toBe(false);
    await page.getByRole("button", { name: "Undo" }).click();
    await search(page, own);
    await expect(card).toBeVisible();
    expect(await readByIris(own)).toBe(true);
  });
});
