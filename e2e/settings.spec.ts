import { generateKeyPairSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { createClient, type ProtocolError } from "@/lib/protocol/client";
import { agentClient } from "./demo";
import { expect, expectSound, test } from "./page-checks";
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
  await page.getByLabel("Category").fill("professional");
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: "Add value" }).scrollIntoViewIfNeeded();
  await page.locator("form:has([name=category][list])").getByLabel("Value").fill(value);
  await page.getByRole("button", { name: "Add value" }).click();
}

test("An owner changes the display name, and preferences by kind", async ({ page }) => {
  await open(page, "");
  await page.getByLabel("Display name").fill("Nell of the Fens");
  await page.getByRole("button", { name: "Save name" }).click();
  await expect(page.getByText("Saved.", { exact: true }).first()).toBeVisible();
  const adding = page.locator("form:has(button:text('Add preference'))");
  await adding.getByLabel("Name").fill("units");
  await adding.getByLabel("Kind").selectOption("List of texts");
  await adding.getByLabel("Value").fill("metric\n24 hours");
  await adding.getByRole("button").click();
  await expect(page.getByText("metric, 24 hours")).toBeVisible();
  await page.getByText("Change units").click();
  const row = page.getByRole("listitem").filter({ hasText: "units" });
  await row.getByLabel("Kind").selectOption("Number");
  await row.getByRole("button", { name: "Save" }).click();
  await expect(row.getByText("Enter a number")).toBeVisible();
  await expect(row.getByLabel("Value")).toHaveValue("metric\n24 hours");
  await expectSound(page);
  await row.getByLabel("Value").fill("12");
  await row.getByRole("button", { name: "Save" }).click();
  await expect(row.getByText("12", { exact: true }).first()).toBeVisible();
  await row.getByRole("button", { name: "Remove units" }).click();
  await expect(page.getByText("Removed.").first()).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Display name")).toHaveValue("Nell of the Fens");
  await expect(page.getByText("Change units")).toHaveCount(0);
});

test("JSON that is wrong is refused with its line, and what was typed stays", async ({ page }) => {
  await open(page, "");
  await page.getByText("Show and edit").click();
  const json = page.getByLabel("Profile as JSON");
  const wrong = '{\n  "preferences": {\n    "language": "en",\n  }\n}';
  await json.fill(wrong);
  await page.getByRole("button", { name: "Save JSON" }).click();
  await expect(json).toHaveAccessibleDescription(/Line 4/);
  await expect(json).toHaveValue(wrong);
  await json.fill('{"preferences":{"a":1,\n"a":2}}');
  await page.getByRole("button", { name: "Save JSON" }).click();
  await expect(json).toHaveAccessibleDescription(/Line 2: .*same member twice/);
  await expectSound(page);
  await json.fill('{"preferences":{"language":"de"}}');
  await page.getByRole("button", { name: "Save JSON" }).click();
  await expect(page.getByText("Saved.", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("Change language")).toBeVisible();
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
  await expect(page.getByRole("region", { name: "Professional facts" })).toContainText(
    "Eel warden",
  );
  await page.getByText("Change occupation").click();
  const row = page.getByRole("listitem").filter({ hasText: "occupation" });
  await row.getByLabel("Value").fill("Eel warden, retired");
  await row.getByRole("button", { name: "Save" }).click();
  await expect(row.getByText("Eel warden, retired").first()).toBeVisible();
  await expectSound(page);
  await row.getByRole("button", { name: "Remove occupation" }).click();
  await expect(page.getByRole("heading", { name: "No named values yet" })).toBeVisible();
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
  await expect(other).toHaveURL(/\/dashboard\/settings\?made=1/);
  await expect(other.getByLabel("Display name")).toHaveValue("At work");
  await page.getByLabel("Display name").fill("Nell at home");
  await page.getByRole("button", { name: "Save name" }).click();
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
  await expect(there.getByText(/do not go together/)).toBeVisible();
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
  await expect(page.getByText("Eel warden").first()).toBeVisible();
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
  await page.waitForURL(/made=1/);
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
  await expect(page.getByText("Eel warden").first()).toBeVisible();
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
  await expect(page.getByText(/do not go together/)).toBeVisible();
});

test("The whole of a value is added and removed by keyboard alone", async ({ page }) => {
  await open(page, "values");
  await page.getByLabel("Category").focus();
  await page.keyboard.type("professional");
  await page.keyboard.press("Tab");
  await page.keyboard.type("rank");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("Captain");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Captain").first()).toBeVisible();
  await page.locator("summary", { hasText: "rank" }).focus();
  await page.keyboard.press("Enter");
  for (let tab = 0; tab < 4; tab++) await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Remove rank" })).toBeFocused();
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
