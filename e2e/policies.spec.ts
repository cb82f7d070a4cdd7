import { randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright";
import { agentClient, aliceDid, signInAlice } from "./demo";
import { expect, expectSound, test } from "./page-checks";
import { addMemory } from "./people";

const rules = "/dashboard/access/policies";

// Rules of one test are about a category of its own, so that no other test's rules meet them.
async function giveMemory(
  page: Page,
): Promise<{ category: string; words: string; content: string }> {
  const name = `t${randomUUID().slice(0, 8)}`;
  const category = `prof:interests.${name}`;
  const content = `Collects ${randomUUID()}.`;
  await addMemory(page.request, { did: aliceDid(), category, content });
  return { category, words: `Interests › ${name}`, content };
}

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let turn = 0; turn < 80; turn++) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  await expect(target).toBeFocused();
}

async function reads(name: "Iris" | "Atlas" | "Nova", category: string): Promise<boolean> {
  const { data } = await agentClient(name).getProfile({ did: aliceDid() });
  return Object.hasOwn(data.memories, category);
}

/** Chooses in one list of the sentence, and closes it again. */
async function choose(page: Page, list: string, work: (within: Locator) => Promise<void>) {
  await page.getByRole("button", { name: `${list}:` }).click();
  await work(page.getByRole("group", { name: list }));
  await page.keyboard.press("Escape");
}

interface Written {
  who: string;
  deed?: string;
  scope: string;
  /** Left out where nothing is to be saved. */
  until?: string;
}

async function writeRule(page: Page, { who, deed = "may read", scope, until }: Written) {
  await page.goto(`${rules}/new`);
  await page.getByLabel("Which agents").selectOption({ label: who });
  await page.getByLabel("What they may do").selectOption({ label: deed });
  await choose(page, "With what", (list) => list.getByLabel("Other categories").fill(scope));
  if (until !== undefined) await page.getByLabel("For how long").selectOption({ label: until });
}

const nova = "Nova (not verified)";
const forGood = "until I end it";

function ruleAbout(page: Page, text: string): Locator {
  return page.getByRole("main").getByRole("listitem").filter({ hasText: text });
}

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save the rule" }).click();
  await page.waitForURL(/saved=/);
}

async function remove(page: Page, rule: Locator): Promise<void> {
  await rule.getByRole("button", { name: "More about" }).click();
  await page.getByRole("button", { name: "Remove" }).click();
}

test.beforeEach(({ page }) => signInAlice(page));

test("A rule's effect is shown before it is saved, and the agent then reads just that", async ({
  page,
}) => {
  const { category, words } = await giveMemory(page);
  expect(await reads("Nova", category)).toBe(false);
  const atlasReads = await reads("Atlas", category);
  await writeRule(page, { who: nova, scope: category });
  const effect = page.getByRole("region", { name: "What this changes" });
  await expect(effect.getByText("1 agent of today gains")).toBeVisible();
  await expect(effect.getByText("No agent of today loses")).toBeVisible();
  await expect(effect.getByRole("listitem")).toHaveText([
    `NovaNot verifiedgains 1 memory in ${words}+1`,
  ]);
  await expectSound(page);
  await page.getByRole("button", { name: "With what:" }).click();
  await expectSound(page);
  await page.keyboard.press("Escape");
  expect(await reads("Nova", category)).toBe(false);

  await page.getByLabel("For how long").selectOption({ label: forGood });
  await save(page);
  const rule = ruleAbout(page, words);
  await expect(rule).toContainText("1 memory, and what is added later");
  await expect(rule).toContainText("Saved");
  expect(await reads("Nova", category)).toBe(true);
  expect(await reads("Atlas", category)).toBe(atlasReads);
  await page.reload();
  await expect(rule).toContainText("used just now");

  const isOn = rule.getByRole("switch");
  await isOn.click();
  await expect(isOn).not.toBeChecked();
  expect(await reads("Nova", category)).toBe(false);
  await isOn.click();
  await expect(isOn).toBeChecked();
  expect(await reads("Nova", category)).toBe(true);

  await rule.getByRole("button", { name: "More about" }).click();
  await expectSound(page);
  await page.getByRole("button", { name: "Remove" }).click();
  await expect(rule).toHaveCount(0);
  expect(await reads("Nova", category)).toBe(false);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone: the rule is as it was.").first()).toBeVisible();
  await expect(rule).toHaveCount(1);
  expect(await reads("Nova", category)).toBe(true);
});

