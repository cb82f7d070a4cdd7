import type { Pool, QueryConfig } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  giveMemory,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
} from "@/tests/support/personas";
import { loadContent } from "./content";
import { loadFacts } from "./facts";

// What follows an answer of the database, deciding, revealing and writing, is done in the turn that it came in.
const engine = await testEngine();
const heavyMin = 50_000;
const common = {};
const category = "prof:notes";
const readable = { records: [category], values: [], denied: [] };
const scopes = Array.from({ length: 50 }, (_, at) => `prof:a${at}.${"b".repeat(60)}`);
let agent: Minted;
let heavy: Owner[];
let light: Owner[];
let turn = 0;
let ticking: NodeJS.Immediate;

beforeAll(async () => {
  agent = await mintAgent(engine);
  heavy = await Promise.all(Array.from({ length: 4 }, () => mintOwner(engine)));
  light = await Promise.all(Array.from({ length: 4 }, () => mintOwner(engine)));
  for (const { profileId } of heavy) {
    const policy = { profileId, agentPattern: "did:prof:agent:*:*", origin: "owner" as const };
    const rules = { allow: scopes, deny: [], permissions: ["read" as const], purposes: [] };
    await engine.db.policy.createMany({
      data: Array.from({ length: 20 }, () => ({
        createdAt: testNow,
        updatedAt: testNow,
        id: newId("pol"),
        ...policy,
        ...rules,
      })),
    });
    for (let nth = 0; nth < 30; nth++) {
      await giveMemory(engine, profileId, { category, content: "word ".repeat(400) });
    }
  }
  for (const { profileId } of light) {
    await giveMemory(engine, profileId, { category, content: "a word" });
  }
  const tick = () => {
    turn++;
    ticking = setImmediate(tick);
  };
  tick();
});

afterAll(() => clearImmediate(ticking));

describe.each<[string, (pool: Pool, owner: Owner) => Promise<unknown>]>([
  ["the contents", (pool, { profileId }) => loadContent(pool, { profileId, common, readable })],
  [
    "the rules",
    async (pool, { did }) => {
      const caller = { kind: "agent" as const, did: agent.did };
      return loadFacts(pool, { profileDid: did, caller, now: testNow });
    },
  ],
])("%s", (_title, load) => {
  const turnsOf = async (owners: Owner[]) =>
    Promise.all(owners.map((owner) => load(engine.pool, owner).then(() => turn)));

  test("of heavy profiles that are read at once come in a turn each", async () => {
    const turns = await turnsOf([...heavy, ...heavy]);
    expect(new Set(turns).size).toBe(2 * heavy.length);
  });

  test("of light ones come in one turn", async () => {
    expect(new Set(await turnsOf(light)).size).toBe(1);
  });

  test("of light ones do not wait for those of a heavy one", async () => {
    const [owner] = heavy as [Owner];
    let whenLightAreThere: Promise<unknown> = Promise.resolve();
    // A heavy answer is held back until the light ones are there: one that waited for it would never come.
    const pool: Pool = Object.assign(Object.create(engine.pool), {
      async query(statement: QueryConfig) {
        const answer = await engine.pool.query(statement);
        if (JSON.stringify(answer.rows).length > heavyMin) await whenLightAreThere;
        return answer;
      },
    });
    await load(pool, owner);
    const order: string[] = [];
    const loads = light
      .flatMap((one) => [owner, one, owner])
      .map((one) => {
        const kind = one === owner ? "heavy" : "light";
        return { kind, done: load(pool, one).then(() => order.push(kind)) };
      });
    const lightOnes = loads.filter(({ kind }) => kind === "light");
    whenLightAreThere = Promise.all(lightOnes.map(({ done }) => done));
    await Promise.all(loads.map(({ done }) => done));
    expect(order).toEqual([...Array(4).fill("light"), ...Array(8).fill("heavy")]);
  });
});

test("an agent's list of proposals waits while its owner's connections are all taken", async () => {
  const [owner, other] = light as [Owner, Owner];
  let end = () => {};
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  const holders = Array.from({ length: 4 }, () => engine.shares.run(owner.userId, () => held));
  const list = ({ did }: Owner) => agent.client.listProposals({ did });
  let isDone = false;
  const own = list(owner).then(() => {
    isDone = true;
  });
  await list(other);
  await list(other);
  expect(isDone).toBe(false);
  end();
  await Promise.all([...holders, own]);
});
