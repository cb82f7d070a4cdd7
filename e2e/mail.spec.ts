import type { Page } from "playwright";
import { linkIn, mailTo } from "./mail/mails";
import { expect, test } from "./page-checks";
import { refusal, registerAgent, signIn, signUp } from "./people";

async function signOut(page: Page): Promise<void> {
  // The page watches its profile for as long as it is open.
  await page.goto("about:blank");
  await page.context().clearCookies();
}

const phone = { width: 390, height: 844 };

test("A person who never opens the dashboard learns of a request by mail, and decides it on a phone", async ({
  page,
  browser,
}) => {
  test.slow();
  const person = await signUp(page, "Mara");
  await page.goto(linkIn(await mailTo(person.email, "Confirm your e-mail address")));
  await page.getByRole("button", { name: "Confirm the address" }).click();
  await expect(page.getByText(`Confirmed: mails go to ${person.email}`)).toBeVisible();

  const { client } = await registerAgent({ name: "Quill" });
  const began = Date.now();
  const asking = { did: person.did, scopes: ["prof:interests"], purpose: { type: "research" } };
  await refusal(client.requestAccess(asking));
  const mail = await mailTo(person.email, "An agent asks for access: “Quill”");
  expect(Date.now() - began).toBeLessThan(5_000);

  const context = await browser.newContext({ viewport: phone, baseURL: process.env.DEMO_URL });
  const mobile = await context.newPage();
  await mobile.setContent(mail.html);
  await expect(mobile.getByRole("link", { name: "See the request" })).toBeVisible();
  await mobile.goto(linkIn(mail));
  await expect(mobile).toHaveURL(/\/sign-in/);
  await mobile.getByLabel("E-mail address").fill(person.email);
  await mobile.getByLabel("Password").fill(person.password);
  await mobile.getByRole("button", { name: "Sign in", exact: true }).click();
  const request = mobile.locator(`#${new URL(linkIn(mail)).searchParams.get("request")}`);
  await expect(request).toContainText("Quill");
  await request.getByRole("checkbox", { name: "Interests" }).check();
  await request.getByRole("radio", { name: "Once" }).check();
  await request.getByRole("button", { name: /^Grant/ }).click();
  await expect(request.getByText("Granted.")).toBeVisible();
  expect((await client.requestAccess(asking)).data).toMatchObject({
    grantedScopes: ["prof:interests"],
  });
  await context.close();
});

test("A forgotten password is replaced by a link in a mail; an unknown address hears the same", async ({
  page,
}) => {
  const person = await signUp(page, "Nora");
  await signOut(page);
  for (const email of ["nobody@example.com", person.email]) {
    await page.goto("/sign-in");
    await page.getByRole("link", { name: "Password forgotten?" }).click();
    await expect(page.getByRole("heading", { name: "Password forgotten?" })).toBeVisible();
    await page.getByLabel("E-mail address").fill(email);
    await page.getByRole("button", { name: "Send the link" }).click();
    await expect(
      page.getByText(`If an account has the address ${email}, a link is on its way there.`),
    ).toBeVisible();
  }
  await page.goto(linkIn(await mailTo(person.email, "Choose a new password")));
  const password = "four otters under a wooden bridge";
  await page.getByLabel("New password").fill(password);
  await page.getByRole("button", { name: "Set new password" }).click();
  await expect(page.getByText("Your new password is set")).toBeVisible();
  await signIn(page, { email: person.email, password });
  await page.waitForURL(/\/dashboard/);
});

test("An owner chooses what mails tell, and one click in a mail ends a kind of them", async ({
  page,
  request,
}) => {
  const person = await signUp(page, "Olga");
  await page.goto(linkIn(await mailTo(person.email, "Confirm your e-mail address")));
  await page.getByRole("button", { name: "Confirm the address" }).click();
  await expect(page.getByText("Confirmed: mails go to")).toBeVisible();
  await page.goto("/dashboard/settings/mail");
  await page.getByRole("checkbox", { name: "New agents" }).uncheck();
  await page.getByLabel("Digest").selectOption("Every week");
  await page.getByLabel("Time zone").selectOption("Pacific/Auckland");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("checkbox", { name: "New agents" })).not.toBeChecked();
  await expect(page.getByLabel("Time zone")).toHaveValue("Pacific/Auckland");

  const { client } = await registerAgent({ name: "Reed" });
  const asking = { did: person.did, scopes: ["prof:interests"], purpose: { type: "research" } };
  await refusal(client.requestAccess(asking));
  const mail = await mailTo(person.email, "“Reed”");
  const stop = /End such mails: (\S+)/.exec(mail.text)?.[1] ?? "";
  await signOut(page);
  await page.goto(stop.replace(/.{4}$/, "AAAA"));
  await expect(page.getByRole("heading", { name: "This link ends no mails" })).toBeVisible();
  await page.goto(stop);
  await page.getByRole("button", { name: "End these mails" }).click();
  await expect(page.getByRole("heading", { name: "These mails have ended" })).toBeVisible();
  await expect(page.getByRole("button", { name: "End these mails" })).toHaveCount(0);
  const oneClick = stop.replace("/mail/", "/api/mail/");
  const answer = await request.post(oneClick, { form: { "List-Unsubscribe": "One-Click" } });
  expect(answer.status()).toBe(200);
  await signIn(page, person);
  await page.waitForURL(/\/dashboard/);
  await page.goto("/dashboard/settings/mail");
  await expect(page.getByRole("checkbox", { name: "Requests for access" })).not.toBeChecked();
});

test("An address is changed by a link that was sent there, and the former one hears of it", async ({
  page,
}) => {
  const person = await signUp(page, "Pia");
  await page.goto("/dashboard/settings/mail");
  const email = person.email.replace("@", "-new@");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  await expect(page.getByText(`A link is on its way to ${email}`).first()).toBeVisible();
  await page.goto(linkIn(await mailTo(email, "Confirm your e-mail address")));
  await page.getByRole("button", { name: "Confirm the address" }).click();
  await expect(page.getByText(`Confirmed: mails go to ${email}`)).toBeVisible();
  await mailTo(person.email, "The address of your account was changed");
  await mailTo(email, "This is the address of your account now");
});
