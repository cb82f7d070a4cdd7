import type { Page } from "playwright";
import { expect, expectSound, test } from "./page-checks";

const admin = {
  name: "Root Admin",
  email: "root@example.com",
  handle: "root",
  password: "a quiet lamp over the harbour",
};
const wrongPassword = "not the lamp over the harbour";
const { GATEWAY_ADMIN_LINK: adminLink = "" } = process.env;

test.describe.configure({ mode: "serial" });

test("A weak password is refused, and the form keeps everything but the password", async ({
  page,
}) => {
  await page.goto(adminLink);
  await fillAccount(page, { ...admin, password: "root@example.com!" });
  await page.getByRole("button", { name: "Create admin account" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "One field" })).toBeVisible();
  await expect(page.getByLabel("Password")).toHaveAccessibleDescription(
    /Leave your name, your e-mail address/,
  );
  await expect(page.getByLabel("Password")).toHaveValue("");
  await expect(page.getByLabel("E-mail address")).toHaveValue(admin.email);
  await expect(page.getByLabel("Handle")).toHaveValue(admin.handle);
  await expectSound(page);
});

test("The first link makes its visitor the admin and leads to the dashboard", async ({ page }) => {
  await page.goto(adminLink);
  await expectSound(page);
  await fillAccount(page, admin);
  await page.getByRole("button", { name: "Create admin account" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByRole("heading", { level: 1, name: admin.name })).toBeVisible();
  await expect(page.getByText("did:prof:user:local:root", { exact: true })).toBeVisible();
  await expect(page.getByRole("complementary").getByText("Admin", { exact: true })).toBeVisible();
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
    const alert = page.getByRole("alert").filter({ hasText: "do not go together" });
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
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await expect(page.getByText("You are signed out on this device.")).toBeVisible();
  await expectSound(page);
  await context.addCookies(before);
  await page.goto("/dashboard");
  await expect(page).toHaveURL(/\/sign-in/);
});

test("A newcomer signs up and sees how an agent reaches the profile", async ({ page }) => {
  await page.goto("/");
  await expectSound(page);
  await page.getByRole("link", { name: "Create an account" }).click();
  await expect(page.getByRole("heading", { name: "Create an account" })).toBeVisible();
  await expectSound(page);
  const alice = { name: "Alice", email: "alice@example.com", handle: "alice" };
  await fillAccount(page, { ...alice, password: "seven geese cross a frozen field" });
  await page.getByRole("button", { name: "Create account" }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(
    page.getByRole("heading", { name: "Nothing has reached your profile yet" }),
  ).toBeVisible();
  const commands = page.getByRole("figure");
  await expect(commands).toHaveCount(3);
  await expect(commands.nth(0)).toContainText(
    `--url ${new URL(page.url()).origin} --did did:prof:agent:`,
  );
  await expect(commands.nth(1)).toContainText(
    "node cli/prof.mjs profile did:prof:user:local:alice",
  );
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy" }).nth(1).click();
  await expect(page.getByText("Copied")).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe("node cli/prof.mjs profile did:prof:user:local:alice");
  await expect(page.getByText("No agent is waiting for an answer.")).toBeVisible();
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
    await expect(page.getByText(/do not go together/)).toBeVisible();
    await expect(page.getByLabel("E-mail address")).toHaveValue(admin.email);
    await page.getByLabel("Password").fill(admin.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/dashboard$/);
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
