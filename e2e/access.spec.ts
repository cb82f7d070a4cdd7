import { randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright";
import { agentDid } from "@/lib/protocol/did";
import { agentClient, aliceDid, askAccess, signInAlice } from "./demo";
import { expect, expectSound, holdScripts, test } from "./page-checks";

test.beforeEach(({ page }) => signInAlice(page));

function cardOf(page: Page, url: string): Locator {
  return page.locator(`#${new URL(url).searchParams.get("request")}`);
}

// As people do, who look before they press; what is pressed earlier has a test of its own.
async function openRequest(page: Page, url: string): Promise<Locator> {
  await page.goto(url);
  await expect(page.locator("main [data-asleep]")).toHaveCount(0);
  return cardOf(page, url);
}

function partOf(request: Locator, name: string): Locator {
  const named = request.page().getByRole("checkbox", { name });
  return request.locator("section section").filter({ has: named });
}

async function readable(name: "Atlas" | "Iris" | "Nova"): Promise<string[]> {
  const { data } = await agentClient(name).getProfile({ did: aliceDid() });
  return Object.keys(data.memories);
}

test("An owner grants a part of what an agent asks for, and the agent then reads just that", async ({
  page,
}) => {
  const url = await askAccess(agentClient("Atlas"), {
    scopes: ["prof:interests", "prof:health"],
    purpose: { type: "personalization", legalBasis: "consent", retention: "session_only" },
  });
  expect(await readable("Atlas")).toEqual([]);
  const request = await openRequest(page, url);
  const [interests, health] = [partOf(request, "Interests"), partOf(request, "Health")];
  await expect(interests.getByText("stays closed")).toBeVisible();
  await expect(request.getByText("Nothing is open.")).toBeVisible();

  await request.getByRole("checkbox", { name: "Interests" }).check();
  await expect(interests.getByText("will be seen")).toBeVisible();
  await expect(interests.getByText("Throws pots on Thursday evenings.")).toBeVisible();
  await expect(health.getByText("stays closed")).toBeVisible();
  await expect(request.getByText("1 of 2 categories · choose for how long")).toBeVisible();
  await expectSound(page);

  await request.getByRole("radio", { name: "1 day" }).check();
  await expect(request.getByRole("button", { name: "Grant 1 of 2 for 1 day" })).toBeVisible();
  await expect(request.getByText(/· until tomorrow, \d\d:\d\d/)).toBeVisible();
  await expect(request.locator("[aria-live]")).toHaveText(/· 1 of 2 categories$/);
  await request.getByRole("button", { name: /^Grant/ }).click();
  await expect(request.getByText("Granted.")).toBeVisible();
  await expect(request.getByText("You did not grant health.")).toBeVisible();
  expect(await readable("Atlas")).toEqual(["prof:interests", "prof:interests.music"]);
  await expectSound(page);
});

test("Nothing is preselected, and an incomplete grant is refused with what was chosen kept", async ({
  page,
}) => {
  const url = await askAccess(agentClient("Atlas"), {
    scopes: ["prof:episodic"],
    purpose: { type: "analysis" },
  });
  const request = await openRequest(page, url);
  await expect(request.locator("input:checked")).toHaveCount(0);
  await expect(request.getByText("It does not say")).toHaveCount(2);

  await request.getByRole("radio", { name: "30 days" }).check();
  await request.getByRole("button", { name: /^Grant/ }).click();
  await expect(request.getByText("Switch on what it may read, or deny the request.")).toBeVisible();
  await expect(request.getByRole("radio", { name: "30 days" })).toBeChecked();
  await expect(request.getByRole("checkbox", { name: "Episodes" })).toBeFocused();
  expect(await readable("Atlas")).not.toContain("prof:episodic");

  // On a phone too.
  await page.setViewportSize({ width: 390, height: 844 });
  await request.getByRole("radio", { name: "1 week" }).check();
  await request.getByRole("checkbox", { name: "Episodes" }).check();
  await request.getByRole("button", { name: "Grant for 1 week" }).click();
  await expect(request.getByText("Granted.")).toBeVisible();
});

test("A sensitive category is marked, and so are words that nobody has defined", async ({
  page,
}) => {
  const dialogs: string[] = [];
  page.on("dialog", (dialog) => void dialog.dismiss().then(() => dialogs.push(dialog.message())));
  const url = await askAccess(agentClient("Nova"), {
    scopes: ["prof:health", "prof:financial"],
    purpose: {
      type: "wellbeing_score",
      retention: "as_long_as_we_like",
      description: '<img src=x onerror="alert(1)"> Granted \u202eby default\u202c. Press Grant.',
    },
  });
  const request = await openRequest(page, url);
  await expect(request.getByText("in its own word", { exact: true })).toHaveCount(2);
  await expect(partOf(request, "Health")).toContainText("Sensitive");
  const words = request.getByRole("blockquote");
  await expect(words).toContainText('<img src=x onerror="alert(1)">');
  await expect(words.getByTitle("right-to-left override")).toHaveText("U+202E");
  await expect(request.getByText("The rest stays closed:")).toContainText("money matters");
  expect(dialogs).toEqual([]);
  await expectSound(page);
});

test("An owner denies a request, and the agent learns nothing from it", async ({ page }) => {
  const url = await askAccess(agentClient("Nova"), {
    scopes: ["prof:relationships"],
    purpose: { type: "support" },
  });
  const request = await openRequest(page, url);
  await request.getByRole("button", { name: "Deny" }).click();
  await expect(request.getByText("Denied.")).toBeVisible();
  expect(await readable("Nova")).not.toContain("prof:relationships");
  await page.goto("/dashboard/access");
  await expect(page.getByText("Denied.")).toHaveCount(0);
});

test("A decision that comes before the page's scripts is kept, and made once they are there", async ({
  page,
}) => {
  const url = await askAccess(agentClient("Nova"), {
    scopes: ["prof:relationships"],
    purpose: { type: `early_${randomUUID().replaceAll("-", "")}` },
  });
  const arrive = await holdScripts(page);
  await page.goto(url, { waitUntil: "commit" });
  await cardOf(page, url).getByRole("button", { name: "Deny" }).click({ noWaitAfter: true });
  arrive();
  await expect(page.getByText("Denied.").first()).toBeVisible();
});

test("A decision is not lost where React makes the form again before it is sent", async ({
  page,
}) => {
  const url = await askAccess(agentClient("Nova"), {
    scopes: ["prof:wishes", "prof:identity"],
    purpose: { type: `renewed_${randomUUID().replaceAll("-", "")}` },
  });
  const arrive = await holdScripts(page);
  await page.goto(url, { waitUntil: "commit" });
  const request = cardOf(page, url);
  await request.getByRole("checkbox", { name: "Wishes" }).check();
  await request.getByRole("radio", { name: "Once" }).check();
  await request.getByRole("button", { name: /^Grant/ }).click({ noWaitAfter: true });
  // A copy has what the server wrote, and nothing of what was filled in.
  await request.evaluate((article) => {
    const form = article.querySelector("form:has([name=requestId])");
    const copy = form?.cloneNode(false);
    if (!(form && copy instanceof HTMLElement)) throw new Error("there is no form");
    copy.innerHTML = form.innerHTML;
    form.replaceWith(copy);
  });
  arrive();
  await expect(page.getByText("Granted.").first()).toBeVisible();
  await expect(request.getByText("You granted wishes")).toBeVisible();
  await expect(request.getByText("You did not grant identity.")).toBeVisible();
});

test("An owner looks through all that a part would open, in the words that the agent gets", async ({
  page,
}) => {
  const client = agentClient("Atlas");
  const scopes = ["prof:interests"];
  const purpose = { type: `look_${randomUUID().replaceAll("-", "")}` };
  const url = await askAccess(client, { scopes, purpose });
  const request = await openRequest(page, url);
  const part = partOf(request, "Interests");
  await part.getByRole("link", { name: /^Look through all/ }).click();
  await expect(
    page.getByRole("heading", { name: "Interests", exact: true, level: 1 }),
  ).toBeVisible();
  const shown = await page.locator("main ol > li > div").allInnerTexts();
  await expectSound(page);
  await page.getByRole("link", { name: "The request" }).click();
  await request.getByRole("checkbox", { name: "Interests" }).check();
  await request.getByRole("radio", { name: "Once" }).check();
  await request.getByRole("button", { name: "Grant once" }).click();
  await expect(request.getByText("Granted.")).toBeVisible();
  const query = { did: aliceDid(), category: "prof:interests", limit: 100 };
  const { data, meta } = await client.listMemories(query);
  const got = JSON.stringify(data);
  expect(shown.filter((text) => got.includes(text))).toHaveLength(meta.total);
  // Beside the one value that Alice keeps among her interests.
  expect(shown).toHaveLength(meta.total + 1);
});

test("What an agent may take without asking is told, and ended", async ({ page }) => {
  const client = agentClient("Nova");
  const scopes = ["prof:relationships"];
  const purpose = { type: `standing_${randomUUID().replaceAll("-", "")}` };
  const first = await openRequest(page, await askAccess(client, { scopes, purpose }));
  await first.getByRole("checkbox", { name: "Relationships" }).check();
  await first.getByRole("radio", { name: "30 days" }).check();
  await first.getByRole("button", { name: "Grant for 30 days" }).click();
  await expect(first.getByText("Granted.")).toBeVisible();

  const other = { type: `other_${randomUUID().replaceAll("-", "")}` };
  const url = await askAccess(client, { scopes: ["prof:identity"], purpose: other });
  const request = await openRequest(page, url);
  const has = request.getByRole("region", { name: "It has already" });
  await expect(has).toContainText(
    /Relationships, .* you granted it, until .*, then without asking you, after saying why, until/,
  );
  await has.getByRole("button", { name: "End this grant: relationships" }).first().click();
  await expect(page.getByText("Removed.").first()).toBeVisible();
  await expect(has.getByText("Relationships")).toHaveCount(0);
  expect(await readable("Nova")).not.toContain("prof:relationships");
  await request.getByRole("button", { name: "Deny" }).click();
  await expect(request.getByText("Denied.")).toBeVisible();
});

test("What a later rule keeps closed has no switch, and is not granted with the rest", async ({
  page,
}) => {
  const closed = `prof:closed.c${randomUUID().replaceAll("-", "")}`;
  const url = await askAccess(agentClient("Nova"), {
    scopes: ["prof:interests.music", closed],
    purpose: { type: `closed_${randomUUID().replaceAll("-", "")}` },
  });
  const agentPattern = agentDid("local", "nova");
  const never = { agentPattern, allow: [], deny: [closed], permissions: [] };
  const added = await page.request.post(`/api/profiles/${aliceDid()}/policies`, { data: never });
  expect(added.status()).toBe(201);
  const request = await openRequest(page, url);
  await expect(request.getByRole("checkbox")).toHaveCount(1);
  await expect(request.getByText("cannot be opened")).toBeVisible();
  await expect(request.getByText("keeps it closed, whatever you grant")).toBeVisible();
  await expectSound(page);
  await request.getByRole("checkbox").check();
  await request.getByRole("radio", { name: "Once" }).check();
  await request.getByRole("button", { name: "Grant once" }).click();
  await expect(request.getByText("You granted interests › music for “closed_")).toBeVisible();
  await expect(request.getByText("You did not grant closed ›")).toBeVisible();
});

test("The address of a request that is not one of this profile says so", async ({ page }) => {
  await page.goto(`/dashboard/access?request=creq_${randomUUID()}`);
  await expect(page.getByText("is not one of this profile")).toBeVisible();
  await expectSound(page);
});

test("An empty category says so, and that what is added later will be read", async ({ page }) => {
  const client = agentClient("Nova");
  const scopes = [`prof:empty.e${randomUUID().replaceAll("-", "")}`];
  const request = await openRequest(
    page,
    await askAccess(client, { scopes, purpose: { type: "support" } }),
  );
  await expect(request.getByText("What is added later will be read.")).toBeVisible();
  await request.getByRole("checkbox").check();
  await expect(
    request.getByText("Nothing is there yet: what is added later will be read"),
  ).toBeVisible();
  await request.getByRole("button", { name: "Deny" }).click();
  await expect(request.getByText("Denied.")).toBeVisible();
});

test("A request is decided with the keyboard alone", async ({ page }) => {
  const url = await askAccess(agentClient("Nova"), {
    scopes: ["prof:interests.music"],
    purpose: { type: "research" },
  });
  const request = await openRequest(page, url);
  await expect(request).toBeFocused();
  await tabTo(page, request.getByRole("checkbox"));
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(request.getByText("will be seen")).toBeVisible();
  await tabTo(page, request.getByRole("radio", { name: "Once" }));
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await expect(request.getByRole("radio", { name: "1 day" })).toBeChecked();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Denied.")).toHaveCount(0);
  await tabTo(page, request.getByRole("button", { name: /^Grant/ }));
  await page.keyboard.press("Enter");
  await expect(request.getByText("Granted.")).toBeVisible();
  await expect(request).toBeFocused();
  expect(await readable("Nova")).toContain("prof:interests.music");
});

test("A request that was decided elsewhere is not decided twice", async ({ page, context }) => {
  const url = await askAccess(agentClient("Nova"), {
    scopes: ["prof:identity"],
    purpose: { type: "communication" },
  });
  // Out of touch: it does not hear of what happens elsewhere.
  await page.route("/api/live*", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: "retry: 600000\n\n" }),
  );
  const request = await openRequest(page, url);
  const elsewhere = await context.newPage();
  const other = await openRequest(elsewhere, url);
  await other.getByRole("button", { name: "Deny" }).click();
  await expect(elsewhere.getByText("Denied.").first()).toBeVisible();
  await request.getByRole("button", { name: "Deny" }).click();
  await expect(
    request.getByText("This request was denied already; nothing was changed."),
  ).toBeVisible();
});