test("What is never to be reached wins over what another rule opens, and the effect says so", async ({
  page,
}) => {
  const { category, words } = await giveMemory(page);
  await writeRule(page, { who: "Verified agents", scope: category, until: forGood });
  await expect(
    page.getByText("Every verified agent, and every one that comes later"),
  ).toBeVisible();
  await save(page);
  expect(await reads("Iris", category)).toBe(true);

  await writeRule(page, {
    ...{ who: "Iris (verified)", deed: "may never touch", scope: category, until: forGood },
  });
  await expect(page.getByRole("button", { name: "For which purposes:" })).toBeHidden();
  const effect = page.getByRole("region", { name: "What this changes" });
  await expect(effect.getByRole("listitem")).toContainText([`loses 1 memory in ${words}`]);
  await save(page);
  expect(await reads("Iris", category)).toBe(false);
  const never = page.getByRole("region", { name: "Never" });
  await expect(never.getByRole("listitem").filter({ hasText: words })).toContainText(
    "1 memory behind it",
  );
});

test("A new rule and an edit are undone in their row", async ({ page }) => {
  const { category, words } = await giveMemory(page);
  await writeRule(page, { who: nova, scope: category, until: forGood });
  await save(page);
  const rule = ruleAbout(page, words);
  await rule.getByRole("button", { name: "More about" }).click();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.waitForURL(/\/policies\/pol_/);
  await page.getByLabel("What they may do").selectOption({ label: "may propose" });
  await save(page);
  expect(await reads("Nova", category)).toBe(false);
  await rule.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone: the rule is as it was.").first()).toBeVisible();
  expect(await reads("Nova", category)).toBe(true);

  const other = await giveMemory(page);
  await writeRule(page, { who: nova, scope: other.category, until: forGood });
  await save(page);
  await ruleAbout(page, other.words).getByRole("button", { name: "Undo" }).click();
  await expect(ruleAbout(page, other.words)).toHaveCount(0);
  expect(await reads("Nova", other.category)).toBe(false);
});

// No agent fits, so no other test's agent is let in.
const nobody = { who: "Agents that fit a pattern", scope: "*", until: "for 1 day" };

test("A rule that opens everything to many is saved only after its words were typed", async ({
  page,
}) => {
  await writeRule(page, { ...nobody, until: forGood });
  // A rule without an end is not one of "never".
  await expect(page.getByRole("button", { name: "For which purposes:" })).toBeVisible();
  await expect(page.getByText("no request for it reaches you")).toBeHidden();
  const pattern = `did:prof:agent:n${randomUUID().slice(0, 8)}:*`;
  await page.getByLabel("Identifier").fill(pattern);
  const broad = page.getByRole("region", { name: "This opens" });
  for (const title of ["Health", "Money matters", "Relationships", "Identity", "Interests"]) {
    await expect(broad.getByText(title, { exact: true })).toBeVisible();
  }
  const save = page.getByRole("button", { name: "Save the rule" });
  await expect(save).toHaveAttribute("aria-disabled", "true");
  await expectSound(page);
  await save.click({ force: true });
  await expect(page.getByText("Type “everything, sensitive too” to go on.")).toBeVisible();
  await expect(page).toHaveURL(/new$/);

  await page.getByLabel("To go on, type").fill("Everything, sensitive too");
  await expect(save).not.toHaveAttribute("aria-disabled", "true");
  await save.click();
  await page.waitForURL(/saved=/);
  const rule = ruleAbout(page, `of ${pattern.split(":")[3]}`);
  await expect(rule).toHaveCount(1);

  // Nor is it switched on again without them.
  await rule.getByRole("switch").click();
  await expect(rule.getByRole("switch")).not.toBeChecked();
  await rule.getByRole("switch").click();
  const chosen = page.getByRole("region", { name: "Switch on this rule" });
  await expect(chosen).toContainText("Health");
  await expectSound(page);
  await chosen.getByRole("button", { name: "Switch it on" }).click();
  await expect(page.getByText("Type “everything, sensitive too” to go on.")).toBeVisible();
  await chosen.getByLabel("To go on, type").fill("everything, sensitive too");
  await chosen.getByRole("button", { name: "Switch it on" }).click();
  await expect(chosen).toHaveCount(0);
  await expect(rule.getByRole("switch")).toBeChecked();
  await remove(page, rule);
  await expect(rule).toHaveCount(0);
});

