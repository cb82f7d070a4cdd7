import { generateKeyPairSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { createClient, type ProtocolError } from "@/lib/protocol/client";
import { agentClient } from "./demo";
import { expect, expectSound, holdScripts, test } from "./page-checks";
import { addMemory, newcomer, type Person, signIn } from "./people";

// Each looks at several pages in every theme and width. Nobody but it knows its owner, so that all of them
// go to whichever worker is free.
test.describe.configure({ mode: "parallel", timeout: 120_000 });

let me: Person;

test.beforeEach(async ({ page }) => {
  me = await newcomer(page.request, "Nell");
});

async function open(page: Page, name: string) {
  await page.goto(`/dashboard/settings${name === "" ? "" : `/${name}`}`);
}

async function addValue(page: Page, { name, value }: { name: string; value: string }) {
  await page.getByLabel("Category", { exact: true }).selectOption("Professional facts");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Value", { exact: true }).fill(value);
  await page.getByRole("button", { name: "Add value" }).click();
}

function adding(page: Page) {
  return page.locator("form:has(button:text('Add preference'))");
}

test("An owner saves the display name and preferences together, and undo brings a removed one back", async ({
  page,
}) => {
  await open(page, "");
  const add = adding(page);
  await add.getByLabel("Name").fill("hourFormat");
  await add.getByLabel("Kind").selectOption("List");
  await add.getByLabel("Value").fill("metric\n24 hours");
  await add.getByRole("button").click();
  const list = page.getByLabel("Hour format", { exact: true });
  await expect(list).toHaveValue("metric\n24 hours");
  await add.getByLabel("Name").fill("food");
  await add.getByLabel("Kind").selectOption("Several fields");
  await add.getByLabel("Value").fill("diet");
  await add.getByRole("button").click();
  await expect(add.getByLabel("Value")).toHaveAccessibleDescription(/Enter a name, a colon/);
  await add.getByLabel("Value").fill("diet: vegetarian");
  await add.getByRole("button").click();
  await page.getByLabel("Diet").fill("vegan");
  await page.getByLabel("Display name").fill("Nell of the Fens");
  await expect(page.getByText("2 changes not saved")).toBeInViewport();
  await expectSound(page);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved.", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("No changes to save")).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Diet")).toHaveValue("vegan");
  await page.getByRole("button", { name: "Remove Hour format" }).click();
  await expect(list).toHaveCount(0);
  await expect(page.getByText("You removed “Hour format”")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(list).toHaveValue("metric\n24 hours");
  await expect(page.getByLabel("Display name")).toHaveValue("Nell of the Fens");
});

test("A number and an answer are fields of their kind, and what is wrong is said at its field", async ({
  page,
}) => {
  await open(page, "");
  const add = adding(page);
  await add.getByLabel("Name").fill("spicy");
  await add.getByLabel("Kind").selectOption("Yes or no");
  await expect(add.getByLabel("Value")).toBeHidden();
  await add.getByLabel("Answer").selectOption("Yes");
  await add.getByRole("button").click();
  await expect(page.getByLabel("Spicy")).toHaveValue("yes");
  await add.getByLabel("Name").fill("shoe_size");
  await add.getByLabel("Kind").selectOption("Number");
  await add.getByLabel("Value").fill("41.5");
  await add.getByRole("button").click();
  const size = page.getByLabel("Shoe size");
  await size.fill("large");
  await page.getByLabel("Spicy").selectOption("No");
  await size.press("Enter");
  await expect(size).toHaveAccessibleDescription(/Enter a number/);
  await expect(size).toBeFocused();
  await expect(size).toHaveValue("large");
  await expect(page.getByText("Not saved", { exact: true })).toBeVisible();
  await size.fill("42");
  await expect(page.getByText("Not saved", { exact: true })).toBeVisible();
  await size.press("Enter");
  await expect(page.getByText("Saved.", { exact: true }).first()).toBeVisible();
  await page.reload();
  await expect(size).toHaveValue("42");
  await expect(page.getByLabel("Spicy")).toHaveValue("no");
});

