import { generateKeyPairSync, randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright";
import { type Client, createClient } from "@/lib/protocol/client";
import { agentDid } from "@/lib/protocol/did";
import { agentClient, aliceDid, askAccess, signInAlice, signInAs } from "./demo";
import { expect, expectSound, test } from "./page-checks";
import { refusal, registerAgent } from "./people";

const music = "prof:interests.music";

// Several of them look at one page in both themes and widths, and at another before.
test.describe.configure({ timeout: 120_000 });

test.beforeEach(({ page }) => signInAlice(page));

function pageOf(name: string): string {
  return `/dashboard/agents/${encodeURIComponent(agentDid("local", name))}`;
}

async function readable(agent: Client): Promise<string[]> {
  return Object.keys((await agent.getProfile({ did: aliceDid() })).data.memories);
}

/** Alice lets Iris read her music, until revoked. */
async function letIrisIn(page: Page): Promise<void> {
  const url = await askAccess(agentClient("Iris"), {
    scopes: [music],
    purpose: { type: `test_${randomUUID().replaceAll("-", "")}` },
  });
  const consent = `/api/profiles/${aliceDid()}/consents/${new URL(url).searchParams.get("request")}`;
  await page.request.post(consent, { data: { scopes: [music], choice: "until_revoked" } });
  expect(await readable(agentClient("Iris"))).toContain(music);
}

function newKey() {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  return {
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    privatePem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    privateKey: privateKey.export({ format: "jwk" }),
  };
}

const question = (page: Page) =>
  page.getByRole("dialog", { name: /^(Remove the access of|Block) / });

async function openQuestion(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^(Remove access|Block)…$/ }).click();
  await expect(question(page).getByRole("button", { name: "Keep it" })).toBeFocused();
}

/** An agent that has proposed to Alice, and reads nothing. */
async function stranger(name: string) {
  const agent = await registerAgent({ name });
  const content = `Met ${name} ${randomUUID()}.`;
  await agent.client.proposeMemory({ did: aliceDid(), category: music, content });
  return { ...agent, content };
}

test("The overview answers three questions, and its matrix says what each agent gets", async ({
  page,
}) => {
  await letIrisIn(page);
  await page.goto("/dashboard");
  const waits = page.getByRole("region", { name: "What do agents want to remember about you?" });
  await expect(waits.getByRole("link", { name: "Start deciding" })).toBeVisible();
  await expect(waits).toContainText(/next ends in \d+/);
  const happened = page.getByRole("region", { name: "What happened?" });
  await expect(happened).toContainText("Since you were here 1 day ago");
  await expect(happened.getByRole("heading", { name: "Today" })).toBeVisible();
  const matrix = page.getByRole("region", { name: "Who sees what?" });
  const iris = matrix.getByRole("row").filter({ hasText: "Iris" });
  const { data } = await agentClient("Iris").listMemories({ did: aliceDid(), category: music });
  expect(JSON.stringify(data)).not.toBe("{}");
  await expect(iris.getByRole("cell").nth(1)).toContainText(/^can read/);
  await expect(matrix.getByRole("columnheader", { name: /Interests/ })).toBeVisible();
  await expectSound(page);
  await matrix.getByRole("link", { name: "Iris" }).click();
  await expect(page).toHaveTitle(/\bIris · /);
});

test("Everything is off by one click, said on every page, and back by undo or by the page", async ({
  page,
}) => {
  await letIrisIn(page);
  const notice = page.getByRole("region", { name: "Everything is off" });
  const off = page.getByRole("button", { name: "Everything off, now" });
  await page.goto("/dashboard");
  await off.click();
  await expect(notice).toBeVisible();
  expect(await readable(agentClient("Iris"))).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(notice).toHaveCount(0);
  expect(await readable(agentClient("Iris"))).toContain(music);
  await off.click();
  await expect(notice).toBeVisible();
  await page.goto("/dashboard/agents");
  await expect(notice).toBeVisible();
  await expectSound(page);
  await notice.getByRole("button", { name: "Let agents in again" }).click();
  await expect(notice).toHaveCount(0);
  expect(await readable(agentClient("Iris"))).toContain(music);
});

