import { expect, test, vi } from "vitest";
import { z } from "zod";

// What Next.js knows of the request: nothing but the cookies.
const browser = vi.hoisted(() => ({ cookies: new Map<string, string>() }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers(),
  cookies: async () => ({
    get: (name: string) => {
      const value = browser.cookies.get(name);
      return value === undefined ? undefined : { name, value };
    },
  }),
}));

// Loaded again: what another file of this worker has loaded knows the real request.
vi.resetModules();
const { testEngine } = await import("@/tests/support/harness");
const { giveSession, mintOwner } = await import("@/tests/support/personas");
const { deleteAccount } = await import("@/lib/services/erasure/delete-account");
const { action } = await import("./action");

const engine = await testEngine();
const untouched = { ok: false, message: null, issues: {}, values: {} };

test("a form that deletes an account which is already gone leads to signing in", async () => {
  const owner = await mintOwner(engine);
  const { token } = await giveSession(engine, owner);
  browser.cookies = new Map([["gateway-session", token]]);
  const send = action(z.object({}), async ({ ctx }) => {
    await deleteAccount(ctx);
    return { ok: true, message: null };
  });
  const sent = await Promise.allSettled([1, 2, 3].map(() => send(untouched, new FormData())));
  const done = sent.map((one) =>
    one.status === "fulfilled" ? one.value.ok : String(one.reason.digest).split(";")[2],
  );
  expect(done.sort()).toEqual(["/sign-in", "/sign-in", true]);
});
