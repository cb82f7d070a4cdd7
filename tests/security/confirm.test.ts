import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { filledIn, formsIn } from "@/e2e/forms";
import { startOauthProvider } from "@/e2e/oauth-provider";
import { hashPassword } from "@/lib/auth/password";
import { testEngine } from "@/tests/support/harness";
import { giveSession, mintOwner, type Owner } from "@/tests/support/personas";
import { addressOf, startGateway } from "@/tests/support/processes";
import { actionNamed, callAction, formSent } from "./testing/actions";

// A stolen session: changes that last need the person, over the real front door.
const engine = await testEngine();
const provider = await startOauthProvider();
afterAll(provider.stop);
const gateway = await addressOf(
  startGateway({
    DATABASE_URL: engine.env.DATABASE_URL ?? "",
    LOG_LEVEL: "warn",
    ...{ GITHUB_URL: provider.url, GITHUB_ID: "client", GITHUB_SECRET: "secret" },
  }),
);
engine.setNow(new Date());
const password = "a quiet lamp over the harbour";
const next = "a lantern in a cold window";
let passwordHash = "";
beforeAll(async () => {
  passwordHash = await hashPassword(password);
});

interface Stolen {
  owner: Owner;
  email: string;
  sessionId: string;
  cookie: string;
}

/** Signed in an hour ago; by a password, unless that is null. */
async function anHourAgo({ hash = passwordHash }: { hash?: string | null } = {}): Promise<Stolen> {
  const owner = await mintOwner(engine);
  const { email } = await engine.db.user.update({
    where: { id: owner.userId },
    data: { passwordHash: hash },
  });
  const { id: sessionId, token } = await giveSession(engine, owner);
  const confirmedAt = new Date(Date.now() - 3_600_000);
  await engine.db.session.update({ where: { id: sessionId }, data: { confirmedAt } });
  return { owner, email, sessionId, cookie: `gateway-session=${token}` };
}

async function submit(name: string, { cookie }: Stolen, fields: Record<string, string>) {
  const action = await actionNamed(name);
  const body = formSent(action, Object.entries(fields));
  return callAction(action, { gateway, cookie, body });
}

function isIn(cookie: string): Promise<boolean> {
  return fetch(`${gateway}/api/profiles`, { headers: { Cookie: cookie } }).then(({ ok }) => ok);
}

/** The session's cookie as an answer sets it; of two, the browser keeps the last. */
function sessionIn(cookies: string[]): string {
  const line = cookies.findLast((cookie) => cookie.startsWith("gateway-session="));
  return line?.split(";")[0] ?? "";
}

/** When the person last confirmed, in the session beside the one they were minted with. */
async function confirmedAt({ owner: { userId, sessionId } }: Stolen): Promise<number> {
  const session = await engine.db.session.findFirstOrThrow({
    where: { userId, id: { not: sessionId } },
  });
  return session.confirmedAt.getTime();
}

const account = "app/dashboard/settings/account/actions.ts";

