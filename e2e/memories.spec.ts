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
  await adding(page).getByLabel("Category", { exact: true }).selectOption("Another…");
  await adding(page).getByLabel("New category").fill("preferences › pets");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(result(page, "Added to your memories.")).toBeVisible();
}

function adding(page: Page): Locator {
  return page.locator("form:has(button:text-is('Add'))");
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
  await expect(result(page, "Undone:")).toBeVisible();
}

/** Opens the menu of a row and presses what it offers. */
async function choose(row: Locator, name: string): Promise<void> {
  await row.getByRole("button", { name: /^More for/ }).click();
  await row.getByRole("button", { name, exact: true }).or(row.getByRole("link", { name })).click();
}

function body(page: Page): Locator {
  return page.getByRole("region", { name: "What is remembered" });
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
  await expect(card).toContainText("From You");
  await expect(card).toContainText("every verified agent can read it");
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
  await adding(page).getByLabel("Category", { exact: true }).selectOption("Another…");
  await adding(page).getByLabel("New category").fill("***");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await expect(page.getByText("Use lower-case letters from a to z")).toBeVisible();
  await expect(adding(page).getByLabel("New category")).toBeFocused();
  await expect(page.getByLabel("What to remember")).toHaveValue(text);
  await expectSound(page);
});

test("An owner edits a memory, agents read the new text, and undo brings the old one back", async ({
  page,
}) => {
  const own = word();
  await add(page, `Feeds ${own} twice.`);
  await choose(await search(page, own), "Edit");
  const field = page.getByLabel("What to remember");
  await expect(field).toBeFocused();
  await expect(page).toHaveTitle(new RegExp(`^(\\(\\d+\\) )?Feeds ${own} twice\\.`));
  await expectSound(page);
  await field.fill(`Feeds ${own} three times.`);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(result(page, "Saved.")).toBeVisible();
  await expect(body(page)).toContainText("three times");
  await expect(body(page)).toContainText("Edited");
  await expect(body(page)).toBeFocused();
  expect(await readByIris(`Feeds ${own} three times.`)).toBe(true);
  await undo(page, "Saved.");
  await expect(body(page)).toContainText("twice");
  expect(await readByIris(`Feeds ${own} twice.`)).toBe(true);
});

test("Of two edits at once the later one is told, keeps its text, and can go on", async ({
  page,
  context,
}) => {
  const own = word();
  await add(page, `Walks ${own}.`);
  await choose(await search(page, own), "Edit");
  await page.getByLabel("What to remember").press("End");
  await page.getByLabel("What to remember").pressSequentially(" Mine");
  const other = await context.newPage();
  await choose(await search(other, own), "Edit");
  await other.getByLabel("What to remember").fill(`Theirs ${own}.`);
  await other.getByRole("button", { name: "Save" }).click();
  await expect(result(other, "Saved.")).toBeVisible();
  await other.close();
  await page.bringToFront();
  await expect(page.getByText("It was changed elsewhere while you were typing.")).toBeVisible();
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("was changed after you opened it")).toBeVisible();
  await expect(page.getByLabel("What to remember")).toHaveValue(`Walks ${own}. Mine`);
  await expect(body(page)).toContainText(`Theirs ${own}.`);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(result(page, "Saved.")).toBeVisible();
  await expect(body(page)).toContainText(`Walks ${own}. Mine`);
  await expect(body(page)).not.toContainText("Theirs");
});

test("An owner moves a memory to where Iris does not read it, and back by undo", async ({
  page,
}) => {
  const own = word();
  await add(page, `Grooms ${own}.`);
  await choose(await search(page, own), "Move to…");
  const category = page.getByLabel("Category", { exact: true });
  await expect(category).toBeFocused();
  await category.selectOption({ label: "Health (sensitive)" });
  await page.getByRole("button", { name: "Save" }).click();
  await expect(result(page, "Saved.")).toBeVisible();
  await expect(body(page)).toContainText("Health");
  await expect(page.getByRole("region", { name: "History" })).toContainText("Moved");
  expect(await readByIris(own)).toBe(false);
  await undo(page, "Saved.");
  await expect(body(page)).toContainText("Preferences › pets");
  expect(await readByIris(own)).toBe(true);
});

