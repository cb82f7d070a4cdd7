import { expect, test } from "vitest";
import { checkPassword } from "@/lib/auth/credentials";
import { hashPassword } from "@/lib/auth/password";
import { newId } from "@/lib/engine/random";
import { agentDid, type Did } from "@/lib/protocol/did";
import { contextOf } from "@/lib/services/context";
import { clientOf, testEngine } from "@/tests/support/harness";
import { giveKey, mintAgent, mintKeyPair, mintOwner } from "@/tests/support/personas";
import { call, profilePath } from "@/tests/support/wire";

// Whether somebody is known here must not show in how long a refusal takes. Kinds take turns, so that a
// busy machine is as busy for each of them, and what is compared is the middle of many.
const engine = await testEngine({ PEER_LIMIT: "1000000" });

type Kinds = Record<string, (round: number) => Promise<unknown>>;

/** How many times longer the slowest kind takes than the fastest. */
async function spread(kinds: Kinds, rounds: number): Promise<number> {
  const times = new Map(Object.keys(kinds).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, ask] of Object.entries(kinds)) {
      const began = performance.now();
      await ask(round);
      times.get(name)?.push(performance.now() - began);
    }
  }
  const middles = [...times.values()].map((all) => all.toSorted((a, b) => a - b)[rounds >> 1] ?? 0);
  return Math.max(...middles) / Math.min(...middles);
}

test("A wrong password takes as long for an account, for none, and for one without a password", async () => {
  const ctx = contextOf(engine, { kind: "nobody" });
  const passwordHash = await hashPassword("a quiet lamp over the harbour");
  await engine.db.user.createMany({
    data: [
      { createdAt: engine.now(), id: newId("usr"), email: "alice@example.com", passwordHash },
      { createdAt: engine.now(), id: newId("usr"), email: "linked@example.com" },
    ],
  });
  const guess = (email: string) => async (round: number) => {
    const peer = `198.51.100.${round}`;
    const checked = await checkPassword(ctx, { email, password: "wrong".repeat(4), peer });
    expect(checked).toEqual({ outcome: "wrong" });
  };
  const kinds = {
    known: guess("alice@example.com"),
    unknown: guess("nobody@example.com"),
    linked: guess("linked@example.com"),
  };
  // Without the hash of nobody's password it would be a hundred.
  expect(await spread(kinds, 9)).toBeLessThan(2);
});

test("A refused signature takes as long for an agent, for none, and for one that is not let in", async () => {
  const { did } = await mintOwner(engine);
  const forge = (of: Did) => {
    const client = clientOf(engine, { did: of, ...mintKeyPair() });
    const request = { method: "GET", target: profilePath(did) };
    return async () => {
      expect((await call(client, request)).body.error?.code).toBe("PROF001");
    };
  };
  const five = await mintAgent(engine);
  for (const slot of [2, 3, 4, 5]) await giveKey(engine, five.did, slot);
  const kinds = {
    active: forge((await mintAgent(engine)).did),
    "with five keys": forge(five.did),
    pending: forge((await mintAgent(engine, { state: "pending" })).did),
    suspended: forge((await mintAgent(engine, { state: "suspended" })).did),
    unknown: forge(agentDid("local", newId("nobody"))),
  };
  await spread(kinds, 20);
  expect(await spread(kinds, 150)).toBeLessThan(1.4);
});
