import type { Locator, Page } from "playwright";
import { expect, expectSound, test } from "./page-checks";
import { addMemory, newcomer, type Person } from "./people";
import { type Program, startProgram } from "./program";

const started: Program[] = [];
async function program(name: string, more?: string[]): Promise<Program> {
  const one = await startProgram(name, more);
  started.push(one);
  return one;
}
test.afterAll(() => Promise.all(started.map((one) => one.stop())));

/** Somebody of this test's own, signed in: what Alice's agents may read, other tests count. */
async function owner(page: Page): Promise<Person> {
  const person = await newcomer(page.request, "Mara");
  const categories = ["prof:preferences", "prof:professional", ...Array(4).fill("prof:interests")];
  for (const [place, category] of categories.entries()) {
    const content = `${place} in ${category}.`;
    await addMemory(page.request, { did: person.did, category, content });
  }
  return person;
}

const part = (page: Page, name: string): Locator => page.getByRole("checkbox", { name });

/** What a person presses: each press may take them four seconds. */
function counted(page: Page) {
  let presses = 0;
  return {
    press: (locator: Locator) => {
      presses++;
      return locator.click();
    },
    presses: () => presses,
    page,
  };
}

test("From the pasted address to the first read in eight presses and a minute, signing in on the way", async ({
  page,
}) => {
  const { email, password } = await owner(page);
  await page.context().clearCookies();
  const start = performance.now();
  const claude = await program("Claude Code");
  const { press, presses } = counted(page);
  await page.goto(claude.askAt());
  await expect(page.getByText("the program that asks to be connected")).toBeVisible();
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await press(page.getByRole("button", { name: "Sign in", exact: true }));
  await expect(page.getByRole("heading", { name: "asks to read your interests" })).toBeVisible();
  await expect(page.getByText("a name that it gives itself")).toBeVisible();
  await expect(page.getByText("If you did not just start one that asked for this")).toBeVisible();
  await expect(page.getByRole("checkbox", { checked: true })).toHaveCount(0);
  await expectSound(page);
  await press(part(page, "Interests"));
  await press(part(page, "It may propose memories"));
  await press(page.getByRole("radio", { name: "30 days" }));
  await press(page.getByRole("button", { name: /^Grant 1 of 2/ }));
  await page.waitForURL(/127\.0\.0\.1.*callback/);
  const answer = await claude.answer;
  expect([answer.get("state"), answer.has("iss")]).toEqual(["s1", true]);
  const token = await claude.redeem(answer);
  const profile = await (await claude.call(token, "read_profile")).text();
  expect(profile).toContain("prof:interests");
  expect(profile).not.toContain("prof:preferences");
  expect(presses()).toBeLessThanOrEqual(8);
  const seconds = (performance.now() - start) / 1_000 + 4 * presses();
  expect(seconds).toBeLessThan(60);

  await page.goto("/dashboard/connect");
  const gate = page.getByRole("complementary", { name: "At the gate" });
  await expect(gate).toContainText("Waits until you let a program in");
  await expect(gate).toContainText(/Connected .* Claude Code.*It read 4 interests/);
  await page.goto("/dashboard/agents");
  await page.getByRole("link", { name: "Claude Code" }).first().click();
  const comesIn = page.getByRole("region", { name: "How it comes in" });
  await expect(comesIn).toContainText(/A connection let in from \w/);
  await page.goto("/dashboard/connections");
  const line = page.getByRole("listitem").filter({ hasText: "Claude Code" }).first();
  await expect(line).toContainText("gave itself its name");
  await line.getByText("Remove access").first().click();
  await line.getByRole("button", { name: "Remove access now" }).click();
  await expect(
    page.getByText("Ended. Its very next request is refused.", { exact: true }),
  ).toBeVisible();
  expect((await claude.call(token, "whoami")).status).toBe(401);
});

