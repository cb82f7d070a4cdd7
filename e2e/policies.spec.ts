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

async function writeRule(
  page: Page,
  { who, agent, scope }: { who: string; agent?: string; scope: string },
): Promise<void> {
  await page.goto(`${rules}/new`);
  await page.getByRole("radio", { name: who }).check();
  if (agent !== undefined)
    await page.getByLabel("Agent", { exact: true }).selectOption({ label: agent });
  await page.getByRole("group", { name: "With what" }).getByLabel("Others").fill(scope);
}

function ruleAbout(page: Page, text: string): Locator {
  return page.getByRole("main").getByRole("listitem").filter({ hasText: text });
}

async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save the rule" }).click();
  await page.waitForURL(/saved=/);
}

test.beforeEach(({ page }) => signInAlice(page));

test("A rule's effect and the lens are shown before it is saved, and the agent then reads just that", async ({
  page,
}) => {
  const { category, words, content } = await giveMemory(page);
  expect(await reads("Nova", category)).toBe(false);
  const atlasReads = await reads("Atlas", category);
  await writeRule(page, { who: "One agent", agent: "Nova (not verified)", scope: category });
  const effect = page.getByRole("region", { name: "What this would change" });
  await expect(effect.getByRole("listitem")).toHaveText([
    `NovaNot verified gains 1 memory in ${words}.`,
  ]);
  await page.getByLabel("See your profile as").selectOption({ label: "Nova (not verified)" });
  const lens = page.getByRole("region", { name: "What it would see" });
  await expect(lens.getByText("1 item that it cannot see now.")).toBeVisible();
  await expect(lens.getByText(content)).toBeVisible();
  await expectSound(page);
  expect(await reads("Nova", category)).toBe(false);

  await save(page);
  const rule = ruleAbout(page, words);
  await expect(rule).toContainText("Saved");
  expect(await reads("Nova", category)).toBe(true);
  expect(await reads("Atlas", category)).toBe(atlasReads);

  await rule.getByRole("button", { name: "Switch off" }).click();
  await expect(rule.getByText("Off", { exact: true })).toBeVisible();
  expect(await reads("Nova", category)).toBe(false);
  await rule.getByRole("button", { name: "Switch on" }).click();
  await expect(rule.getByRole("button", { name: "Switch off" })).toBeVisible();
  expect(await reads("Nova", category)).toBe(true);

  await rule.getByRole("button", { name: "Remove" }).click();
  await expect(rule).toHaveCount(0);
  expect(await reads("Nova", category)).toBe(false);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Back: the rule stands as it was.").first()).toBeVisible();
  await expect(rule).toHaveCount(1);
  expect(await reads("Nova", category)).toBe(true);
});

test("What is never to be reached wins over what another rule opens, and the effect says so", async ({
  page,
}) => {
  const { category, words } = await giveMemory(page);
  await writeRule(page, { who: "Verified agents", scope: category });
  await expect(page.getByText("Any verified agent")).toBeVisible();
  await save(page);
  expect(await reads("Iris", category)).toBe(true);

  await page.goto(`${rules}/new`);
  await page.getByRole("radio", { name: "One agent" }).check();
  await page.getByLabel("Agent", { exact: true }).selectOption({ label: "Iris (verified)" });
  await page.getByText("What they never reach").click();
  await page.getByRole("group", { name: "Never" }).getByLabel("Others").fill(category);
  const effect = page.getByRole("region", { name: "What this would change" });
  await expect(effect.getByRole("listitem")).toContainText([`Iris`]);
  await expect(effect.getByRole("listitem")).toContainText([`loses 1 memory in ${words}`]);
  await save(page);
  expect(await reads("Iris", category)).toBe(false);
  await expect(ruleAbout(page, `may not touch interests`)).not.toHaveCount(0);
});

test("A rule is edited until a day, and a rule that was changed elsewhere is not changed again", async ({
  page,
  context,
}) => {
  const { category, words } = await giveMemory(page);
  await writeRule(page, { who: "All agents", scope: category });
  await save(page);
  await ruleAbout(page, words).getByRole("link", { name: "Edit" }).click();
  await page.waitForURL(/\/policies\/pol_/);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(page.getByRole("radio", { name: "All agents" })).toBeChecked();
  await page.getByLabel("The rule holds").selectOption("day");
  const day = `${new Date().getUTCFullYear() + 1}-03-09`;
  await page.getByLabel("Last day").fill(day);
  await expect(page.getByText("Nobody gains or loses anything.")).toBeVisible();
  await save(page);
  await expect(ruleAbout(page, words)).toContainText(`until 9 March ${day.slice(0, 4)}`);

  await other.getByRole("radio", { name: "Verified agents" }).check();
  await other.getByRole("button", { name: "Save the rule" }).click();
  await expect(other.getByText("changed elsewhere in the meantime")).toBeVisible();
  await expect(other.getByRole("radio", { name: "Verified agents" })).toBeChecked();
});

