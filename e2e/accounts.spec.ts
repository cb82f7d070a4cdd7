import type { Page } from "playwright";
import { expect, expectSound, test } from "./page-checks";
import { openOwnSteps } from "./people";

const admin = {
  name: "Root Admin",
  email: "root@example.com",
  handle: "root",
  password: "a quiet lamp over the harbour",
};
const wrongPassword = "not the lamp over the harbour";
const { GATEWAY_ADMIN_LINK: adminLink = "" } = process.env;

test.describe.configure({ mode: "serial" });

test("A gateway without an admin says where the link for the first one is", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByText("This gateway has no admin yet.")).toBeVisible();
  await expect(page.getByText(adminLink)).toHaveCount(0);
  await expectSound(page);
});

test("All that is wrong is said at once, and the form keeps everything but the password", async ({
  page,
}) => {
  await page.goto(adminLink);
  await fillAccount(page, { ...admin, handle: "Root A", password: "root@example.com!" });
  await page.getByRole("button", { name: "Show what is typed" }).click();
  await expect(page.getByLabel("Password")).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: "Create admin account" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "2 fields" })).toBeVisible();
  await expect(page.getByLabel("Handle")).toHaveAccessibleDescription(/Use 1 to 64 letters/);
  await expect(page.getByLabel("Password")).toHaveAccessibleDescription(
    /Leave your name, your e-mail address/,
  );
  await expect(page.getByLabel("Password")).toHaveValue("");
  await expect(page.getByLabel("Password")).toHaveAccessibleDescription(/Type it again/);
  await expect(page.getByLabel("E-mail address")).toHaveValue(admin.email);
  await expect(page.getByLabel("Handle")).toHaveValue("Root A");
  await page.getByLabel("Handle").fill("root-a");
  await expect(page.getByLabel("Handle")).toHaveAccessibleDescription(/did:prof:user:\w+:root-a/);
  await expectSound(page);
});

/** Opens the panel with theme and sign-out; it works without scripts. */
async function openAccount(page: Page): Promise<void> {
  await page
    .getByRole("complementary")
    .locator("summary", { hasText: "Account and theme" })
    .click();
}

test("The first link makes its visitor the admin and leads to the agents that wait", async ({
  page,
}) => {
  await page.goto(adminLink);
  await expectSound(page);
  await fillAccount(page, admin);
  await page.getByRole("button", { name: "Create admin account" }).click();
  await expect(page).toHaveURL(/\/admin$/);
  await expect(page.getByRole("region", { name: /^Waiting to be let in/ })).toBeVisible();
  await expect(page.getByText("No agent waits.")).toBeVisible();
  await page.getByRole("complementary").getByRole("link", { name: "Your dashboard" }).click();
  await expect(page.getByRole("heading", { level: 1, name: admin.name })).toBeVisible();
  await openOwnSteps(page);
  await expect(page.getByText("access did:prof:user:local:root").first()).toBeVisible();
  await expect(page.getByRole("complementary").getByRole("link", { name: "Admin" })).toBeVisible();
  await expectSound(page);
});

test("The first link cannot be used a second time", async ({ page }) => {
  await page.goto(adminLink);
  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create admin account" })).toHaveCount(0);
  await expectSound(page);
});

test("A wrong password and an unknown address get one and the same answer", async ({ page }) => {
  const answers: (string | null)[] = [];
  for (const email of [admin.email, "nobody@example.com"]) {
    await signIn(page, { email, password: wrongPassword });
    const alert = page.getByRole("alert").filter({ hasText: "password is wrong" });
    await expect(alert).toBeVisible();
    await expect(page.getByLabel("E-mail address")).toHaveValue(email);
    await expect(page.getByLabel("Password")).toHaveValue("");
    answers.push(await alert.textContent());
  }
  expect(new Set(answers).size).toBe(1);
  await expectSound(page);
});