test("The agents are listed with what they can read, and found by name and standing", async ({
  page,
}) => {
  await page.goto("/dashboard/agents");
  const iris = page.getByRole("article").filter({ hasText: "Iris" });
  await expect(iris).toContainText(/\d+ memor/);
  await expect(iris).toContainText(/By .*(rule|grant)/);
  await expect(iris).toContainText("Last seen");
  await iris.getByRole("button", { name: "More about Iris" }).click();
  await expect(page.getByRole("link", { name: "Remove access…" })).toBeVisible();
  await expectSound(page);
  await page.getByRole("searchbox").fill("nov");
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(page.getByRole("link", { name: "Nova" }).first()).toBeVisible();
  await page.getByRole("searchbox").fill(randomUUID());
  await expect(page.getByRole("heading", { name: "No agent here matches" })).toBeVisible();
  await expectSound(page);
});

test("An agent is blocked with all that it proposed, from its row, and undo brings it back", async ({
  page,
}) => {
  const { client, did, content } = await stranger("Pest");
  await page.goto(`/dashboard/agents?search=${did}`);
  await page.getByRole("button", { name: "More about Pest" }).click();
  await page.getByRole("link", { name: "Remove access…" }).click();
  await expect(question(page)).toContainText("Its proposal that waits is rejected");
  await expect(question(page)).toContainText("The agent reads nothing now.");
  await expect(question(page)).not.toContainText("can no longer read");
  await question(page).getByRole("button", { name: "Block it" }).click();
  await expect(
    page.getByText("Blocked: it reads nothing and proposes nothing from now on.").first(),
  ).toBeVisible();
  const proposal = { did: aliceDid(), category: music, content: `${content} Again.` };
  expect(await refusal(client.proposeMemory(proposal))).toMatchObject({ code: "PROF004" });
  const statuses = async () =>
    (await client.listProposals({ did: aliceDid() })).data.map(({ status }) => status);
  expect(await statuses()).toEqual(["rejected"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("and 1 proposal waits again").first()).toBeVisible();
  expect(await statuses()).toEqual(["pending"]);
  await openQuestion(page);
  await question(page).getByRole("button", { name: "Block it" }).click();
  await expect(page.getByText("You blocked it:")).toBeVisible();
  await expectSound(page);
  await page.getByRole("button", { name: "Unblock" }).click();
  await expect(page.getByRole("button", { name: "Block…" })).toBeVisible();
  expect((await client.proposeMemory(proposal)).status).toBe(201);
});

/** Ends a grant of two categories on the agent's page, and gives it back. */
async function endGrant(page: Page): Promise<void> {
  const { client, did } = await stranger("Guest");
  const scopes = [music, "prof:relationships"];
  const purpose = { type: `test_${randomUUID().replaceAll("-", "")}` };
  const url = await askAccess(client, { scopes, purpose });
  const consent = `/api/profiles/${aliceDid()}/consents/${new URL(url).searchParams.get("request")}`;
  await page.request.post(consent, { data: { scopes, choice: "until_revoked" } });
  expect(await readable(client)).toEqual(expect.arrayContaining(scopes));
  await page.goto(`/dashboard/agents/${encodeURIComponent(did)}`);
  const end = page.getByRole("button", { name: "End this grant of 2: " });
  await end.click();
  await expect(page.getByText("Removed.").first()).toBeVisible();
  await expect(end).toHaveCount(0);
  expect(await readable(client)).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(end).toHaveCount(1);
  expect(await readable(client)).toEqual(expect.arrayContaining(scopes));
}

test("A grant is ended on the agent's page, in one place, and given back", async ({ page }) => {
  await endGrant(page);
  await expectSound(page);
});

test("What the page shows as Iris sees it is what Iris gets", async ({ page }) => {
  await letIrisIn(page);
  await page.goto(pageOf("iris"));
  const lens = page.getByRole("region", { name: "What Iris gets now" });
  const shown = await lens.locator("div:has(> h4) li").allTextContents();
  const { data } = await agentClient("Iris").getProfile({ did: aliceDid() });
  expect(shown.length).toBeGreaterThan(3);
  expect(shown.toSorted()).toEqual(texts(data).toSorted());
  await lens.getByText(/^Hidden from it: [\d,]+ (memor|value)/).click();
  await expect(lens.getByText("Hidden. Your rule: No agent may touch money")).toBeVisible();
  await expectSound(page);
  await page.goto(`${pageOf("iris")}/sees?scope=${music}`);
  const query = { did: aliceDid(), category: music, limit: 100 };
  const { data: memories, meta } = await agentClient("Iris").listMemories(query);
  const seen = await page.locator("main ol > li > div").allInnerTexts();
  expect(meta.total).toBeGreaterThan(0);
  expect(seen.filter((text) => JSON.stringify(memories).includes(text))).toHaveLength(meta.total);
  await expectSound(page);
});

test("A user registers an agent with a public key, and the real client signs with it", async ({
  page,
}) => {
  const name = `mine-${randomUUID()}`;
  const { publicKey, privatePem, privateKey } = newKey();
  await page.goto("/dashboard/agents/register");
  await expectSound(page);
  await page.getByLabel("Name").fill("Mine");
  await page.getByLabel("Identifier").fill(name);
  await page.getByLabel("Public key").fill(privatePem);
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByText(/This is a private key/)).toBeVisible();
  await expect(page.getByLabel("Public key")).toBeFocused();
  await expect(page.getByLabel("Identifier")).toHaveValue(name);
  await page.getByLabel("Public key").fill(publicKey);
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Mine" })).toBeVisible();
  await expect(page.getByText("registered by you")).toBeVisible();
  const baseUrl = process.env.DEMO_URL ?? "";
  const client = createClient({ did: agentDid("local", name), privateKey, baseUrl });
  expect((await client.getProfile({ did: aliceDid() })).status).toBe(200);
  await page.goto(`/dashboard/agents?search=${name}`);
  await expect(page.getByRole("article")).toContainText("Last seen");
});

