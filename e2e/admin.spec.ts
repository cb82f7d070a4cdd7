import { randomUUID } from "node:crypto";
import { chmodSync, readFileSync, statSync } from "node:fs";
import type { Page } from "playwright";
import { readPrivateKey } from "@/cli/key-file";
import { createClient } from "@/lib/protocol/client";
import { agentDid } from "@/lib/protocol/did";
import { type Ask, apiOf, cookieOf, rootCookie, userIdOf } from "./admins";
import { aliceDid, aliceSignIn, signInAlice, signInAs } from "./demo";
import { linkIn, mailTo } from "./mail/mails";
import { expect, expectSound, test } from "./page-checks";
import { type Agent, newcomer, openOwnSteps, refusal, registerAgent } from "./people";

const { DEMO_URL = "" } = process.env;

async function ask(): Promise<Ask> {
  return apiOf(await rootCookie());
}

async function asRoot(page: Page): Promise<void> {
  const cookies = (await rootCookie()).split("; ").map((pair) => {
    const at = pair.indexOf("=");
    return { name: pair.slice(0, at), value: pair.slice(at + 1), url: DEMO_URL };
  });
  await page.context().addCookies(cookies.filter(({ name }) => !name.startsWith("__")));
}

async function guest(elsewhere: () => Promise<Page>, name: string) {
  const page = await elsewhere();
  return { ...(await newcomer(page.request, name)), page };
}

async function pending(): Promise<Agent> {
  await (await ask())("PUT", "/settings/AGENT_REGISTRATION", { value: "approval" });
  const agent = await registerAgent({ name: "Waiter", operator: "Waiters Ltd." });
  await (await ask())("PUT", "/settings/AGENT_REGISTRATION", { value: null });
  return agent;
}

test.beforeEach(async ({ page }) => {
  await asRoot(page);
});

test("Every admin page is sound in both themes and widths", async ({ page, elsewhere }) => {
  test.setTimeout(420_000);
  const person = await guest(elsewhere, "Page");
  const userId = await userIdOf(await ask(), person.email);
  const agent = await registerAgent({
    name: "Paige",
    description: "Pages.",
    operator: "Pages Inc.",
  });
  await pending();
  const pages = [
    "/admin",
    "/admin/agents",
    "/admin/agents/register",
    `/admin/agents/${encodeURIComponent(agent.did)}`,
    "/admin/users",
    `/admin/users/${userId}`,
    "/admin/profiles",
    `/admin/profiles/${encodeURIComponent(person.did)}`,
    "/admin/settings",
    "/admin/system",
    "/admin/activity",
    "/docs/admin-api",
  ];
  for (const address of pages) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectSound(page);
  }
});

test("What does not exist has no page", async ({ page }) => {
  for (const address of [
    "/admin/users/usr_0",
    "/admin/agents/nobody",
    "/admin/profiles/did:prof:user:local:nobody",
    "/admin/agents/%25E0%25A4%25A",
    "/admin/no/such/page",
  ]) {
    const response = await page.goto(address);
    expect([address, response?.status()]).toEqual([address, 404]);
    await expect(page.getByRole("navigation", { name: "Admin" }).first()).toBeAttached();
    await expect(
      page.getByRole("heading", { name: "There is no page at this address" }),
    ).toBeVisible();
    await expectSound(page);
  }
});

test("An admin approves one registration and refuses another with a reason", async ({ page }) => {
  const [yes, no] = [await pending(), await pending()];
  expect(await refusal(yes.client.getProfile({ did: aliceDid() }))).toMatchObject({ status: 401 });

  await page.goto(`/admin/agents/${encodeURIComponent(yes.did)}`);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByText("Approved: its requests are answered").first()).toBeVisible();
  expect(
    await refusal(yes.client.getProfile({ did: aliceDid(), scopes: ["prof:health"] })),
  ).toMatchObject({
    status: 403,
  });

  await page.goto(`/admin/agents/${encodeURIComponent(no.did)}`);
  await page.getByRole("button", { name: "Refuse" }).click();
  await expect(page.getByText("One field needs another look.")).toBeVisible();
  await page.getByLabel("Why it is refused").fill("Nobody knows who runs it.");
  await page.getByRole("button", { name: "Refuse" }).click();
  await expect(page.getByText("Suspended: Nobody knows who runs it.")).toBeVisible();
});