test("Several memories are moved, archived and deleted at once, each with one undo", async ({
  page,
}) => {
  const own = word();
  for (const text of ["one", "two", "three"]) await add(page, `Herds ${own} ${text}.`);
  const rows = await search(page, own);
  const box = (text: string) => rows.filter({ hasText: text }).getByRole("checkbox");
  await expect(page.getByRole("button", { name: "Archive", exact: true })).toBeHidden();
  await page.getByLabel("Tick all on this page").check();
  await box("two").uncheck();
  await expect(page.getByText("2 chosen")).toBeVisible();
  await expectSound(page);
  await page.getByRole("button", { name: "Move to…", exact: true }).click();
  await page.getByLabel("Category", { exact: true }).selectOption("Another…");
  await page.getByLabel("New category").fill("***");
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect(page.getByText("Use lower-case letters from a to z")).toBeVisible();
  await page.getByLabel("New category").fill("herds");
  await page.getByRole("button", { name: "Move", exact: true }).click();
  await expect(result(page, "Moved 2 memories to Herds.")).toBeVisible();
  await expect(rows.filter({ hasText: "one" })).not.toContainText("pets");
  await expect(rows.filter({ hasText: "two" })).toContainText("pets");
  expect(await readByIris(`${own} one`)).toBe(false);
  expect(await readByIris(`${own} two`)).toBe(true);
  await undo(page, "Moved 2 memories");
  // At once: what is done next is done to the memories as they are after it.
  expect(await readByIris(`${own} one`)).toBe(true);
  await box("one").check();
  await box("three").check();
  await page.getByRole("button", { name: "Archive", exact: true }).click();
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toBeFocused();
  await expect(result(page, "Archived 2 memories.")).toBeVisible();
  expect(await readByIris(`${own} three`)).toBe(false);
  await undo(page, "Archived 2 memories.");
  await expect(rows).toHaveCount(3);
  await page.getByLabel("Tick all on this page").check();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Nothing here matches" })).toBeVisible();
  await undo(page, "Deleted 3 memories.");
  await expect(rows).toHaveCount(3);
  expect(await readByIris(`${own} three`)).toBe(true);
});

test("On a phone the menu of a row begins to choose several memories", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const own = word();
  for (const text of ["one", "two"]) await add(page, `Oars ${own} ${text}.`);
  const rows = await search(page, own);
  await rows
    .first()
    .getByRole("button", { name: /^More for/ })
    .click();
  await rows.first().getByText("Choose several").click();
  await rows.last().getByRole("checkbox").check();
  await expect(page.getByText("2 chosen")).toBeVisible();
  await expectSound(page);
  await page.getByRole("button", { name: "Archive", exact: true }).click();
  await expect(result(page, "Archived 2 memories.")).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 720 });
});

test("Of several memories that are changed at once, none is where one was changed elsewhere", async ({
  page,
}) => {
  const own = word();
  for (const text of ["one", "two"]) await add(page, `Shears ${own} ${text}.`);
  const rows = await search(page, own);
  await page.getByLabel("Tick all on this page").check();
  // As the page would send it that has not heard of the change yet; another test's change may render it again.
  await rows
    .first()
    .getByRole("checkbox")
    .evaluate((box: HTMLInputElement) => {
      box.form?.addEventListener("formdata", ({ formData }) => {
        formData.set(box.name, "2020-01-01T00:00:00.000Z");
      });
    });
  await page.getByRole("button", { name: "Archive", exact: true }).click();
  await expect(page.getByText("was changed after you opened it")).toBeVisible();
  await expect(rows).toHaveCount(2);
  expect(await readByIris(`${own} two`)).toBe(true);
});

