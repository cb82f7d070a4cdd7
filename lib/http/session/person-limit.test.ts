import { beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { hourlyMax } from "@/lib/services/mail/enqueue";
import type { Owner } from "@/tests/support/personas";

// What Next.js knows of the request: nothing but the cookies, and those that are set.
const browser = vi.hoisted(() => ({ cookies: new Map<string, string>() }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers(),
  cookies: async () => ({
    get: (name: string) => {
      const value = browser.cookies.get(name);
      return value === undefined ? undefined : { name, value };
    },
    set: (name: string, value: string) => void browser.cookies.set(name, value),
  }),
}));

// Loaded again: what another file of this worker has loaded knows the real request.
vi.resetModules();
const { testEngine } = await import("@/tests/support/harness");
const { giveSession, mintOwner } = await import("@/tests/support/personas");
const { action, profileAction, profileQueryAction: profileLook } = await import("./action");
const { admitAddressLink } = await import("./admit-person");
const { ownFile } = await import("./files/own-file");
const { exportRoute, importRoute } = await import("./routes/archive-routes");
const { matchesRoute } = await import("./routes/matches-route");

const engine = await testEngine({ LIMIT_SESSION: "1" });
const untouched = { ok: false, message: null, issues: {}, values: {} };
const Form = z.object({ note: z.string() });
let owner: Owner;

beforeEach(async () => {
  owner = await mintOwner(engine);
  const { token } = await giveSession(engine, owner);
  browser.cookies = new Map([["gateway-session", token]]);
});

function form(): FormData {
  const form = new FormData();
  form.set("note", "typed");
  return form;
}

const done = vi.fn(async () => ({ ok: true, message: "Done." }));

describe("beyond LIMIT_SESSION", () => {
  test.each([
    ["action", action(Form, done)],
    ["profileAction", profileAction(Form, done)],
  ])("%s changes nothing, keeps what was typed and says when to come back", async (_name, send) => {
    done.mockClear();
    expect(await send(untouched, form())).toMatchObject({ ok: true, message: "Done." });
    const refused = await send(untouched, form());
    expect(refused).toMatchObject({ ok: false, values: { note: "typed" } });
    expect(refused.message).toMatch(/Nothing was changed\. Try again in \d+ seconds\./);
    expect(done).toHaveBeenCalledTimes(1);
  });

  test("a look sees nothing", async () => {
    const look = profileLook(Form, async () => "seen");
    expect(await look(owner.did, { note: "typed" })).toBe("seen");
    expect(await look(owner.did, { note: "typed" })).toBeNull();
  });

  test.each<[string, (at: string) => Promise<Response>]>([
    ["comparing proposals", (at) => matchesRoute(get(`${at}&id=prop_1`), () => null)],
    ["an export", (at) => exportRoute(get(at))],
    [
      "a file of activity",
      (at) => ownFile(get(at), () => ({ name: "a.csv", type: "text/csv", open: empty })),
    ],
  ])("%s is 429 with Retry-After", async (_name, send) => {
    const at = `http://localhost/?profile=${encodeURIComponent(owner.did)}`;
    const first = await send(at);
    await first.body?.cancel();
    expect(first.status).toBe(200);
    const refused = await send(at);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  });

  test("an import says so on its page, and reads no file", async () => {
    await action(Form, done)(untouched, form());
    const request = new Request("http://localhost/api/profile/import", {
      method: "POST",
      body: form(),
    });
    expect((await importRoute(request)).status).toBe(303);
    expect(browser.cookies.get("gateway-imported")).toMatch(/The limit of 1 requests an hour/);
    expect(request.bodyUsed).toBe(false);
  });
});

test("a user has at most five links an hour mailed, to whatever addresses", async () => {
  const admit = () => admitAddressLink({ engine, now: engine.now() }, owner.userId);
  for (let count = 0; count < hourlyMax; count++) await admit();
  await expect(admit()).rejects.toMatchObject({ code: "PROF005" });
});

test("one user's forms leave another's alone", async () => {
  const send = action(Form, done);
  await send(untouched, form());
  const { token } = await giveSession(engine, await mintOwner(engine));
  browser.cookies.set("gateway-session", token);
  expect(await send(untouched, form())).toMatchObject({ ok: true });
});

function get(url: string): Request {
  return new Request(url);
}

async function empty() {
  return (async function* () {
    yield "";
  })();
}