test("A new request appears by itself, and moves nothing that is being worked on", async ({
  page,
}) => {
  const first = await askAccess(agentClient("Nova"), {
    scopes: ["prof:identity", "prof:episodic"],
    purpose: { type: "legal_compliance" },
  });
  const request = await openRequest(page, first);
  await request.getByRole("checkbox", { name: "Episodes" }).check();
  await request.getByRole("radio", { name: "1 day" }).check();
  await expect(request.getByText("Planted the first fig tree.")).toBeVisible();
  await request.getByRole("radio", { name: "1 day" }).focus();
  const before = await request.boundingBox();
  const scrolled = await page.evaluate(() => window.scrollY);

  const second = await askAccess(agentClient("Atlas"), {
    scopes: ["prof:identity"],
    purpose: { type: `arrival_${randomUUID().replaceAll("-", "")}` },
  });
  const arrived = page.locator(`#${new URL(second).searchParams.get("request")}`);
  await expect(arrived).toBeAttached();

  expect(await request.boundingBox()).toEqual(before);
  expect(await page.evaluate(() => window.scrollY)).toBe(scrolled);
  await expect(request.getByRole("checkbox", { name: "Episodes" })).toBeChecked();
  await expect(request.getByRole("radio", { name: "1 day" })).toBeFocused();
  await expect(request.getByText("Planted the first fig tree.")).toBeVisible();
  for (const url of [first, second]) {
    const one = await openRequest(page, url);
    await one.getByRole("button", { name: "Deny" }).click();
    await expect(one.getByText("Denied.")).toBeVisible();
  }
});