test("Back from a memory the list is where it was left", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 600 });
  await page.goto("/dashboard/memories");
  const row = page.getByRole("article").nth(12);
  await row.scrollIntoViewIfNeeded();
  await row.getByRole("link").first().click();
  await expect(page.getByRole("region", { name: "History" })).toBeVisible();
  const place = () => page.evaluate(() => scrollY);
  expect(await place()).toBeLessThan(100);
  await page.goBack();
  await expect(row).toBeInViewport();
  expect(await place()).toBeGreaterThan(400);
  await page.setViewportSize({ width: 1280, height: 720 });
});

test("What is archived leaves the list and no agent reads it; it comes back by undo or from there", async ({
  page,
}) => {
  const own = word();
  await add(page, `Rides ${own}.`);
  const card = await search(page, own);
  await choose(card, "Archive");
  await expect(card).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Nothing here matches" })).toBeVisible();
  await expect(result(page, `Archived “Rides ${own}.”`)).toBeVisible();
  expect(await readByIris(own)).toBe(false);
  await undo(page, `Archived “Rides ${own}.”`);
  await expect(card).toBeVisible();
  expect(await readByIris(own)).toBe(true);
  await choose(card, "Archive");
  await page.getByRole("link", { name: /^Archived \d/ }).click();
  await expect(card).toContainText("No agent");
  await expectSound(page);
  await choose(card, "Unarchive");
  await expect(card).toHaveCount(0);
  await expect(result(page, `Unarchived “Rides ${own}.”`)).toBeVisible();
  await expect(await search(page, own)).toBeVisible();
  expect(await readByIris(own)).toBe(true);
});

test("What is deleted is gone for agents at once, and is restored by undo or from the deleted ones", async ({
  page,
}) => {
  const own = word();
  await add(page, `Swims ${own}.`);
  const card = await search(page, own);
  await choose(card, "Delete");
  await expect(card).toHaveCount(0);
  // Its row leaves at once; that it is done is said when it is.
  await expect(result(page, "Deleted “")).toBeVisible();
  expect(await readByIris(own)).toBe(false);
  await undo(page, "Deleted “");
  await expect(card).toBeVisible();
  await choose(card, "Delete");
  await expect(card).toHaveCount(0);
  await expect(result(page, "Deleted “")).toBeVisible();
  const deleted = await search(page, own, "deleted");
  await expect(deleted).toContainText("Gone in 30 days");
  await expect(deleted.getByText("Edit")).toHaveCount(0);
  await expectSound(page);
  await choose(deleted, "Restore");
  await expect(deleted).toHaveCount(0);
  await expect(result(page, "Restored “")).toBeVisible();
  expect(await readByIris(own)).toBe(true);
});

test("The page of a memory tells its history, and any state of it comes back", async ({ page }) => {
  const own = word();
  await add(page, `Keeps ${own} indoors.`);
  const card = await search(page, own);
  await choose(card, "History");
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
  await card.getByRole("link", { name: "on most Mondays" }).click();
  await expect(body(page)).toContainText("From Iris");
  await expect(body(page)).toContainText("Verified");
  await expect(body(page)).toContainText("approved by you");
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
  await expect(page.getByText("Prefers written briefs to calls.")).toBeVisible();
  await expect(page.getByText("Planted the first fig tree.")).toHaveCount(0);
  await page.getByLabel("From", { exact: true }).selectOption({ label: "From Iris" });
  await expect(page.getByText("Works from the site office")).toBeVisible();
  await expect(page.getByText("Prefers written briefs to calls.")).toHaveCount(0);
  await page.getByRole("link", { name: "Clear" }).click();
  await expect(page.getByRole("link", { name: "Clear" })).toHaveCount(0);
  await page.getByLabel("Sort").selectOption({ label: "Oldest first" });
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
  await page.keyboard.press("Enter");
  await expect(result(page, "Added to your memories.")).toBeVisible();
  await add(page, `Chess ${own} two.`);
  const cards = await search(page, own);
  await expect(cards).toHaveCount(2);
  await chooseByKeys(page, cards.first(), 0);
  await expect(page.getByLabel("What to remember")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(body(page)).toBeFocused();
  await search(page, own);
  const second = await cards.nth(1).getAttribute("id");
  await chooseByKeys(page, cards.first(), 4);
  await expect(page.locator(`article#${second}`)).toBeFocused();
  await expect(cards).toHaveCount(1);
  await expect(page.getByText("1 memory found")).toBeVisible();
  await cards.first().getByRole("checkbox").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Shift+Tab");
  await expect(page.getByRole("button", { name: "Move to…", exact: true })).toBeFocused();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page.locator("#memories-count")).toBeFocused();
  await expect(cards).toHaveCount(0);
});

