import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { createEngine, installEngine } from "@/lib/engine/engine";
import { createLog } from "@/lib/engine/log";
import { newId } from "@/lib/engine/random";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  giveMemory,
  giveNamedValue,
  givePolicy,
  giveToken,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  revokeKey,
} from "@/tests/support/personas";
import { inTransaction } from "@/tests/support/transaction";
import { call, profilePath } from "@/tests/support/wire";

// What a gateway has read it keeps, and answers by as long as that is how it is: also where another gateway on the same
// database changed it a moment ago.
const unlimited = { LIMIT_PROFILE: "1000000", LIMIT_MEMORIES: "1000000" };
const engine = await testEngine(unlimited);
const other = { ...createEngine(engine.env, createLog({ level: "silent" })), now: engine.now };
afterAll(other.stop);
const both = [engine, other];
const { db } = engine;

async function scene() {
  const owner = await mintOwner(engine);
  const agent = await mintAgent(engine);
  const { id: policyId } = await givePolicy(engine, owner.profileId, { agentPattern: agent.did });
  const { id: memoryId } = await giveMemory(engine, owner.profileId, { content: "Likes tea." });
  const named = { category: "prof:food", name: "dish", value: "Soup" };
  await giveNamedValue(engine, owner.profileId, named);
  return { owner, agent, policyId, memoryId };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** The whole answer as text, without what differs from request to request; or the code of its refusal. */
async function answerOf(client: Minted["client"], owner: Owner, rest = ""): Promise<string> {
  const { body } = await call(client, { method: "GET", target: profilePath(owner.did, rest) });
  return body.error?.code ?? JSON.stringify(body.data);
}

/** From both gateways, each of which has answered this before. */
async function answers(client: Minted["client"], owner: Owner): Promise<string[]> {
  const all: string[] = [];
  for (const one of both) {
    installEngine(one);
    for (const rest of ["", "/memories"]) all.push(await answerOf(client, owner, rest));
  }
  return all;
}

const changes: [title: string, change: (scene: Scene) => Promise<unknown>, then: RegExp][] = [
  [
    "a memory that was added",
    ({ owner }) => giveMemory(engine, owner.profileId, { content: "Likes chess." }),
    /chess/,
  ],
  [
    "a memory that was edited",
    ({ memoryId: id }) => db.memory.update({ where: { id }, data: { content: "Likes coffee." } }),
    /coffee/,
  ],
  [
    "a memory that was deleted",
    ({ memoryId: id }) => db.memory.update({ where: { id }, data: { deletedAt: testNow } }),
    /^(?!.*tea)/,
  ],
  [
    "a named value that was changed",
    ({ owner: { profileId } }) =>
      db.namedValue.updateMany({ where: { profileId }, data: { value: "Rice" } }),
    /Rice/,
  ],
  [
    "a rule that was switched off",
    ({ policyId: id }) => db.policy.update({ where: { id }, data: { enabled: false } }),
    /^(?!.*(tea|Soup))/,
  ],
  [
    "a rule that denies",
    ({ owner, agent }) =>
      givePolicy(engine, owner.profileId, {
        agentPattern: agent.did,
        allow: [],
        deny: ["prof:interests"],
      }),
    /^(?!.*tea).*Soup/,
  ],
  [
    "a rule that was removed",
    ({ policyId: id }) => db.policy.delete({ where: { id } }),
    /^(?!.*(tea|Soup))/,
  ],
  [
    "a rule that has run out, without any change",
    async ({ policyId: id }) => {
      const expiresAt = new Date(testNow.getTime() + 60_000);
      await db.policy.update({ where: { id }, data: { expiresAt } });
    },
    /^(?!.*(tea|Soup))/,
  ],
  [
    "an agent whose ceiling was lowered",
    ({ agent: { did } }) => db.agent.update({ where: { did }, data: { ceiling: ["prof:food"] } }),
    /^(?!.*tea).*Soup/,
  ],
  [
    "an agent that was suspended",
    ({ agent: { did } }) => db.agent.update({ where: { did }, data: { state: "suspended" } }),
    /^PROF002$/,
  ],
  [
    "an agent that was deleted",
    async ({ agent: { did } }) => {
      await db.key.deleteMany({ where: { did } });
      await db.agent.delete({ where: { did } });
    },
    /^PROF001$/,
  ],
  ["a key that was revoked", ({ agent }) => revokeKey(engine, agent), /^PROF001$/],
  [
    "an agent whose limit was lowered",
    ({ agent: { did } }) =>
      db.agent.update({ where: { did }, data: { limits: { profile: 0, memories: 0 } } }),
    /^PROF005$/,
  ],
  [
    "a profile that was suspended",
    ({ owner: { did } }) => db.profile.update({ where: { did }, data: { state: "suspended" } }),
    /^PROF002$/,
  ],
];

describe("both gateways answer at once by", () => {
  test.each(changes)("%s", async (title, change, then) => {
    onTestFinished(() => engine.setNow(testNow));
    const made = await scene();
    const { owner, agent } = made;
    for (const before of [
      ...(await answers(agent.client, owner)),
      ...(await answers(agent.client, owner)),
    ]) {
      expect(before).toMatch(/tea/);
    }
    await change(made);
    if (title.includes("run out")) {
      expect((await answers(agent.client, owner)).join()).toMatch(/tea/);
      engine.setNow(new Date(testNow.getTime() + 60_000));
    }
    for (const after of await answers(agent.client, owner)) expect(after).toMatch(then);
  });

  test("a receipt that was given, and revoked", async () => {
    const owner = await mintOwner(engine);
    const agent = await mintAgent(engine);
    const purposes = ["personalization"];
    await givePolicy(engine, owner.profileId, { agentPattern: agent.did, purposes });
    await giveMemory(engine, owner.profileId, { content: "Likes tea." });
    expect((await answers(agent.client, owner)).join()).not.toMatch(/tea/);
    installEngine(other);
    const purpose = { type: "personalization" };
    const { data } = await agent.client.requestAccess({
      ...{ did: owner.did, scopes: ["prof:interests"], purpose },
    });
    for (const given of await answers(agent.client, owner)) expect(given).toMatch(/tea/);
    await db.receipt.update({
      where: { id: data.receiptId },
      data: { revokedAt: testNow },
      select: { id: true },
    });
    for (const revoked of await answers(agent.client, owner)) expect(revoked).not.toMatch(/tea/);
  });

  test("a receipt that outlives the one granted after it", async () => {
    onTestFinished(() => engine.setNow(testNow));
    const owner = await mintOwner(engine);
    const agent = await mintAgent(engine);
    await givePolicy(engine, owner.profileId, { agentPattern: agent.did, purposes: ["research"] });
    await giveMemory(engine, owner.profileId, { content: "Likes tea." });
    for (const [age, life] of [
      [2, 3_600],
      [1, 60],
    ] as const) {
      await db.receipt.create({
        data: {
          ...{ id: newId("rcpt"), profileId: owner.profileId, agentDid: agent.did },
          ...{ grantedScopes: ["prof:interests"], purposeType: "research" },
          grantedAt: new Date(testNow.getTime() - age * 1_000),
          expiresAt: new Date(testNow.getTime() + life * 1_000),
        },
        select: { id: true },
      });
    }
    for (const now of await answers(agent.client, owner)) expect(now).toMatch(/tea/);
    engine.setNow(new Date(testNow.getTime() + 61_000));
    for (const later of await answers(agent.client, owner)) expect(later).toMatch(/tea/);
  });

  test("an account that was suspended: its profile's own key signs nothing more", async () => {
    const { owner } = await scene();
    for (const before of await answers(owner.client, owner)) expect(before).toMatch(/tea/);
    await db.user.update({ where: { id: owner.userId }, data: { state: "suspended" } });
    for (const after of await answers(owner.client, owner)) expect(after).toMatch(/^PROF002$/);
  });

  test("a connection token that was revoked, and one that shows less", async () => {
    const { owner, agent } = await scene();
    const { id, client } = await giveToken(engine, { owner, agent });
    const narrow = await giveToken(engine, { owner, agent, scopes: ["prof:food"] });
    for (const before of await answers(client, owner)) expect(before).toMatch(/tea/);
    for (const less of await answers(narrow.client, owner))
      expect(less).toMatch(/^(?!.*tea).*Soup/);
    await db.connectionToken.update({ where: { id }, data: { revokedAt: testNow } });
    for (const after of await answers(client, owner)) expect(after).toMatch(/^PROF001$/);
  });
});

test("no answer is older than the last change before it, whatever comes in between", async () => {
  const { owner, agent, memoryId: id } = await scene();
  let acknowledged = 0;
  let reads = 0;
  let isOver = false;
  const write = async () => {
    for (let number = 1; number <= 300 || reads < 400; number++) {
      await db.memory.update({ where: { id }, data: { content: `Number ${number}.` } });
      acknowledged = number;
    }
    isOver = true;
  };
  const read = async (nth: number) => {
    while (!isOver) {
      const least = acknowledged;
      installEngine(both[(nth + reads) % 2] ?? engine);
      const rest = nth < 2 ? "" : "/memories";
      const [, number = "0"] = /Number (\d+)/.exec(await answerOf(agent.client, owner, rest)) ?? [];
      expect(Number(number)).toBeGreaterThanOrEqual(least);
      reads++;
    }
  };
  await Promise.all([write(), read(0), read(1), read(2), read(3)]);
  expect(await db.accessEvent.count({ where: { profileId: owner.profileId } })).toBe(reads);
});

test.each(["", "/memories"])(
  "profile%s is answered by one statement, with its event, where nothing has changed",
  async (rest) => {
    installEngine(engine);
    // Told to other instances a moment later, by a statement of its own.
    vi.spyOn(engine.live, "announce").mockReturnValue();
    const { owner, agent, memoryId } = await scene();
    const events = () => db.accessEvent.count({ where: { profileId: owner.profileId } });
    const first = await answerOf(agent.client, owner, rest);
    expect(await answerOf(agent.client, owner, rest)).toBe(first);
    const query = vi.spyOn(engine.pool, "query");
    expect(await answerOf(agent.client, owner, rest)).toBe(first);
    expect(query).toHaveBeenCalledTimes(1);
    expect(await events()).toBe(3);
    await db.memory.update({ where: { id: memoryId }, data: { content: "Likes coffee." } });
    query.mockClear();
    expect(await answerOf(agent.client, owner, rest)).toMatch(/coffee/);
    expect(query.mock.calls.length).toBeGreaterThan(1);
    expect(await events()).toBe(4);
  },
);

test("a change is not seen before it is committed, and never where it is rolled back", async () => {
  const { owner, agent, memoryId } = await scene();
  const before = await answers(agent.client, owner);
  const changeIn = async (end: () => Promise<void>) =>
    inTransaction(engine.pool, async (client) => {
      await client.query(`UPDATE "Memory" SET content = 'Likes coffee.' WHERE id = $1`, [memoryId]);
      expect(await answers(agent.client, owner)).toEqual(before);
      await end();
    });
  const rolledBack = new Error(newId("req"));
  const ending = changeIn(() => Promise.reject(rolledBack));
  await expect(ending).rejects.toBe(rolledBack);
  expect(await answers(agent.client, owner)).toEqual(before);
  await changeIn(() => Promise.resolve());
  for (const after of await answers(agent.client, owner)) expect(after).toMatch(/coffee/);
});