describe("a form", () => {
  const change = (as: Stolen, more: Record<string, string> = {}) =>
    submit(`setPasswordAction of ${account}`, as, { password: next, ...more });
  const hashOf = async ({ owner: { userId } }: Stolen) =>
    (await engine.db.user.findUniqueOrThrow({ where: { id: userId } })).passwordHash;

  test("asks for the password, takes no wrong one, and none again for a while", async () => {
    const me = await anHourAgo();
    const input = await change(me);
    expect(input.text).toContain('"confirm":"password"');
    expect(input.text).toContain("Nothing was changed yet.");
    const wrong = await change(me, { confirmPassword: "not the lamp at all" });
    expect(wrong.text).toContain("This is not your password.");
    expect(wrong.text).toContain('"confirm":"password"');
    expect(await hashOf(me)).toBe(passwordHash);
    const weak = await change(me, { password: "short", confirmPassword: password });
    expect(weak.text).toContain("Use at least 12 characters.");
    expect(weak.text).toContain('"confirm":null');
    const renewed = { ...me, cookie: sessionIn(weak.cookies) };
    expect((await change(renewed)).text).toContain('"ok":true');
    expect(await hashOf(me)).not.toBe(passwordHash);
  });

  test("that is confirmed gives the session a new value: a copy of its cookie is not confirmed with it", async () => {
    const me = await anHourAgo();
    await change(me, { password: "short", confirmPassword: password });
    await change(me);
    expect(await isIn(me.cookie)).toBe(false);
    expect(await hashOf(me)).toBe(passwordHash);
  });

  test("that changes the password gives the session a new value: a copy of its cookie is dead", async () => {
    const me = await anHourAgo();
    const { cookies } = await change(me, { confirmPassword: password });
    expect(await isIn(me.cookie)).toBe(false);
    expect(await isIn(sessionIn(cookies))).toBe(true);
    expect(cookies.join()).toMatch(/Expires=/i);
  });

  test("shows the field in its page before scripts run, and again where it was refused", async () => {
    const me = await anHourAgo();
    const address = `${gateway}/dashboard/settings/account`;
    const headers = { Cookie: me.cookie, Origin: gateway };
    const formOn = (html: string) =>
      formsIn(html).find((form) => form.includes('autoComplete="new-password"')) ?? "";
    const send = async (form: string, answers: Record<string, string>) => {
      const body = filledIn(form, { password: next, ...answers });
      return (await fetch(address, { method: "POST", headers, body })).text();
    };
    const first = formOn(await (await fetch(address, { headers })).text());
    expect(first).toContain('name="confirmPassword"');
    const second = formOn(await send(first, { confirmPassword: "not the lamp at all" }));
    expect(second).toContain("This is not your password.");
    expect(await send(second, { confirmPassword: password })).toContain("Changed.");
  });

  test("that asks after one of its buttons was pressed repeats that button first, for Enter", async () => {
    const me = await anHourAgo();
    const address = `${gateway}/dashboard/access/policies?template=open`;
    const headers = { Cookie: me.cookie, Origin: gateway };
    const formOn = (html: string) =>
      formsIn(html).find((form) => /Use (<!-- -->)?Open/.test(form)) ?? "";
    const first = formOn(await (await fetch(address, { headers })).text());
    const body = filledIn(first);
    body.set("template", "open");
    const second = formOn(await (await fetch(address, { method: "POST", headers, body })).text());
    const [button] = second.match(/<button\b[^>]*type="submit"[^>]*>/) ?? [];
    expect(button).toContain('name="template"');
    expect(button).toContain('value="open"');
  });

  test("that deletes the account, or links a provider, asks as well", async () => {
    const me = await anHourAgo();
    const deletion = { word: me.email };
    const deletes = "deleteAccountAction of app/dashboard/settings/delete/actions.ts";
    expect((await submit(deletes, me, deletion)).text).toContain('"confirm":"password"');
    const linking = await submit(`linkAction of ${account}`, me, { provider: "github" });
    expect(linking.text).toContain('"confirm":"password"');
    expect(await isIn(me.cookie)).toBe(true);
    await submit(deletes, me, { ...deletion, confirmPassword: password });
    expect(await engine.db.user.count({ where: { id: me.owner.userId } })).toBe(0);
  });

  test("that does nothing lasting asks for nothing", async () => {
    const me = await anHourAgo();
    const { text } = await submit(`endOthersAction of ${account}`, me, {});
    expect(text).toContain('"ok":true');
  });
});