test.describe("signed in", () => {
  test.beforeEach(async ({ page }) => void (await owner(page)));

  async function grant(page: Page) {
    await part(page, "Preferences").check();
    await page.getByRole("radio", { name: "1 day" }).check();
    await page.getByRole("button", { name: /^Grant 1 of 2/ }).click();
  }

  test("On a phone, the steps of a program and the gate are in view", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/dashboard/connect?with=code");
    await expect(page.getByRole("link", { name: "Your own code" })).toBeInViewport();
    await expect(page.getByText("Waits until you let a program in")).toBeInViewport();
  });

  test("On a phone, choices outlast a look through all of a part, and a refused grant shows why", async ({
    page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const claude = await program("A program on a phone");
    await page.goto(claude.askAt());
    await part(page, "Interests").check();
    await part(page, "It may propose memories").check();
    await page.getByRole("radio", { name: "30 days" }).check();
    await page.getByRole("link", { name: "Look through all 4" }).click();
    await page.getByRole("link", { name: "The question" }).click();
    await expect(page.getByRole("button", { name: "Grant 1 of 2 for 30 days" })).toBeVisible();
    await expect(part(page, "It may propose memories")).toBeChecked();
    await part(page, "Interests").uncheck();
    await page.getByText("The rest stays closed").scrollIntoViewIfNeeded();
    await page.getByRole("button", { name: "Grant" }).click();
    await expect(page.getByText("Switch on what it may read, or deny")).toBeInViewport();
    await page.reload();
    await part(page, "Interests").check();
    await page.getByRole("button", { name: "Grant 1 of 2" }).click();
    await expect(page.getByText("Choose for how long.", { exact: true })).toBeInViewport();
  });

  test("A popup tells its opener the code", async ({ page }) => {
    const site = await program("A site with a popup");
    await page.goto(site.popupPage);
    const opening = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Connect" }).click();
    const popup = await opening;
    await grant(popup);
    await expect(page.locator("output")).toContainText("code=");
    await popup.close();
  });

  test("An answer to a program's own scheme goes on by a link as well, and no policy stops it", async ({
    page,
  }) => {
    const redirect_uri = "cursor://anysphere.cursor-mcp/oauth/callback";
    const cursor = await program("Cursor", [redirect_uri]);
    await page.goto(cursor.askAt({ redirect_uri }));
    await expect(page.getByText("cursor://…")).toBeVisible();
    await grant(page);
    const link = page.getByRole("link", { name: "go on to cursor://…" });
    await expect(link).toHaveAttribute("href", /^cursor:\/\/.*[?&]code=\w{43}&.*state=s1$/);
  });

  test("Denied, the program is told so, and a second tab says that the question is over", async ({
    page,
  }) => {
    const one = await program("A program that is denied");
    await page.goto(one.askAt());
    const address = page.url();
    await page.getByRole("button", { name: "Deny" }).click();
    expect(Object.fromEntries(await one.answer)).toMatchObject({
      error: "access_denied",
      state: "s1",
    });
    await page.waitForURL(/callback/);
    await page.goto(address);
    await expect(page.getByRole("heading", { name: "This question is over" })).toBeVisible();
    await expectSound(page);
  });

  test("The page with the address says who cannot reach it, and has the steps for each program", async ({
    page,
  }) => {
    await page.goto("/dashboard/connections");
    await page.getByRole("link", { name: "Connect an agent" }).first().click();
    await expect(page.getByText(/\/mcp$/).first()).toBeVisible();
    await expect(page.getByText("claude mcp add").first()).toBeVisible();
    await expectSound(page);
    const programs = page.getByRole("navigation", { name: "Programs" });
    await programs.getByRole("link", { name: "Claude", exact: true }).click();
    await expect(page.getByRole("note")).toContainText("cannot reach this gateway here");
    for (const [name, words] of [
      ["ChatGPT", "Developer mode"],
      ["Cursor", "mcpServers"],
      ["VS Code", "MCP: Add Server"],
      ["Goose", "Streamable HTTP"],
      ["Your own code", "StreamableHTTPClientTransport"],
    ] as const) {
      await programs.getByRole("link", { name }).click();
      await expect(page.getByText(words).first()).toBeVisible();
    }
  });

  test("What a program asks for later waits under access requests; its owner asks why, and it answers", async ({
    page,
  }) => {
    const goose = await program("Goose");
    const gate = await page.context().newPage();
    await gate.goto("/dashboard/connect");
    await page.goto(goose.askAt());
    await grant(page);
    await expect(gate.getByText("Goose is connected")).toBeVisible();
    await gate.getByRole("link", { name: "Your own code" }).click();
    await expect(gate).toHaveURL(/with=code/);
    await expect(gate.getByText("StreamableHTTPClientTransport")).toBeVisible();
    await expect(gate.getByText("Goose is connected")).toBeVisible();
    const token = await goose.redeem(await goose.answer);
    const input = { scopes: ["prof:professional"], purpose: { type: "personalization" } };
    const said = await (await goose.call(token, "request_access", input)).text();
    const [id = ""] = /creq_\w{22}/.exec(said) ?? [];
    await page.goto(`/dashboard/access?request=${id}`);
    await page.getByRole("link", { name: "Ask it why" }).click();
    await page.getByLabel("Your question").fill("Which job is this for?");
    await page.getByRole("button", { name: "Ask", exact: true }).click();
    await expect(page.getByText("You asked. Which job is this for?")).toBeVisible();
    await expectSound(page);
    const look = await goose.call(token, "request_status", { id, answer: "<b>Finding trains</b>" });
    expect(await look.text()).toContain("Which job is this for?");
    await expect(page.getByText("It answered. <b>Finding trains</b>")).toBeVisible();
    await page.getByRole("link", { name: "The access request" }).click();
    await part(page, "Professional").check();
    await page.getByRole("radio", { name: "1 day" }).check();
    await page.getByRole("button", { name: /^Grant/ }).click();
    await expect(page.getByText("Granted.").first()).toBeVisible();
    const read = await goose.call(token, "read_profile", { scopes: ["prof:professional"] });
    expect(await read.text()).toContain("prof:professional");
  });
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("The answer is a page with a link that goes on", async ({ page }) => {
    const plain = await program("A program for a plain browser");
    await owner(page);
    await page.goto(plain.askAt());
    await part(page, "Interests").check();
    await page.getByRole("radio", { name: "1 day" }).check();
    await page.getByRole("button", { name: "Grant" }).click();
    await page.getByRole("link", { name: "go on to 127.0.0.1" }).click();
    const token = await plain.redeem(await plain.answer);
    expect((await plain.call(token, "whoami")).status).toBe(200);
  });
});