test("An admin signs in, signs out, and the old cookie opens nothing", async ({
  page,
  context,
}) => {
  await signIn(page, admin);
  await expect(page).toHaveURL(/\/dashboard$/);
  const before = await context.cookies();
  await openAccount(page);
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(page.getByText("You are signed out on this device.")).toBeVisible();
  await expectSound(page);
  await context.addCookies(before);
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("Signing in leads back to the page that was asked for, and no cookie leads elsewhere", async ({
  page,
  context,
}) => {
  await page.goto("/dashboard/access?request=creq_1");
  await expect(page).toHaveURL(/\/sign-in$/);
  await expect(page.getByText("Sign in to go on to the access request.")).toBeVisible();
  await expectSound(page);
  await page.getByLabel("E-mail address").fill(admin.email);
  await page.getByLabel("Password").fill(wrongPassword);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByText(/password is wrong/)).toBeVisible();
  await page.getByLabel("Password").fill(admin.password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/access\?request=creq_1$/);

  const url = new URL(page.url()).origin;
  for (const value of ["//evil.example/dashboard", "https://evil.example", "/api/auth/signout"]) {
    await page.goto("about:blank");
    await context.clearCookies();
    await context.addCookies([{ name: "gateway-return", value: encodeURIComponent(value), url }]);
    await signIn(page, admin);
    await expect(page).toHaveURL(`${url}/dashboard`);
  }
});

test("A page that is not there, and a goodbye, leave a visitor where they are", async ({
  page,
}) => {
  await page.goto("/goodbye");
  await expect(page).toHaveURL(/\/$/);
  await signIn(page, admin);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto("/goodbye");
  await expect(page).toHaveURL(/\/dashboard$/);
  for (const address of ["/dashboard/no/such/page", "/dashboard/agents/did:prof:agent:local:x"]) {
    const response = await page.goto(address);
    expect([address, response?.status()]).toEqual([address, 404]);
    await expect(page.getByRole("navigation", { name: "Dashboard" }).first()).toBeVisible();
    await expect(page.getByRole("main").getByRole("link").first()).toBeVisible();
    await expectSound(page);
  }
});

test("A newcomer signs up and sees how an agent reaches the profile", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByText("This gateway has no admin yet.")).toHaveCount(0);
  await expectSound(page);
  await page.getByRole("link", { name: "Create an account" }).click();
  await expect(page.getByRole("heading", { name: "Create an account" })).toBeVisible();
  await expectSound(page);
  const alice = { name: "Alice", email: "alice@example.com", handle: "alice" };
  await fillAccount(page, { ...alice, password: "seven geese cross a frozen field" });
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(
    page.getByRole("heading", { name: "No active agent has reached your profile yet" }),
  ).toBeVisible();
  await expect(page.getByText(`${new URL(page.url()).origin}/mcp`)).toBeVisible();
  await openOwnSteps(page);
  const commands = page.getByRole("figure");
  await expect(commands).toHaveCount(3);
  await expect(commands.nth(0)).toContainText(
    `--url ${new URL(page.url()).origin} --did did:prof:agent:`,
  );
  await expect(commands.nth(1)).toContainText(
    "node cli/prof.mjs profile did:prof:user:local:alice",
  );
  await expect(page.getByText("Your profile has no memories yet: add one above.")).toBeVisible();
  await page.getByLabel("A preference of yours").fill("Prefers short answers.");
  await page.getByRole("button", { name: "Add this preference" }).click();
  await expect(page.getByText("You have 1 memory.")).toBeVisible();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await commands.nth(1).getByRole("button", { name: "Copy" }).click();
  await expect(page.getByText("Copied")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain("node cli/prof.mjs access did:prof:user:local:alice");
  await expect(page.getByText("Nothing waits in your inbox.")).toBeVisible();
  await expectSound(page);
});

test("A taken handle is refused without saying whose it is", async ({ page }) => {
  await page.goto("/sign-up");
  await fillAccount(page, {
    ...admin,
    email: "other@example.com",
    password: "a lantern in a cold window",
  });
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page.getByText(/is already in use/)).toBeVisible();
});

