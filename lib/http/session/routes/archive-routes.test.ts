import { beforeEach, expect, test, vi } from "vitest";
import type { Owner } from "@/tests/support/personas";

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
const { testEngine, testNow } = await import("@/tests/support/harness");
const { eventsOf, giveSession, mintOwner } = await import("@/tests/support/personas");
const { importRoute } = await import("./archive-routes");
const { importedCookie } = await import("./answer-on-page");

const engine = await testEngine();
const later = new Date(testNow.getTime() + 60_000);
let owner: Owner;
let token: string;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  ({ token } = await giveSession(engine, owner));
  browser.cookies = new Map([["gateway-session", token]]);
});

/** Returns what the page is shown of an import while whose file comes something else happens. */
async function importDuring(work: () => Promise<unknown>): Promise<string> {
  const lists = ["namedValues", "memories", "proposals", "policies", "consentRequests"];
  const empty = Object.fromEntries(
    [...lists, "receipts", "tokens", "keys", "events"].map((list) => [list, []]),
  );
  const profile = { did: owner.did, profileType: "human", version: "1.0", common: {} };
  const file = {
    ...{ format: "profile-archive", version: 1, exportedAt: testNow },
    ...{ profile: { ...profile, createdAt: testNow }, ...empty },
  };
  const form = new FormData();
  form.set("profile", owner.did);
  form.set("file", new Blob([JSON.stringify(file)], { type: "application/json" }), "a.json");
  const whole = new Response(form);
  const bytes = new Uint8Array(await whole.clone().arrayBuffer());
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await work();
        engine.setNow(later);
        controller.enqueue(bytes);
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = {
    "Content-Type": whole.headers.get("content-type") ?? "",
    Cookie: `gateway-session=${token}`,
  };
  const sent = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  await importRoute(new Request("http://localhost/api/profile/import", sent));
  return browser.cookies.get(importedCookie) ?? "";
}

const importsOf = async ({ profileId }: Owner) =>
  (await eventsOf(engine, profileId)).filter(({ verb }) => verb === "importProfile");

test("an import is dated when its file has come", async () => {
  expect(await importDuring(async () => undefined)).toMatch(/Imported/);
  expect(await importsOf(owner)).toMatchObject([{ outcome: "ok", actor: "owner", at: later }]);
});

test("an import whose profile goes to somebody else leaves nothing in their log from before", async () => {
  const next = await mintOwner(engine);
  const shown = await importDuring(() =>
    engine.db.profile.update({ where: { did: owner.did }, data: { ownerId: next.userId } }),
  );
  expect(shown).toMatch(/"ok":false/);
  expect(await importsOf(owner)).toEqual([]);
});

test("an import whose session ends is refused as one that is not signed in", async () => {
  const shown = await importDuring(() =>
    engine.db.session.deleteMany({ where: { userId: owner.userId } }),
  );
  expect(shown).toMatch(/"ok":false/);
  expect(await importsOf(owner)).toEqual([]);
});