test("What waits is counted in the navigation, and approved and verified where it stands", async ({
  page,
}) => {
  const { did, client } = await pending();
  await page.goto("/dashboard");
  const way = page.getByRole("complementary").getByRole("link", { name: /^Admin.* waiting/ });
  await way.click();
  const row = page
    .getByRole("region", { name: /^Waiting to be let in/ })
    .getByRole("listitem")
    .filter({ has: page.locator(`a[href="/admin/agents/${encodeURIComponent(did)}"]`) });
  await expect(row).toContainText("run by Waiters Ltd., as it says itself");
  await row.getByRole("button", { name: "Approve and verify Waiter" }).click();
  await expect(page.getByText("Approved, and marked as verified.").first()).toBeVisible();
  await expect(row).toBeHidden();
  expect(
    await refusal(client.getProfile({ did: aliceDid(), scopes: ["prof:health"] })),
  ).toMatchObject({ status: 403 });
  await page.goto(`/admin/agents/${encodeURIComponent(did)}`);
  await expect(page.getByRole("button", { name: "Take the mark away" })).toBeVisible();
  await page.goto("/admin");
  const done = page.getByRole("region", { name: "What admins did" });
  await expect(done.getByRole("listitem").first()).toContainText("approved the agent Waiter");
});

test("Verifying, a ceiling and limits hold from the agent's next request on", async ({
  page,
  elsewhere,
}) => {
  const owner = await guest(elsewhere, "Ceil");
  const { did, client } = await registerAgent({ name: "Ceiler" });
  await client
    .requestAccess({
      did: owner.did,
      scopes: ["prof:interests"],
      purpose: { type: "recommendation" },
    })
    .catch(() => undefined);
  await owner.page.goto("/dashboard/access");
  await owner.page.getByRole("checkbox", { name: "Interests" }).check();
  await owner.page.getByRole("radio", { name: "30 days" }).check();
  await owner.page.getByRole("button", { name: /^Grant/ }).click();
  await expect(owner.page.getByText("Granted.").first()).toBeVisible();
  await client.getProfile({ did: owner.did, scopes: ["prof:interests"] });

  await page.goto(`/admin/agents/${encodeURIComponent(did)}`);
  await page.getByRole("button", { name: "Mark as verified" }).click();
  await expect(page.getByRole("button", { name: "Take the mark away" })).toBeVisible();

  await page.getByLabel("The most that any policy can give it").fill("prof:preferences");
  await page.getByRole("button", { name: "Set ceiling" }).click();
  await expect(page.getByText(/It cuts 1 of the 1 grant/)).toBeVisible();
  expect(
    await refusal(client.getProfile({ did: owner.did, scopes: ["prof:interests"] })),
  ).toMatchObject({ status: 403 });
  await page.getByLabel("The most that any policy can give it").fill("prof:*");
  await page.getByRole("button", { name: "Set ceiling" }).click();
  await expect(page.getByText(/It cuts none of the 1 grant/)).toBeVisible();
  await client.getProfile({ did: owner.did, scopes: ["prof:interests"] });

  await page.getByLabel("Reading a profile").fill("1");
  await page.getByRole("button", { name: "Set limits" }).click();
  await expect(page.getByText("The limits hold from its next request on.").first()).toBeVisible();
  expect(
    await refusal(client.getProfile({ did: owner.did, scopes: ["prof:interests"] })),
  ).toMatchObject({
    status: 429,
    code: "PROF005",
  });
});

test("A suspended agent is refused with its next request, until it is resumed", async ({
  page,
}) => {
  const { did, client } = await registerAgent({ name: "Pauser" });
  const input = { did: aliceDid(), scopes: ["prof:health"] };
  expect(await refusal(client.getProfile(input))).toMatchObject({ code: "PROF004" });
  await page.goto(`/admin/agents/${encodeURIComponent(did)}`);
  await page.getByLabel("Why it is suspended").fill("Complaints.");
  await page.getByRole("button", { name: "Suspend everywhere" }).click();
  await expect(page.getByText("Suspended: Complaints.")).toBeVisible();
  expect(await refusal(client.getProfile(input))).toMatchObject({ code: "PROF002" });
  await page.getByRole("button", { name: "Resume" }).click();
  await expect(page.getByText("Resumed: its requests are answered again.").first()).toBeVisible();
  expect(await refusal(client.getProfile(input))).toMatchObject({ code: "PROF004" });
});