test("A refused rule keeps all that was typed, with each issue at its field", async ({ page }) => {
  await page.goto(`${rules}/new`);
  await page.getByRole("radio", { name: "Agents that fit a pattern" }).check();
  await page.getByLabel("Pattern", { exact: true }).fill("everybody");
  await page.getByRole("group", { name: "With what" }).getByLabel("Others").fill("prof:a..b");
  await page.getByText("Only for a purpose").click();
  await page.getByRole("checkbox", { name: "Analysis" }).check();
  await page.getByLabel("Hours until it has to ask again").fill("a day");
  await page.getByLabel("The rule holds").selectOption("day");
  await page.getByLabel("Last day").fill("2020-01-01");
  await page.getByRole("button", { name: "Save the rule" }).click();
  await expect(page.getByText("Not an agent: did:prof:agent").first()).toBeVisible();
  await expect(page.getByText("Not a scope: prof:<name>").first()).toBeVisible();
  await expect(page.getByLabel("Pattern", { exact: true })).toHaveValue("everybody");
  await expect(page.getByLabel("Last day")).toHaveValue("2020-01-01");
  await expect(page.getByLabel("Hours until it has to ask again")).toHaveValue("a day");
  await expect(page.getByRole("checkbox", { name: "Analysis" })).toBeChecked();
  await expectSound(page);

  await page.getByLabel("Pattern", { exact: true }).fill("did:prof:agent:nowhere:*");
  await page.getByRole("group", { name: "With what" }).getByLabel("Others").fill("music");
  await page.getByLabel("Hours until it has to ask again").fill("2");
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
  await expect(chosen.getByText("Any other agent may no longer propose")).toBeVisible();
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
  await tabTo(page, page.getByRole("radio", { name: "All agents" }));
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: "Verified agents" })).toBeChecked();
  await tabTo(page, page.getByRole("group", { name: "With what" }).getByLabel("Others"));
  await page.keyboard.type(category);
  const effect = page.getByRole("region", { name: "What this would change" });
  await expect(effect).toContainText(`gains 1 memory in ${words}`);
  await tabTo(page, page.getByRole("button", { name: "Save the rule" }));
  await page.keyboard.press("Enter");
  await page.waitForURL(/saved=/);
  expect(await reads("Iris", category)).toBe(true);
  const rule = ruleAbout(page, words);
  await rule.getByRole("button", { name: "Remove" }).focus();
  await page.keyboard.press("Enter");
  await expect(rule).toHaveCount(0);
  expect(await reads("Iris", category)).toBe(false);
});

test("The way to the rules leads from the overview and from access requests", async ({ page }) => {
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Change the rules" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Policies" })).toBeVisible();
  await page.getByRole("link", { name: "an agent has to ask you" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Access requests" })).toBeVisible();
  await page.getByRole("link", { name: "your policies" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Policies" })).toBeVisible();
});

test.describe("before any script runs", () => {
  test.use({ javaScriptEnabled: false });

  test("A rule is weighed, refused, saved, removed and brought back", async ({ page }) => {
    const { category, words } = await giveMemory(page);
    await writeRule(page, { who: "One agent", agent: "Nova (not verified)", scope: category });
    await page.getByLabel("See your profile as").selectOption({ label: "Nova (not verified)" });
    await page.getByRole("button", { name: "Show the effect" }).click();
    const effect = page.getByRole("region", { name: "What this would change" });
    await expect(effect).toContainText(`gains 1 memory in ${words}`);
    await expect(page.getByText("1 item that it cannot see now.")).toBeVisible();
    const others = page.getByRole("group", { name: "With what" }).getByLabel("Others");
    await expect(others).toHaveValue(category);
    await page.getByRole("checkbox", { name: "Read" }).uncheck();
    await page.getByRole("button", { name: "Save the rule" }).click();
    await expect(page.getByText("Choose what they may do.").first()).toBeVisible();
    await expect(others).toHaveValue(category);
    await page.getByRole("checkbox", { name: "Read" }).check();
    await save(page);
    expect(await reads("Nova", category)).toBe(true);
    const rule = ruleAbout(page, words);
    await rule.getByRole("button", { name: "Switch off" }).click();
    expect(await reads("Nova", category)).toBe(false);
    await rule.getByRole("button", { name: "Switch on" }).click();
    expect(await reads("Nova", category)).toBe(true);
    await rule.getByRole("button", { name: "Remove" }).click();
    await expect(page.getByText("Removed.")).toBeVisible();
    await expect(rule).toHaveCount(0);
    expect(await reads("Nova", category)).toBe(false);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(rule).toHaveCount(1);
    expect(await reads("Nova", category)).toBe(true);
  });
});