test("Named values are added, changed and removed, and none may hide the memories", async ({
  page,
}) => {
  await open(page, "values");
  await expect(page.getByRole("heading", { name: "No named values yet" })).toBeVisible();
  await expectSound(page);
  await addValue(page, { name: "memories", value: "x" });
  await expect(page.getByLabel("Name", { exact: true })).toHaveAccessibleDescription(
    /is where the records of a category stand/,
  );
  await addValue(page, { name: "occupation", value: "Eel warden" });
  const facts = page.getByRole("region", { name: "Professional facts" });
  await expect(facts.getByLabel("Occupation")).toHaveValue("Eel warden");
  await facts.getByLabel("Occupation").fill("Eel warden, retired");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("You changed “Occupation” in Professional facts")).toBeVisible();
  await expectSound(page);
  await page.getByRole("button", { name: "Remove Occupation" }).click();
  await expect(page.getByRole("heading", { name: "No named values yet" })).toBeVisible();
  await expect(page.getByText("You removed “Occupation” in Professional facts")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(facts.getByLabel("Occupation")).toHaveValue("Eel warden, retired");
});

test("The places of the settings stay in one line on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open(page, "delete");
  const nav = page.getByRole("navigation", { name: "Settings" });
  expect((await nav.boundingBox())?.height).toBeLessThan(60);
  await expect(nav.getByRole("link", { name: "Delete" })).toBeInViewport();
  await page.setViewportSize({ width: 1280, height: 720 });
});

test("Who scrolls a page before its scripts arrive is not taken back to its head", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const arrive = await holdScripts(page);
  await page.goto("/dashboard/settings/account", { waitUntil: "commit" });
  const last = page.getByRole("heading", { name: "This browser" });
  await last.evaluate((element) => element.scrollIntoView());
  const open = page.getByRole("link", { name: "Account", exact: true });
  const isInLine = () => open.evaluate((link) => link.getBoundingClientRect().right < innerWidth);
  expect(await isInLine()).toBe(false);
  arrive();
  await expect.poll(isInLine).toBe(true);
  await expect(last).toBeInViewport();
  await page.setViewportSize({ width: 1280, height: 720 });
});

test("A form of one profile changes that one, after another tab has switched", async ({
  page,
  context,
}) => {
  await open(page, "");
  const other = await context.newPage();
  await other.goto("/dashboard/settings/profiles");
  await expectSound(other);
  await other.getByLabel("Display name").fill("At work");
  await other.getByLabel("Handle").fill(`${me.handle}-work`);
  await other.getByRole("button", { name: "Make profile" }).click();
  await expect(other).toHaveURL(/\/dashboard\/settings$/);
  await expect(other.getByLabel("Display name")).toHaveValue("At work");
  await page.getByLabel("Display name").fill("Nell at home");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved.", { exact: true }).first()).toBeVisible();
  await other.reload();
  await expect(other.getByLabel("Display name")).toHaveValue("At work");
  await other.goto("/dashboard/settings/profiles");
  await other
    .getByRole("main")
    .getByRole("button", { name: `Switch to ${me.handle}`, exact: true })
    .click();
  await other.waitForURL(/\/dashboard$/);
  await other.goto("/dashboard/settings");
  await expect(other.getByLabel("Display name")).toHaveValue("Nell at home");
});

test("A key signs as the owner until it is revoked", async ({ page }) => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  await open(page, "keys");
  await expectSound(page);
  await page.getByLabel("What it is for").fill("Laptop");
  await page
    .getByLabel("Ed25519 public key")
    .fill(privateKey.export({ type: "pkcs8", format: "pem" }).toString());
  await page.getByRole("button", { name: "Add key" }).click();
  await expect(page.getByText(/This is a private key/)).toBeVisible();
  await page
    .getByLabel("Ed25519 public key")
    .fill(publicKey.export({ type: "spki", format: "pem" }).toString());
  await page.getByRole("button", { name: "Add key" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "Laptop" })).toContainText("z6Mk");
  const client = createClient({
    did: me.did,
    privateKey: privateKey.export({ format: "jwk" }),
    baseUrl: new URL(page.url()).origin,
  });
  expect((await client.getProfile({ did: me.did })).data.id).toBe(me.did);
  await page.getByText("Revoke Laptop").click();
  await expectSound(page);
  await page.getByRole("button", { name: /^Revoke now/ }).click();
  await expect(page.getByRole("heading", { name: "Revoked" })).toBeVisible();
  const refused = await client.getProfile({ did: me.did }).catch((error: ProtocolError) => error);
  expect(refused).toMatchObject({ code: "PROF001" });
});