/** Opens the menu of a row and goes down to one of its lines. */
async function chooseByKeys(page: Page, row: Locator, line: number): Promise<void> {
  await row.getByRole("button", { name: /^More for/ }).focus();
  await page.keyboard.press("Enter");
  for (let tab = 0; tab <= line; tab++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
}

test("What somebody else wrote stays text, however long", async ({ page }) => {
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => dialogs.push(dialog.message())));
  const own = word();
  await add(page, `${own} <img src=x onerror="alert(1)"> \u202eltr \u200b ${"W".repeat(9_000)}`);
  const card = await search(page, own);
  await expect(card).toContainText('<img src=x onerror="alert(1)">');
  await expect(card.getByTitle("right-to-left override").first()).toHaveText("U+202E");
  await expectSound(page);
  await card.getByRole("link").first().click();
  await page.locator("summary", { hasText: "The other" }).first().click();
  await expectSound(page);
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(result(page, "Deleted “")).toBeVisible();
  expect(dialogs).toEqual([]);
});

test.describe("before any script runs", () => {
  test.use({ javaScriptEnabled: false });

  test("Adding, editing, moving, deleting and undoing work, and what is refused is kept", async ({
    page,
  }) => {
    const own = word();
    expect((await page.goto("/dashboard/memories/mem_none"))?.status()).toBe(404);
    await expect(page.getByRole("heading", { name: "No such memory" })).toBeVisible();
    await page.getByRole("link", { name: "All memories" }).click();
    await page.getByRole("link", { name: "Add a memory" }).click();
    await page.getByLabel("What to remember").fill(" ");
    await adding(page).getByLabel("Category", { exact: true }).selectOption("Another…");
    await adding(page).getByLabel("New category").fill("preferences › pets");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await expect(page.getByText("Must have 1 to")).toBeVisible();
    await expect(adding(page).getByLabel("New category")).toHaveValue("preferences › pets");
    await page.getByLabel("What to remember").fill(`Owns ${own}.`);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await expect(page.getByText("Added to your memories.")).toBeVisible();

    const card = await search(page, own);
    await choose(card, "Edit");
    await page.getByLabel("What to remember").fill(`Owned ${own}.`);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Saved.")).toBeVisible();
    await expect(body(page)).toContainText(`Owned ${own}.`);
    await page.getByRole("button", { name: "Undo" }).click();
    await search(page, own);
    await expect(card).toContainText(`Owns ${own}.`);

    await card.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await expect(page.getByText("You can restore it for 30 days.")).toBeVisible();
    expect(await readByIris(own)).toBe(false);
    await page.getByRole("button", { name: "Undo" }).click();
    await search(page, own);
    await expect(card).toBeVisible();
    expect(await readByIris(own)).toBe(true);
    await choose(card, "Archive");
    await expect(page.getByText("No agent can read what is archived.")).toBeVisible();
    expect(await readByIris(own)).toBe(false);
  });
});