test("A script signs in and out through next-auth, and its session ends with it", async ({
  page,
}) => {
  const { request } = page;
  const csrf = async () => (await (await request.get("/api/auth/csrf")).json()).csrfToken;
  const { email, password } = admin;
  const form = { email, password: wrongPassword, csrfToken: await csrf(), json: "true" };
  await request.post("/api/auth/callback/credentials", { form });
  expect(await (await request.get("/api/auth/session")).json()).toEqual({});
  await request.post("/api/auth/callback/credentials", { form: { ...form, password } });
  expect(await (await request.get("/api/auth/session")).json()).toHaveProperty("expires");
  await page.goto("/dashboard");
  await expect(page.getByRole("heading", { level: 1, name: admin.name })).toBeVisible();
  const cookies = await page.context().cookies();
  // A page that is open goes on asking.
  await page.goto("about:blank");
  await request.post("/api/auth/signout", { form: { csrfToken: await csrf(), json: "true" } });
  await page.context().addCookies(cookies);
  expect(await (await request.get("/api/auth/session")).json()).toEqual({});
});

test("A form that another site sends is refused", async ({ page }) => {
  const { status, signedIn } = await submitFrom(page, "https://elsewhere.example");
  expect(status).toBeGreaterThanOrEqual(400);
  expect(signedIn).toBe(false);
  const own = await submitFrom(page, new URL(page.url()).origin);
  expect(own.signedIn).toBe(true);
});

test("The chosen theme stays, and is there from the first byte", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Dark" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  // The page turns before the choice has been kept.
  const html = async () => (await page.request.get("/sign-in")).text();
  await expect.poll(html).toContain('data-theme="dark"');
});

test("An address that names nothing says so", async ({ page }) => {
  const response = await page.goto("/no/such/page");
  expect(response?.status()).toBe(404);
  await expect(
    page.getByRole("heading", { name: "There is no page at this address" }),
  ).toBeVisible();
  await expectSound(page);
});

test.describe("before any script runs", () => {
  test.use({ javaScriptEnabled: false });

  test("Signing in and out works, and a refused form keeps the address", async ({ page }) => {
    await signIn(page, { email: admin.email, password: wrongPassword });
    await expect(page.getByText(/password is wrong/)).toBeVisible();
    await expect(page.getByLabel("E-mail address")).toHaveValue(admin.email);
    await page.getByLabel("Password").fill(admin.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
    for (const area of ["dashboard", "admin"]) {
      const response = await page.goto(`/${area}/no/such/page`);
      expect(response?.status()).toBe(404);
      await expect(page.getByText("There is no page at this address")).toBeVisible();
      await expect(page.getByRole("navigation").first()).toBeVisible();
    }
    await openAccount(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page).toHaveURL(/\/sign-in/);
  });
});

// What a browser would send for the sign-in form before any script has run.
async function submitFrom(page: Page, origin: string) {
  await page.goto("/sign-in");
  const hidden = await page
    .locator("form:has([name=email]) input[type=hidden]")
    .evaluateAll((inputs) =>
      inputs.map((input) => [input.getAttribute("name") ?? "", input.getAttribute("value") ?? ""]),
    );
  const { email, password } = admin;
  const response = await page.request.post("/sign-in", {
    headers: { Origin: origin },
    multipart: { ...Object.fromEntries(hidden), email, password },
    maxRedirects: 0,
  });
  const cookies = await page.context().cookies();
  return {
    status: response.status(),
    signedIn: cookies.some(({ name }) => name.endsWith("gateway-session")),
  };
}

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function fillAccount(page: Page, account: typeof admin) {
  await page.getByLabel("Name", { exact: true }).fill(account.name);
  await page.getByLabel("E-mail address").fill(account.email);
  await page.getByLabel("Handle").fill(account.handle);
  await page.getByLabel("Password").fill(account.password);
}