test("A new password ends the session of another browser", async ({ page, browser, baseURL }) => {
  const elsewhere = await browser.newContext({ baseURL });
  const there = await elsewhere.newPage();
  await signIn(there, me);
  await there.waitForURL(/\/dashboard$/);
  await open(page, "account");
  await expect(page.getByText("This device")).toBeVisible();
  await expectSound(page);
  for (const [typed, words] of [
    ["Password Password", /one of the best-known passwords/],
    ["green lamp", /Use at least 12 characters/],
    [`a lamp for ${me.handle}`, /your handle out of it/],
  ] as const) {
    await page.getByLabel("New password").fill(typed);
    await page.getByRole("button", { name: "Change password" }).click();
    await expect(page.getByLabel("New password")).toHaveAccessibleDescription(words);
  }
  const before = await page.context().cookies();
  await page.getByLabel("New password").fill("a lantern in a cold window");
  await page.getByRole("button", { name: "Change password" }).click();
  await expect(page.getByText("1 other session ended").first()).toBeVisible();
  await there.goto("/dashboard");
  await expect(there).toHaveURL(/\/sign-in/);
  await signIn(there, me);
  await expect(there.getByText(/password is wrong/)).toBeVisible();
  await signIn(there, { email: me.email, password: "a lantern in a cold window" });
  await expect(there).toHaveURL(/\/dashboard$/);
  // A copy of this browser's cookie from before.
  await elsewhere.clearCookies();
  await elsewhere.addCookies(before);
  await there.goto("/dashboard");
  await expect(there).toHaveURL(/\/sign-in/);
  await page.reload();
  await expect(page.getByText("This device")).toBeVisible();
  await elsewhere.close();
});

test("Another device's session is listed and ended", async ({ page, browser, baseURL }) => {
  const userAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1) Version/18.1 Safari/604.1";
  const elsewhere = await browser.newContext({ baseURL, userAgent });
  const there = await elsewhere.newPage();
  await signIn(there, me);
  await there.waitForURL(/\/dashboard$/);
  await open(page, "account");
  await page.getByRole("button", { name: "End the session of Safari on iPhone" }).click();
  await expect(page.getByText("That device has to sign in again").first()).toBeVisible();
  await expect(page.getByText("Safari on iPhone")).toHaveCount(0);
  await there.goto("/dashboard");
  await expect(there).toHaveURL(/\/sign-in/);
  await elsewhere.close();
});

test("What is exported is imported into a new profile", async ({ page }) => {
  const content = `Counts eels, ${me.handle}.`;
  await addMemory(page.request, { did: me.did, category: "prof:hobbies", content });
  await open(page, "values");
  await addValue(page, { name: "occupation", value: "Eel warden" });
  await expect(page.getByLabel("Occupation")).toHaveValue("Eel warden");
  await open(page, "export");
  await expectSound(page);
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download the file" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(new RegExp(`^profile-${me.handle}-.*\\.json$`));
  const file = await download.path();
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({
    format: "profile-archive",
    memories: [{ content }],
    namedValues: [{ name: "occupation", value: "Eel warden" }],
  });
  await page.getByLabel("File, at most 50 MB").setInputFiles(file);
  await page.getByRole("button", { name: "Import the file" }).click();
  await expect(page.getByText(/This profile is not empty/)).toBeVisible();
  await open(page, "profiles");
  await page.getByLabel("Display name").fill("Copy");
  await page.getByLabel("Handle").fill(`${me.handle}-copy`);
  await page.getByRole("button", { name: "Make profile" }).click();
  await page.waitForURL(/\/dashboard\/settings$/);
  await open(page, "export");
  await page.getByLabel("File, at most 50 MB").setInputFiles({
    name: "broken.json",
    mimeType: "application/json",
    buffer: Buffer.from('{"format":"profile-archive"}'),
  });
  await page.getByRole("button", { name: "Import the file" }).click();
  await expect(page.getByText(/^file\./)).toBeVisible();
  await page.getByLabel("File, at most 50 MB").setInputFiles(file);
  await page.getByRole("button", { name: "Import the file" }).click();
  await expect(page.getByText("Imported, with 1 memories.")).toBeVisible();
  await open(page, "values");
  await expect(page.getByLabel("Occupation")).toHaveValue("Eel warden");
});