test("A rule is edited until a day, and a rule that was changed elsewhere is not changed again", async ({
  page,
  context,
}) => {
  const { category, words } = await giveMemory(page);
  await writeRule(page, { who: "All agents", scope: category, until: forGood });
  await save(page);
  await ruleAbout(page, words).getByRole("button", { name: "More about" }).click();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.waitForURL(/\/policies\/pol_/);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(page.getByLabel("Which agents")).toHaveValue("all");
  await page.getByLabel("For how long").selectOption("day");
  const day = `${new Date().getUTCFullYear() + 1}-03-09`;
  await page.getByLabel("Last day").fill(day);
  await expect(page.getByText("Nobody gains or loses anything.")).toBeVisible();
  await save(page);
  await expect(ruleAbout(page, words)).toContainText(`until 9 March ${day.slice(0, 4)}`);

  await other.getByLabel("Which agents").selectOption("verified");
  await other.getByRole("button", { name: "Save the rule" }).click();
  await expect(other.getByText("changed elsewhere in the meantime")).toBeVisible();
  await expect(other.getByLabel("Which agents")).toHaveValue("verified");
});

test("A refused rule keeps all that was chosen, and says what is wrong with each slot", async ({
  page,
}) => {
  await writeRule(page, { who: "Agents that fit a pattern", scope: "prof:a..b" });
  await page.getByLabel("Identifier").fill("everybody");
  await choose(page, "For which purposes", async (list) => {
    await list.getByRole("checkbox", { name: "Analysis" }).check();
    await list.getByLabel("When it has to ask again").selectOption("14400");
  });
  await page.getByRole("button", { name: "Save the rule" }).click();
  await expect(page.getByText("Choose for how long.")).toBeVisible();
  await expect(page.getByText("Not an agent: did:prof:agent").first()).toBeVisible();
  await expect(page.getByText("Not a scope: prof:<name>").first()).toBeVisible();
  await expect(page.getByLabel("Identifier")).toHaveValue("everybody");
  await expect(page.getByRole("button", { name: "With what: prof:a..b" })).toBeVisible();
  await expect(page.getByRole("button", { name: "For which purposes: analysis" })).toBeVisible();
  await expectSound(page);

  await page.getByLabel("Identifier").fill("did:prof:agent:nowhere:*");
  await choose(page, "With what", (list) => list.getByLabel("Other categories").fill("music"));
  const lasts = page.getByText("First choose how long the rule lasts");
  await expect(lasts).toBeVisible();
  await page.getByLabel("For how long").selectOption("day");
  await expect(lasts).toBeVisible();
  await page.getByLabel("Last day").fill("2020-01-01");
  await expect(lasts).toHaveCount(0);
  await page.getByRole("button", { name: "Save the rule" }).click();
  await expect(page.getByText("Must end in the future.")).toBeVisible();
  await expect(page.getByLabel("Last day")).toHaveValue("2020-01-01");
});

test("A template is looked at, used and taken back", async ({ page }) => {
  await page.goto(rules);
  const templates = page.getByRole("list", { name: "Templates" });
  await expect(templates.getByRole("listitem").filter({ hasText: "In use" })).toContainText(
    "Balanced",
  );
  await templates.getByRole("link", { name: "See what it changes with Private" }).click();
  const chosen = page.getByRole("region", { name: "Private instead of the template in use" });
  const others = chosen.getByRole("listitem").filter({ hasText: "Every other agent" });
  await expect(others).toContainText("may no longer propose");
  await expectSound(page);
  await chosen.getByRole("button", { name: "Use Private" }).click();
  await expect(chosen).toHaveCount(0);
  await expect(templates.getByRole("listitem").filter({ hasText: "In use" })).toContainText(
    "Private",
  );
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(templates.getByRole("listitem").filter({ hasText: "In use" })).toContainText(
    "Balanced",
  );
});