describe("the page that confirms", () => {
  const open = ({ cookie }: Stolen, back: string) =>
    fetch(`${gateway}/confirm?${new URLSearchParams({ back })}`, {
      headers: { Cookie: cookie },
      redirect: "manual",
    });

  test.each([
    ["/dashboard/settings/export", "/dashboard/settings/export"],
    ["/dashboard/access?request=creq_1", "/dashboard/access?request=creq_1"],
    ["/admin/users", "/admin/users"],
    ["https://evil.example/", "/dashboard"],
    ["//evil.example/dashboard", "/dashboard"],
    ["/dashboardx", "/dashboard"],
    ["/api/auth/signout", "/dashboard"],
  ])("leads back to %s by %s, once the password is right", async (back, led) => {
    const me = await anHourAgo();
    const page = await open(me, back);
    expect(page.status).toBe(200);
    const [form = ""] = formsIn(await page.text());
    const send = (typed: string) =>
      fetch(`${gateway}/confirm`, {
        method: "POST",
        redirect: "manual",
        headers: { Cookie: me.cookie, Origin: gateway },
        body: filledIn(form, { confirmPassword: typed }),
      });
    const refused = await send("not the lamp at all");
    expect([refused.status, await refused.text()]).toEqual([
      200,
      expect.stringContaining("This is not your password."),
    ]);
    const done = await send(password);
    expect([done.status, done.headers.get("location")]).toEqual([303, led]);
    const renewed = { ...me, cookie: sessionIn(done.headers.getSetCookie()) };
    expect((await open(renewed, back)).headers.get("location")).toBe(led);
  });

  test("offers a person without a password to sign in again at the provider, and that confirms", async () => {
    const me = await anHourAgo({ hash: null });
    const login = me.owner.userId;
    await engine.db.account.create({
      data: {
        createdAt: engine.now(),
        provider: "github",
        providerAccountId: `id-${login}`,
        userId: me.owner.userId,
      },
    });
    const page = await (await open(me, "/dashboard/settings/keys")).text();
    const form = formsIn(page).find((one) => one.includes("GitHub")) ?? "";
    const jar = new Map([["gateway-session", me.cookie.split("=")[1] ?? ""]]);
    const go = async (address: string, body?: FormData) => {
      const response = await fetch(address, {
        method: body === undefined ? "GET" : "POST",
        redirect: "manual",
        headers: {
          Origin: gateway,
          Cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
        },
        body,
      });
      for (const line of response.headers.getSetCookie()) {
        const [pair = ""] = line.split(";");
        jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
      }
      return response.headers.get("location") ?? "";
    };
    const away = new URL(await go(`${gateway}/confirm`, filledIn(form)));
    expect(away.origin).toBe(provider.url);
    away.pathname = "/approve";
    away.searchParams.set("login", login);
    const back = await go(
      (await fetch(away, { redirect: "manual" })).headers.get("location") ?? "",
    );
    expect(new URL(back, gateway).pathname).toBe("/dashboard/settings/keys");
    const sessions = await engine.db.session.findMany({ where: { userId: me.owner.userId } });
    const [fresh] = sessions.filter(({ id }) => id !== me.owner.sessionId);
    expect(sessions).toHaveLength(2);
    expect(Date.now() - (fresh?.confirmedAt.getTime() ?? 0)).toBeLessThan(60_000);
    expect(await isIn(me.cookie)).toBe(false);
    expect(await isIn(`gateway-session=${jar.get("gateway-session")}`)).toBe(true);
  });
});

describe("an import", () => {
  const send = async (me: Stolen, confirmPassword: string) => {
    const body = new FormData();
    body.set("confirmPassword", confirmPassword);
    body.set("profile", "did:prof:user:local:nobody");
    const archive = { format: "profile-archive" };
    body.set("file", new File([JSON.stringify(archive)], "profile.json"));
    const response = await fetch(`${gateway}/api/profile/import`, {
      method: "POST",
      redirect: "manual",
      headers: { Cookie: me.cookie, Origin: gateway },
      body,
    });
    return decodeURIComponent(response.headers.getSetCookie().join());
  };

  test("has the field in its form", async () => {
    const me = await anHourAgo();
    const page = await fetch(`${gateway}/dashboard/settings/export`, {
      headers: { Cookie: me.cookie },
    });
    const [form = ""] = formsIn(await page.text()).filter((one) => one.includes('name="file"'));
    expect(form).toContain('name="confirmPassword"');
  });

  test("confirms by the password in it, before the file is looked at", async () => {
    const me = await anHourAgo();
    const before = await confirmedAt(me);
    expect(await send(me, "")).toContain("Enter your password");
    const wrong = await send(me, "not the lamp at all");
    expect(wrong).toMatch(/This is not your password\..*choose the file again/);
    expect(await confirmedAt(me)).toBe(before);
    expect(await send(me, password)).toContain('"ok":false');
    expect(await confirmedAt(me)).toBeGreaterThan(before);
  });
});