test("A form that another site sends imports nothing", async ({ page }) => {
  await open(page, "export");
  const response = await page.request.post("/api/profile/import", {
    headers: { Origin: "https://elsewhere.example", "Sec-Fetch-Site": "cross-site" },
    multipart: {
      profile: me.did,
      file: { name: "x.json", mimeType: "application/json", buffer: Buffer.from("{}") },
    },
  });
  expect(response.ok()).toBe(true);
  await open(page, "export");
  await expect(
    page.getByText("Another site made this request, so nothing was done."),
  ).toBeVisible();
});

test("A deleted profile is gone for agents, and the account goes on", async ({ page }) => {
  await open(page, "delete");
  await page.getByText(`Delete profile ${me.handle}…`).click();
  await expectSound(page);
  await page.getByLabel("Type the handle").fill("not it at all");
  await page.getByRole("button", { name: "Delete this profile now" }).click();
  await expect(page.getByLabel("Type the handle")).toHaveAccessibleDescription(/to confirm/);
  await page.getByLabel("Type the handle").fill(me.handle);
  await page.getByRole("button", { name: "Delete this profile now" }).click();
  await expect(page).toHaveURL(/profiles\?deleted=1/);
  await expect(page.getByText("never be given out again")).toBeVisible();
  await expectSound(page);
  const read = agentClient("Iris").getProfile({ did: me.did });
  await expect(read).rejects.toMatchObject({ code: "PROF003" });
});

test("A deleted account is gone at once, and its words with it", async ({ page }) => {
  const content = "Counts eels at night.";
  await addMemory(page.request, { did: me.did, category: "prof:hobbies", content });
  await open(page, "delete");
  await expect(page.getByText("1 memory", { exact: true }).first()).toBeVisible();
  await page.getByText("Delete account…").click();
  await page.getByLabel("Type your e-mail address").fill(me.email);
  await page.getByRole("button", { name: "Delete my account now" }).click();
  await expect(page).toHaveURL(/\/goodbye$/);
  await expect(page.getByRole("heading", { name: "Your account is gone" })).toBeVisible();
  await expectSound(page);
  const read = agentClient("Iris").getProfile({ did: me.did });
  await expect(read).rejects.toMatchObject({ code: "PROF003" });
  await signIn(page, me);
  await expect(page.getByText(/password is wrong/)).toBeVisible();
});

test("The whole of a value is added and removed by keyboard alone", async ({ page }) => {
  await open(page, "values");
  await page.getByLabel("Category", { exact: true }).focus();
  await page.keyboard.type("Another");
  await page.keyboard.press("Tab");
  await page.keyboard.type("boats");
  await page.keyboard.press("Tab");
  await page.keyboard.type("rank");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Captain");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Boats" }).getByLabel("Rank")).toBeVisible();
  await page.getByLabel("Rank").focus();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Remove Rank" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "No named values yet" })).toBeVisible();
});

test("Theme and single keys are switched in the settings", async ({ page }) => {
  await open(page, "account");
  await page.getByRole("main").getByRole("button", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.getByRole("button", { name: "Off", exact: true }).click();
  await expect(page.getByRole("button", { name: "Off", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});