test("A rule is written with the keyboard alone", async ({ page }) => {
  const { category, words } = await giveMemory(page);
  await page.goto(rules);
  await page.getByRole("link", { name: "New rule" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/new$/);
  await tabTo(page, page.getByLabel("Which agents"));
  await page.keyboard.type("Verified");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Which agents")).toHaveValue("verified");
  await tabTo(page, page.getByLabel("What they may do"));
  await page.keyboard.type("may read");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("What they may do")).toHaveValue("read");
  await tabTo(page, page.getByRole("button", { name: "With what:" }));
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("group", { name: "With what" }).getByLabel("Other categories"));
  await page.keyboard.type(category);
  await page.keyboard.press("Escape");
  const effect = page.getByRole("region", { name: "What this changes" });
  await expect(effect).toContainText(`gains 1 memory in ${words}`);
  await tabTo(page, page.getByLabel("For how long"));
  await page.keyboard.type("for 1 day");
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "Save the rule" }));
  await page.keyboard.press("Enter");
  await page.waitForURL(/saved=/);
  expect(await reads("Iris", category)).toBe(true);
  const rule = ruleAbout(page, words);
  await rule.getByRole("button", { name: "More about" }).focus();
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "Remove" }));
  await page.keyboard.press("Enter");
  await expect(rule).toHaveCount(0);
  expect(await reads("Iris", category)).toBe(false);
});

test("The way to the rules leads from the overview and from access requests", async ({ page }) => {
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "The rules behind this" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Rules" })).toBeVisible();
  await page.getByRole("link", { name: "an agent has to ask you" }).click();
  await expect(page).toHaveURL(/\/dashboard\/access$/);
  await page.getByRole("navigation").getByRole("link", { name: "Rules" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Rules" })).toBeVisible();
  const back = page.getByRole("link", { name: "an agent has to ask you" });
  await expect(back).toBeInViewport();
  // On a phone the words are there to be heard, and seen while their link has the focus.
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(back).not.toBeInViewport();
  await back.focus();
  await expect(back).toBeInViewport();
});

test.describe("before any script runs", () => {
  test.use({ javaScriptEnabled: false });

  test("A rule is weighed, refused, saved, removed and brought back", async ({ page }) => {
    const { category, words } = await giveMemory(page);
    await writeRule(page, { who: nova, scope: category });
    await page.getByRole("button", { name: "Show the effect" }).click();
    const effect = page.getByRole("region", { name: "What this changes" });
    await expect(effect).toContainText(`gains 1 memory in ${words}`);
    const chosen = page.getByRole("button", { name: `With what: ${category}` });
    await expect(chosen).toBeVisible();
    await expect(page.getByText("First choose how long the rule lasts")).toBeHidden();
    await page.getByRole("button", { name: "Save the rule" }).click();
    await expect(page.getByText("Choose for how long.").first()).toBeVisible();
    await expect(chosen).toBeVisible();
    await page.getByLabel("For how long").selectOption({ label: forGood });
    await save(page);
    expect(await reads("Nova", category)).toBe(true);
    const rule = ruleAbout(page, words);
    await rule.getByRole("switch").click();
    expect(await reads("Nova", category)).toBe(false);
    await rule.getByRole("switch").click();
    expect(await reads("Nova", category)).toBe(true);
    await remove(page, rule);
    await expect(page.getByText("Removed.")).toBeVisible();
    await expect(rule).toHaveCount(0);
    expect(await reads("Nova", category)).toBe(false);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(rule).toHaveCount(1);
    expect(await reads("Nova", category)).toBe(true);
  });

  test("A rule that opens everything to many is refused without its words", async ({ page }) => {
    await writeRule(page, nobody);
    await page.getByLabel("Identifier").fill("did:prof:agent:nowhere:*");
    await page.getByRole("button", { name: "Save the rule" }).click();
    await expect(page.getByRole("region", { name: "This opens" })).toContainText("Health");
    await expect(page.getByText("Type “everything, sensitive too” to go on")).toBeVisible();
    await page.getByLabel("To go on, type").fill("everything, sensitive too");
    await save(page);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText("Undone: the rule is gone.")).toBeVisible();
  });
});