test("An admin registers an agent, and the real client signs with its key at once", async ({
  page,
}) => {
  await page.context().clearCookies();
  await signInAs(page, "Root");
  const name = `active-${randomUUID()}`;
  const { publicKey, privateKey } = newKey();
  await page.goto("/dashboard/agents/register");
  await page.getByLabel("Name").fill("Active");
  await page.getByLabel("Identifier").fill(agentDid("elsewhere", name));
  await page.getByLabel("Public key").fill(publicKey);
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Active" })).toBeVisible();
  const baseUrl = process.env.DEMO_URL ?? "";
  const client = createClient({ did: agentDid("elsewhere", name), privateKey, baseUrl });
  expect((await client.getProfile({ did: aliceDid() })).status).toBe(200);
});

test("Removing access names what will end, ends it, and is taken back", async ({ page }) => {
  await letIrisIn(page);
  await page.goto(pageOf("iris"));
  await openQuestion(page);
  await expect(question(page)).toContainText(/\d+ grants?, .*interests › music/);
  await expect(question(page)).toContainText(/\d+ active receipts?/);
  await expectSound(page);
  await question(page).getByRole("button", { name: "Remove access" }).click();
  await expect(page.getByText("Access removed:", { exact: false }).first()).toBeVisible();
  expect(await readable(agentClient("Iris"))).not.toContain(music);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone: it has its access again.").first()).toBeVisible();
  expect(await readable(agentClient("Iris"))).toContain(music);
});

test("An agent's page leads to its proposals and to all that it did, and to nobody else's", async ({
  page,
}) => {
  await page.goto(pageOf("iris"));
  await page.getByRole("link", { name: /^\d+ proposals? in all$/ }).click();
  await expect(page.getByLabel("Agent", { exact: true })).toHaveValue("did:prof:agent:local:iris");
  await page.goto(pageOf("iris"));
  await page.getByRole("link", { name: "All that it did" }).click();
  await expect(page.getByLabel("Who", { exact: true })).toHaveValue("did:prof:agent:local:iris");
});

test("One receipt is revoked, and given back", async ({ page }) => {
  await letIrisIn(page);
  await page.goto("/dashboard/access?receipts=active");
  const receipts = page.getByRole("region", { name: "Receipts" });
  const row = receipts.getByRole("listitem").filter({ hasText: "Iris" }).first();
  await expectSound(page);
  // Other tests let Iris in at the same time.
  const id = await row.locator("[name=receiptId]").inputValue();
  const field = receipts.locator(`[name=receiptId][value="${id}"]`);
  await row.getByRole("button", { name: "Revoke" }).click();
  await expect(page.getByText("Revoked.").first()).toBeVisible();
  await expect(field).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Undone: it has its access again.").first()).toBeVisible();
  await expect(field).toHaveCount(1);
  expect(await readable(agentClient("Iris"))).toContain(music);
});