test("An admin registers an agent by hand, adds a key, revokes it, and deletes the agent", async ({
  page,
}) => {
  const name = `by-hand-${randomUUID().slice(0, 8)}`;
  await page.goto("/admin/agents");
  await page.getByRole("link", { name: "Register an agent" }).click();
  await expect(page.getByRole("heading", { name: "Register an agent" })).toBeVisible();
  await page.getByLabel("Name", { exact: true }).fill("By hand");
  await page.getByLabel("Identifier").fill(name);
  await page.getByLabel("Public key").fill("no key");
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByText("Must be an Ed25519 public key")).toBeVisible();
  await expect(page.getByLabel("Identifier")).toHaveValue(name);
  await page.getByLabel("Public key").fill(await publicKey());
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /By hand/ })).toBeVisible();

  await page.locator("summary", { hasText: "Add a key" }).click();
  await page.getByLabel("What it is for").fill("second");
  await page.getByLabel("Ed25519 public key").fill(await publicKey());
  await page.getByRole("button", { name: "Add key" }).click();
  await expect(page.getByText("second", { exact: true }).first()).toBeVisible();
  await page.locator("summary", { hasText: "Revoke second" }).click();
  await page.getByRole("button", { name: /^Revoke now.*second$/ }).click();
  await expect(page.getByText(/, revoked/)).toBeVisible();

  await page.getByLabel("Type its DID to be sure").fill(`did:prof:agent:local:${name}`);
  await page.getByRole("button", { name: "Delete for good" }).click();
  await expect(page.getByText("The agent is gone, with its keys.")).toBeVisible();
});

test("A key made in the browser is saved for the command line, never sent, and signs", async ({
  page,
}, info) => {
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.postData() ?? ""));
  const name = `in-browser-${randomUUID().slice(0, 8)}`;
  await page.goto("/admin/agents/register");
  await page.getByLabel("Name", { exact: true }).fill("In the browser");
  await page.getByLabel("Identifier").fill(name);
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Make a key here" }).click();
  const file = info.outputPath("agent-key.pem");
  await (await saved).saveAs(file);
  await expect(page.getByText("chmod 600 agent-key.pem")).toBeVisible();
  const again = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save it again" }).click();
  const copy = info.outputPath("again.pem");
  await (await again).saveAs(copy);
  expect(readFileSync(copy, "utf8")).toBe(readFileSync(file, "utf8"));
  await expect(page.getByLabel("Public key")).toHaveValue(/^-----BEGIN PUBLIC KEY-----/);
  await expectSound(page);
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /In the browser/ })).toBeVisible();

  // As a browser saves it: readable by others.
  chmodSync(file, 0o644);
  const did = agentDid("local", name);
  const said: string[] = [];
  const privateKey = readPrivateKey(file, (text) => said.push(text));
  expect([said, statSync(file).mode & 0o777]).toEqual([[expect.stringMatching(/only you/)], 0o600]);
  const client = createClient({ did, privateKey, baseUrl: DEMO_URL });
  // Its signature is accepted: what is refused is the access.
  expect(
    await refusal(client.getProfile({ did: aliceDid(), scopes: ["prof:health"] })),
  ).toMatchObject({ status: 403, code: "PROF004" });
  const [, secret = ""] = readFileSync(file, "utf8").split("\n");
  expect(secret).toMatch(/^MC4CAQAw/);
  expect(sent.join()).toContain("BEGIN PUBLIC KEY");
  expect(sent.join()).not.toContain(secret);
});

async function publicKey(): Promise<string> {
  const pair = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  if (!("publicKey" in pair)) throw new Error("no pair");
  return Buffer.from(await crypto.subtle.exportKey("raw", pair.publicKey)).toString("base64");
}