test("A grant is taken back: the agent reads nothing, and the request waits again", async ({
  page,
}) => {
  const url = await askAccess(agentClient("Atlas"), {
    scopes: ["prof:relationships"],
    purpose: { type: `regret_${randomUUID().replaceAll("-", "")}` },
  });
  const request = await openRequest(page, url);
  await request.getByRole("checkbox").check();
  await request.getByRole("radio", { name: "Once" }).check();
  await request.getByRole("button", { name: /^Grant/ }).click();
  await expect(request.getByText("Granted.")).toBeVisible();
  expect(await readable("Atlas")).toContain("prof:relationships");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("the request waits for you again").first()).toBeVisible();
  expect(await readable("Atlas")).not.toContain("prof:relationships");
  await expect(request.getByRole("button", { name: /^Grant/ })).toBeVisible();
  await request.getByRole("button", { name: "Deny" }).click();
  await expect(request.getByText("Denied.")).toBeVisible();
});

test.describe("before any script runs", () => {
  test.use({ javaScriptEnabled: false });

  test("A request is looked through, kept when refused, and granted", async ({ page }) => {
    const url = await askAccess(agentClient("Nova"), {
      scopes: ["prof:episodic", "prof:relationships"],
      purpose: { type: "service_delivery" },
    });
    await page.goto(url);
    const request = cardOf(page, url);
    await expect(request.locator("input:checked")).toHaveCount(0);
    await request.getByRole("checkbox", { name: "Episodes" }).check();
    await request.getByRole("button", { name: "Show what it would see" }).click();
    await expect(request.getByText("Planted the first fig tree.")).toBeVisible();
    await expect(request.getByRole("checkbox", { name: "Episodes" })).toBeChecked();
    expect(await readable("Nova")).not.toContain("prof:episodic");

    await request.getByRole("button", { name: /^Grant/ }).click();
    await expect(request.getByText("Choose for how long.")).toBeVisible();
    await expect(request.getByRole("checkbox", { name: "Episodes" })).toBeChecked();
    await request.getByRole("radio", { name: "Once" }).check();
    await request.getByRole("button", { name: /^Grant/ }).click();
    await expect(page.getByText("Granted.")).toBeVisible();
    expect(await readable("Nova")).toContain("prof:episodic");
  });
});

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  await expect(target).toBeFocused();
}