test("An agent is found, and its access removed and given back, with the keyboard alone", async ({
  page,
}) => {
  await letIrisIn(page);
  await page.goto("/dashboard/agents");
  await tabTo(page, page.getByRole("link", { name: "Iris" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Iris" })).toBeVisible();
  await tabTo(page, page.getByRole("button", { name: "Remove access…" }));
  await page.keyboard.press("Enter");
  await expect(question(page).getByRole("button", { name: "Keep it" })).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Access removed:", { exact: false }).first()).toBeVisible();
  expect(await readable(agentClient("Iris"))).not.toContain(music);
  await page.keyboard.press("F8");
  await tabTo(page, page.getByRole("button", { name: "Undo" }));
  await page.keyboard.press("Enter");
  await expect(page.getByText("Undone: it has its access again.").first()).toBeVisible();
  expect(await readable(agentClient("Iris"))).toContain(music);
});

test.describe("before any script runs", () => {
  test.use({ javaScriptEnabled: false });

  test("An identifier that has nothing to do with the owner is answered in words", async ({
    page,
  }) => {
    for (const did of [agentDid("local", randomUUID()), "not-a-did"]) {
      const answer = await page.goto(`/dashboard/agents/${did}`);
      expect(answer?.status()).toBe(404);
      await expect(
        page.getByRole("heading", { name: "No agent of that identifier" }),
      ).toBeVisible();
    }
  });

  test("A grant is ended on the agent's page, and given back", async ({ page }) => {
    await endGrant(page);
  });

  test("An agent's access is removed and given back", async ({ page }) => {
    const url = await askAccess(agentClient("Iris"), {
      scopes: [music],
      purpose: { type: `test_${randomUUID().replaceAll("-", "")}` },
    });
    await page.goto(url);
    const request = page.locator(`#${new URL(url).searchParams.get("request")}`);
    await request.getByRole("checkbox").check();
    await request.getByRole("radio", { name: "Until I end it" }).check();
    await request.getByRole("button", { name: /^Grant/ }).click();
    await expect(page.getByText("Granted.")).toBeVisible();
    await page.goto(pageOf("iris"));
    await openQuestion(page);
    await question(page).getByRole("button", { name: "Remove access" }).click();
    await expect(page.getByText("Access removed:")).toBeVisible();
    expect(await readable(agentClient("Iris"))).not.toContain(music);
    await page.getByRole("button", { name: "Undo" }).click();
    expect(await readable(agentClient("Iris"))).toContain(music);
  });

  test("A registration that is refused keeps what was typed", async ({ page }) => {
    await page.goto("/dashboard/agents/register");
    await page.getByLabel("Name").fill("Nobody");
    await page.getByLabel("Public key").fill("no key");
    await page.getByRole("button", { name: "Register" }).click();
    await expect(page.getByText("Must be an Ed25519 public key")).toBeVisible();
    await expect(page.getByText("Must be a name of letters")).toBeVisible();
    await expect(page.getByLabel("Name")).toHaveValue("Nobody");
    await expect(page.getByLabel("Public key")).toHaveValue("no key");
  });
});

/** Every value and memory of a profile, as the lens words it. */
function texts({ common, memories }: Record<"common" | "memories", object>): string[] {
  const held = Object.values(memories).flatMap((one) => {
    const { memories: records = [], ...values } = Array.isArray(one) ? { memories: one } : one;
    const named = Object.entries(values).map(([name, value]) => `${name}: ${worded(value)}`);
    return [...named, ...records.map(({ content }: { content: string }) => content)];
  });
  return [...Object.values(common).flatMap((member) => leaves(member, [])), ...held];
}

function leaves(value: unknown, path: string[]): string[] {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([name, below]) => leaves(below, [...path, name]));
  }
  return [path.length === 0 ? worded(value) : `${path.join(" › ")}: ${worded(value)}`];
}

function worded(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.join(", ") : JSON.stringify(value);
}

async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let turn = 0; turn < 40; turn++) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  await expect(target).toBeFocused();
}
