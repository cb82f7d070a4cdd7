import { beforeAll, describe, expect, test } from "vitest";
import { hashPassword } from "@/lib/auth/password";
import { ownerApi as at } from "@/lib/http/api/tables";
import { linkIdentity } from "@/lib/services/accounts/identities";
import { findSession } from "@/lib/services/accounts/sessions";
import { contextOf } from "@/lib/services/context";
import { ask } from "@/tests/support/dashboard-api";
import { testEngine, testNow } from "@/tests/support/harness";
import { giveSession, mintOwner, signedIn } from "@/tests/support/personas";
import { issuePaths } from "@/tests/support/wire";

const engine = await testEngine();
const password = "a quiet lamp over the harbour";
let passwordHash = "";
beforeAll(async () => {
  passwordHash = await hashPassword(password);
});

/** A script of theirs that signed in an hour ago. */
async function alice() {
  const owner = await mintOwner(engine);
  await engine.db.user.update({ where: { id: owner.userId }, data: { passwordHash } });
  const { id: sessionId, token } = await giveSession(engine, owner);
  await engine.db.session.update({ where: { id: sessionId }, data: { confirmedAt: new Date(0) } });
  const link = (as = sessionId) =>
    linkIdentity(signedIn(engine, { ...owner, sessionId: as }), {
      provider: "github",
      providerAccountId: sessionId,
    });
  return { cookie: `gateway-session=${token}`, token, link };
}

describe("200", () => {
  test("the right password confirms this session for ten minutes, under a new cookie", async () => {
    const { cookie, token, link } = await alice();
    await expect(link()).rejects.toMatchObject({ code: "PROF002", details: { confirm: true } });
    const reply = await ask(at.confirmSession, { cookie, body: { password } });
    const until = new Date(testNow.getTime() + 10 * 60_000).toISOString();
    expect(reply.body.data).toEqual({ confirmedUntil: until });
    const [, renewed = ""] =
      /^gateway-session=([^;]+); Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/.exec(
        reply.headers.get("Set-Cookie") ?? "",
      ) ?? [];
    const nobody = contextOf(engine, { kind: "nobody" });
    expect(await findSession(nobody, token)).toBeNull();
    const who = await findSession(nobody, renewed);
    expect(await link(who?.sessionId)).toBe("linked");
  });
});

describe("401 PROF001", () => {
  test("the right password twice at once confirms once; the other cookie has ended", async () => {
    const { cookie } = await alice();
    const send = () => ask(at.confirmSession, { cookie, body: { password } });
    const replies = await Promise.all([send(), send()]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
  });
});

describe("400 PROF006", () => {
  test("a wrong password confirms nothing, and the session goes on", async () => {
    const { cookie, token, link } = await alice();
    const reply = await ask(at.confirmSession, { cookie, body: { password: "not the lamp" } });
    expect([reply.status, issuePaths(reply)]).toEqual([400, ["body.password"]]);
    await expect(link()).rejects.toMatchObject({ details: { confirm: true } });
    expect(await findSession(contextOf(engine, { kind: "nobody" }), token)).not.toBeNull();
  });

  test.each([
    ["no password", {}],
    ["an empty one", { password: "" }],
    ["one that is too long", { password: "x".repeat(1_001) }],
  ])("%s is not checked", async (_what, body) => {
    const { cookie } = await alice();
    expect((await ask(at.confirmSession, { cookie, body })).status).toBe(400);
  });
});

describe("429 PROF005", () => {
  test("after as many wrong passwords as a sign-in takes, also for the right one", async () => {
    const { cookie, link } = await alice();
    const send = (typed: string) => ask(at.confirmSession, { cookie, body: { password: typed } });
    const wrong = await Promise.all(Array.from({ length: 20 }, () => send("not the lamp")));
    expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([400]));
    const right = await send(password);
    expect([right.status, right.body.error?.code]).toEqual([429, "PROF005"]);
    expect(Number(right.headers.get("Retry-After"))).toBeGreaterThan(0);
    await expect(link()).rejects.toMatchObject({ details: { confirm: true } });
  }, 30_000);
});
