import { beforeAll, describe, expect, test } from "vitest";
import { callerOf, findSession, type SessionUser } from "@/lib/services/accounts/sessions";
import { contextOf } from "@/lib/services/context";
import { testEngine } from "@/tests/support/harness";
import { giveSession, mintOwner } from "@/tests/support/personas";
import { confirmByPassword } from "./confirm";
import { hashPassword } from "./password";

const engine = await testEngine();
const password = "a quiet lamp over the harbour";
let passwordHash = "";
beforeAll(async () => {
  passwordHash = await hashPassword(password);
});

async function signedInUser(): Promise<SessionUser> {
  const owner = await mintOwner(engine);
  await engine.db.user.update({ where: { id: owner.userId }, data: { passwordHash } });
  const { token } = await giveSession(engine, owner);
  const who = await findSession(contextOf(engine, { kind: "nobody" }), token);
  return who ?? expect.unreachable("the session was just made");
}

async function confirm(who: SessionUser, typed = password) {
  const ctx = contextOf(engine, callerOf(who));
  return (await confirmByPassword(ctx, { who, password: typed, peer: null })).outcome;
}

describe("confirming one session twice at once", () => {
  test("renews it once, and never calls the right password wrong", async () => {
    const who = await signedInUser();
    const outcomes = await Promise.all([confirm(who), confirm(who)]);
    expect(outcomes.sort()).toEqual(["confirmed", "ended"]);
  });

  test("calls a wrong password wrong also after the session was renewed", async () => {
    const who = await signedInUser();
    await confirm(who);
    expect(await confirm(who, "not the lamp")).toBe("wrong");
  });
});