test("An invitation makes an account, also where signing up is by invitation; then the link is dead", async ({
  page,
  elsewhere,
}) => {
  const api = await ask();
  const email = `guest-${randomUUID().slice(0, 8)}@example.com`;
  await page.goto("/admin/users");
  await page.locator("summary", { hasText: "Invite somebody" }).click();
  await page.getByLabel("E-mail address", { exact: true }).last().fill(email);
  await page.getByRole("button", { name: "Send the link" }).click();
  const link = linkIn(await mailTo(email, "You are invited"));
  await expectSound(page);

  await api("PUT", "/settings/SIGN_UP", { value: "invitation" });
  const visitor = await elsewhere();
  await visitor.goto("/sign-up");
  await expect(visitor.getByRole("heading", { name: "You need an invitation" })).toBeVisible();
  await expectSound(visitor);
  await visitor.goto("/dashboard/access?request=creq_1");
  await visitor.goto(link);
  await expect(visitor.getByRole("heading", { name: "You are invited" })).toBeVisible();
  await expectSound(visitor);
  await expect(visitor.getByLabel("E-mail address")).toHaveValue(email);
  await visitor.getByLabel("Name", { exact: true }).fill("Guest");
  await visitor.getByLabel("Handle").fill(email.split("@")[0] ?? "");
  await visitor.getByLabel("Password").fill("nine herons over a grey estuary");
  await visitor.getByRole("button", { name: "Create account" }).click();
  await visitor.waitForURL(/\/dashboard\/access\?request=creq_1$/);
  await api("PUT", "/settings/SIGN_UP", { value: null });
  await visitor.goto(link);
  await expect(visitor.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
});

test("A suspended user is out at once; resumed and with a reset link, in under a new password", async ({
  page,
  elsewhere,
}) => {
  const person = await guest(elsewhere, "Rita");
  const userId = await userIdOf(await ask(), person.email);
  await page.goto(`/admin/users/${userId}`);
  await page.getByRole("button", { name: "Suspend", exact: true }).click();
  await expect(
    page.getByText("Suspended: every session of theirs has ended.").first(),
  ).toBeVisible();
  await person.page.goto("/dashboard");
  await expect(person.page).toHaveURL(/\/sign-in/);
  await page.getByRole("button", { name: "Resume", exact: true }).click();
  await expect(page.getByText("Resumed: they can sign in again.").first()).toBeVisible();

  await page.getByRole("button", { name: "Mail a reset link" }).click();
  const link = linkIn(await mailTo(person.email, "Choose a new password"));
  const cookie = await cookieOf(person);
  await person.page.goto(link);
  await expectSound(person.page);
  await person.page.getByLabel("New password").fill(person.email);
  await person.page.getByRole("button", { name: "Set new password" }).click();
  await expect(
    person.page.getByText("Leave your name, your e-mail address and your handle out of it."),
  ).toBeVisible();
  const password = "eleven otters under an old bridge";
  await person.page.getByLabel("New password").fill(password);
  await person.page.getByRole("button", { name: "Set new password" }).click();
  await expect(person.page.getByText("Your new password is set")).toBeVisible();
  const still = await fetch(`${DEMO_URL}/api/profiles`, { headers: { Cookie: cookie } });
  expect(still.status).toBe(401);
  await cookieOf({ email: person.email, password });
  await person.page.goto(link);
  await expect(
    person.page.getByRole("heading", { name: "This link no longer works" }),
  ).toBeVisible();

  await person.page.goto("/sign-in");
  await person.page.getByLabel("E-mail address").fill(person.email);
  await person.page.getByLabel("Password").fill(password);
  await person.page.getByRole("button", { name: "Sign in", exact: true }).click();
  await person.page.waitForURL(/\/dashboard$/);
  const notice = person.page.getByRole("region", { name: "A link to set a new password" });
  await expect(notice).toBeVisible();
  await person.page.goto("/dashboard/activity");
  await expectSound(person.page);
  await notice.getByRole("button", { name: "Dismiss" }).click();
  await expect(notice).toBeHidden();
  const log = person.page.getByRole("main");
  await expect(log.getByText(/An admin of this gateway suspended your account/)).toBeVisible();
  await expect(log.getByText(/An admin of this gateway made a link with which/)).toBeVisible();
  await expect(log.getByText(/You chose a new password with a link/)).toBeVisible();
});

test("The last admin stays one; somebody else becomes one and is one no more", async ({
  page,
  elsewhere,
}) => {
  const api = await ask();
  const person = await guest(elsewhere, "Ada");
  const userId = await userIdOf(api, person.email);
  await page.goto(`/admin/users/${userId}`);
  await page.getByLabel("Role").selectOption("admin");
  await page.getByRole("button", { name: "Change role" }).click();
  await expect(page.getByText("Now an admin.").first()).toBeVisible();
  await person.page.goto("/admin/users");
  await expect(person.page.getByRole("heading", { name: "People", level: 1 })).toBeVisible();
  await page.getByLabel("Role").selectOption("user");
  await page.getByRole("button", { name: "Change role" }).click();
  await expect(page.getByText("No admin any more, from now on.").first()).toBeVisible();
  expect((await person.page.goto("/admin/users"))?.status()).toBe(404);

  const { data } = await api("GET", "/users?role=admin");
  const admins: { id: string }[] = data;
  expect(admins).toHaveLength(1);
  await page.goto(`/admin/users/${admins[0]?.id}`);
  await page.getByLabel("Role").selectOption("user");
  await page.getByRole("button", { name: "Change role" }).click();
  await expect(page.getByText(/This is the last admin/).first()).toBeVisible();
  await page.goto("/admin/users");
  await expect(page.getByRole("heading", { name: "People", level: 1 })).toBeVisible();
});

test("A profile is made for a user, handed over, suspended, and deleted with the account", async ({
  page,
  elsewhere,
}) => {
  const [person, alices] = [await guest(elsewhere, "Pia"), await elsewhere()];
  await signInAlice(alices);
  const userId = await userIdOf(await ask(), person.email);
  const handle = `work-${randomUUID().slice(0, 8)}`;
  await page.goto(`/admin/users/${userId}`);
  await page.locator("summary", { hasText: "Make a profile for them" }).click();
  await page.getByLabel("Display name").fill("Pia at work");
  await page.getByLabel("Handle").fill(handle);
  await page.getByRole("button", { name: "Make profile" }).click();
  const did = `did:prof:user:local:${handle}`;
  await expect(page.getByRole("heading", { level: 1, name: did })).toBeVisible();
  const { email } = aliceSignIn();
  await page.getByLabel("E-mail address of the new owner").fill(person.email);
  await page.getByRole("button", { name: "Request transfer" }).click();
  await expect(page.getByText("This profile belongs to this account already.")).toBeVisible();
  await page.getByLabel("E-mail address of the new owner").fill(email);
  await page.getByRole("button", { name: "Request transfer" }).click();
  await expect(page.getByText(`A transfer to ${email} is waiting.`)).toBeVisible();
  await expectSound(page);
  await page.getByRole("button", { name: "Withdraw" }).click();
  await expect(page.getByText("Withdrawn: the profile stays").first()).toBeVisible();
  await page.getByLabel("E-mail address of the new owner").fill(email);
  await page.getByRole("button", { name: "Request transfer" }).click();
  await expect(page.getByText(`A transfer to ${email} is waiting.`)).toBeVisible();

  const offer = alices.getByRole("region", { name: "An admin offers you a profile" });
  await alices.goto("/dashboard/settings/profiles");
  await expectSound(alices);
  await offer.getByRole("button", { name: "Accept" }).click();
  await expect(offer.getByText("You have accepted.")).toBeVisible();
  const given = person.page.getByRole("region", { name: "An admin wants to give your profile" });
  await person.page.goto("/dashboard/memories");
  await expect(given.getByText(email)).toBeVisible();
  await expectSound(person.page);
  await given.getByRole("button", { name: "Accept" }).click();
  await expect(given).toBeHidden();
  await alices.goto("/dashboard/settings/profiles");
  await expect(offer).toBeHidden();
  await expect(alices.getByText(did, { exact: true })).toBeVisible();
  await page.reload();
  await page.getByRole("button", { name: "Suspend" }).click();
  await expect(page.getByText("Suspended: agents and its owner are refused").first()).toBeVisible();
  await page.getByLabel("Type its DID to be sure").fill(did);
  await page.getByRole("button", { name: "Delete for good" }).click();
  await expect(page).toHaveURL(/\/admin\/profiles\?deleted/);

  await page.goto(`/admin/users/${userId}`);
  await page.getByLabel("Type their e-mail address to be sure").fill("somebody@example.com");
  await page.getByRole("button", { name: "Delete for good" }).click();
  await expect(page.getByText(`Type ${person.email} to confirm.`)).toBeVisible();
  await page.getByLabel("Type their e-mail address to be sure").fill(person.email);
  await page.getByRole("button", { name: "Delete for good" }).click();
  await expect(page.getByText("The account is gone, with every profile of theirs.")).toBeVisible();
  await person.page.goto("/dashboard");
  await expect(person.page).toHaveURL(/\/sign-in/);
});

test("Where only admins register agents, the first steps show no command that would be refused", async ({
  page,
  elsewhere,
}) => {
  const { page: theirs } = await guest(elsewhere, "Newt");
  await (await ask())("PUT", "/settings/AGENT_REGISTRATION", { value: "closed" });
  for (const one of [theirs, page]) {
    await one.goto("/dashboard");
    await expect(one.getByRole("heading", { name: "Give it a key and a name" })).toBeVisible();
    await expect(one.getByText("prof.mjs register")).toHaveCount(0);
  }
  await expect(theirs.getByText("give them its name and public key")).toBeVisible();
  await page.getByRole("link", { name: "register it" }).click();
  await expect(page).toHaveURL(/\/admin\/agents\/register$/);
  await (await ask())("PUT", "/settings/AGENT_REGISTRATION", { value: null });
  await theirs.reload();
  await openOwnSteps(theirs);
  await expect(theirs.getByText("prof.mjs register")).toBeVisible();
});

test("A setting holds at once, is undone, and the activity shows before and after", async ({
  page,
}) => {
  const limit = 100_000 + Math.floor(Math.random() * 800_000);
  await page.goto("/admin/settings");
  await page.getByLabel("Scripts of owners").fill("none");
  await page.getByLabel("Scripts of owners").press("Enter");
  await expect(page.getByText("One field needs another look.").first()).toBeVisible();
  await page.getByLabel("Scripts of owners").fill(String(limit));
  await page.getByLabel("Scripts of owners").press("Enter");
  await expect(
    page.getByText(/Scripts of owners: changed on every instance/).first(),
  ).toBeVisible();
  const inForce = async () => {
    const response = await fetch(`${DEMO_URL}/api/profiles`, {
      headers: { Cookie: await rootCookie() },
    });
    return Number(response.headers.get("X-RateLimit-Limit"));
  };
  expect(await inForce()).toBe(limit);
  await page.getByRole("button", { name: "Undo", exact: true }).first().click();
  await expect(page.getByText("Undone: the setting is as it was before.").first()).toBeVisible();
  expect(await inForce()).not.toBe(limit);

  // The toast is gone after a while; the way back is not.
  await page.goto("/admin/settings");
  const last = page.getByRole("button", { name: "Undo the last change of Scripts of owners" });
  const before = page.getByText(`Before the last change: ${limit}`);
  await expect(before).toBeVisible();
  await last.click();
  // From here on the button stands for that change; until then it would be the one that is taken back already.
  await expect(before).toBeHidden();
  expect(await inForce()).toBe(limit);
  await last.click();
  await expect(before).toBeVisible();
  expect(await inForce()).not.toBe(limit);

  await page.goto("/admin/activity?subject=LIMIT_SESSION");
  await expect(
    page
      .getByText(`value: none → ${limit}`)
      .or(page.getByText(new RegExp(`value: .* → ${limit}`)))
      .first(),
  ).toBeVisible();
  await expect(page.getByText(new RegExp(`value: ${limit} → `)).first()).toBeVisible();
  await page.getByLabel("What was done").selectOption("changeSetting");
  await expect(page).toHaveURL(/verb=changeSetting/);
  await page.getByRole("button", { name: "Export this list" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export as CSV" }).click();
  expect((await download).suggestedFilename()).toMatch(/^admin-activity-.*\.csv$/);
});

test("An admin signs in as anybody does, and finds the way from the menu", async ({
  elsewhere,
}) => {
  const page = await elsewhere();
  await signInAs(page, "Root");
  await page.goto("/admin");
  for (const name of ["People", "Profiles", "Settings", "System", "Admin activity", "Agents"]) {
    await page.getByRole("navigation", { name: "Admin" }).getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  }
});
