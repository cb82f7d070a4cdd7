import { hash } from "@node-rs/argon2";
import { describe, expect, test, vi } from "vitest";
import { signUp } from "@/lib/services/accounts/accounts";
import type { Ctx } from "@/lib/services/context";
import { testEngine, testNow } from "@/tests/support/harness";
import { checkPassword, hashNewPassword } from "./credentials";
import { hashingMax, hashPassword } from "./password";

const { db, pool, live, shares, cache } = await testEngine();
const nobody: Ctx = {
  db,
  pool,
  caller: { kind: "nobody" },
  now: testNow,
  requestId: "req_test",
  shares,
  cache,

  announce: live.announce,
};
const password = "a quiet lamp over the harbour";
const passwordHash = await hashPassword(password);

async function owner(handle: string) {
  const email = `${handle}@example.com`;
  const account = { email, handle, name: handle, passwordHash };
  const { userId } = await signUp(nobody, { ...account, namespace: "local", open: true });
  return { email, userId };
}

describe("checking a password", () => {
  test("tells who it is", async () => {
    const { email, userId } = await owner("alice");
    const checked = await checkPassword(nobody, { email, password, peer: null });
    expect(checked).toEqual({ outcome: "right", userId, by: { passwordHash } });
  });

  test("answers alike for a wrong password, an unknown address and an account without a password", async () => {
    const { email } = await owner("bea");
    await db.user.create({
      data: { createdAt: testNow, id: "usr_linked", email: "linked@example.com" },
    });
    for (const address of [email, "nobody@example.com", "linked@example.com"]) {
      const tried = { email: address, password: "not the lamp over the harbour", peer: null };
      expect(await checkPassword(nobody, tried)).toEqual({ outcome: "wrong" });
    }
  });

  test("tells of a suspension only to who knows the password", async () => {
    const { email, userId } = await owner("cid");
    await db.user.update({ where: { id: userId }, data: { state: "suspended" } });
    const wrong = await checkPassword(nobody, { email, password: "wrong".repeat(5), peer: null });
    expect(wrong).toEqual({ outcome: "wrong" });
    const right = await checkPassword(nobody, { email, password, peer: null });
    expect(right).toEqual({ outcome: "suspended" });
  });

  test("brings an old hash to today's cost", async () => {
    const { email, userId } = await owner("dan");
    const cheap = await hash(password, { memoryCost: 8_192, timeCost: 2, parallelism: 1 });
    await db.user.update({ where: { id: userId }, data: { passwordHash: cheap } });
    const checked = await checkPassword(nobody, { email, password, peer: null });
    const { passwordHash: now } = await db.user.findUniqueOrThrow({ where: { id: userId } });
    expect(now).toMatch(/m=65536,t=3,p=1/);
    expect(checked).toMatchObject({ by: { passwordHash: now } });
  });

  test("twenty of two hundred concurrent guesses from one network are checked, and no right one after them", async () => {
    const { email } = await owner("eve");
    const at = { ...nobody, now: new Date(testNow.getTime() + 60 * 60_000) };
    const peer = "203.0.113.7";
    const guesses = await Promise.all(
      Array.from({ length: 200 }, (_, nth) =>
        checkPassword(at, { email, password: `wrong guess number ${nth}`, peer }),
      ),
    );
    const outcomes = guesses.map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === "wrong")).toHaveLength(20);
    expect(outcomes.filter((outcome) => outcome === "too many")).toHaveLength(180);
    const right = await checkPassword(at, { email, password, peer });
    expect(right).toMatchObject({ outcome: "too many" });
    const elsewhere = await checkPassword(at, { email, password, peer: "192.0.2.1" });
    expect(elsewhere).toMatchObject({ outcome: "right" });
  });

  test("counts forms and routes together, for each of which Next.js loads it again", async () => {
    const { email } = await owner("fay");
    const at = { ...nobody, now: new Date(testNow.getTime() + 120 * 60_000) };
    vi.resetModules();
    const again = await import("./credentials");
    const outcomes: string[] = [];
    for (let nth = 0; nth < 22; nth++) {
      const check = nth % 2 === 0 ? checkPassword : again.checkPassword;
      const tried = { email, password: `wrong guess number ${nth}`, peer: "203.0.113.8" };
      outcomes.push((await check(at, tried)).outcome);
    }
    expect(outcomes).toEqual([...Array(20).fill("wrong"), "too many", "too many"]);
  });
});

describe("while a dozen networks that failed before fail again", () => {
  /** In which order they end: the crowd's second wrong passwords, which wait already, and what `ask` sends after them. */
  async function endings(
    window: number,
    ask: (at: Ctx) => [name: string, work: Promise<unknown>][],
  ) {
    const at = { ...nobody, now: new Date(testNow.getTime() + window * 60 * 60_000) };
    const wrong = (nth: number) =>
      checkPassword(at, {
        email: `nobody${nth}@example.com`,
        password: "not the lamp over the harbour",
        peer: `203.0.113.${nth}`,
      });
    const crowd = Array.from({ length: 12 }, (_, nth) => nth);
    await Promise.all(crowd.map(wrong));
    const ended: string[] = [];
    const waiting = crowd.map((nth) => ["crowd", wrong(nth)] as const);
    // The crowd's are in the queue once their accounts were looked for.
    await Promise.all(crowd.map(() => db.user.count()));
    const all = [...waiting, ...ask(at)];
    await Promise.all(all.map(([name, work]) => work.then(() => void ended.push(name))));
    return ended;
  }

  test("a sign-in from a network without a failure goes before them", async () => {
    const { email } = await owner("gil");
    const ended = await endings(3, (at) => [
      ["right", checkPassword(at, { email, password, peer: "192.0.2.10" })],
    ]);
    // One more may begin while its account is looked for.
    expect(ended.indexOf("right")).toBeLessThanOrEqual(hashingMax + 2);
  });

  test("so do a confirmation after a sign-in and a new password", async () => {
    const { email, userId } = await owner("hal");
    const peer = "192.0.2.11";
    const ended = await endings(4, (at) => [
      [
        "confirmed",
        checkPassword(at, { email, password, peer }).then(() =>
          checkPassword(at, { email, password, peer }),
        ),
      ],
      ["signed up", hashNewPassword(at, { password, peer })],
      ["changed", hashNewPassword(at, { password, account: userId, peer: null })],
    ]);
    for (const name of ["confirmed", "signed up", "changed"])
      expect(ended.indexOf(name)).toBeLessThan(10);
  });

  test("a network's second new password, and its right ones after the fifth, take turns with them", async () => {
    const { email } = await owner("ian");
    const peer = "192.0.2.12";
    const ended = await endings(5, (at) => [
      [
        "sixth",
        (async () => {
          for (let nth = 0; nth < 7; nth++) await checkPassword(at, { email, password, peer });
        })(),
      ],
      [
        "second",
        hashNewPassword(at, { password, peer: "192.0.2.13" }).then(() =>
          hashNewPassword(at, { password, peer: "192.0.2.13" }),
        ),
      ],
    ]);
    expect(ended.slice(-2).toSorted()).toEqual(["second", "sixth"]);
  });
});
