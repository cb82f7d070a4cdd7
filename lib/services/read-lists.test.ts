import type { Pool } from "pg";
import { beforeEach, describe, expect, test } from "vitest";
import { installEngine } from "@/lib/engine/engine";
import { createReplica, type Replica } from "@/lib/engine/fallback/replica";
import { createLog } from "@/lib/engine/log";
import { testEngine } from "@/tests/support/harness";
import {
  giveMemory,
  giveNamedValue,
  giveProposal,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { startStreaming } from "@/tests/support/standby";
import { deleteProfile } from "./erasure/delete-profile";
import { type Shelving, shelveMemory } from "./memories/edit";
import { listsStampOf } from "./read-lists";

const streaming = await startStreaming();
const engine = await testEngine({
  DATABASE_URL: streaming.primaryUrl,
  DATABASE_REPLICA_URL: streaming.standbyUrl,
});
const memoriesStatement = 'AS "namedValues"';
const proposalsStatement = "AS proposals";

let elapsedMs = 0;
const said: string[] = [];
const destination = { write: (line: string) => void said.push(line) };
let replica: Replica;
let owner: Owner;
let agent: Minted;

// So patient that no busy machine makes it look hung; the clock of its pauses is the test's.
function useReplica(answerMsMax: number): Replica {
  const log = createLog({ level: "info", destination });
  const { metrics } = engine;
  const now = () => elapsedMs;
  replica = createReplica({
    url: streaming.standbyUrl,
    poolMax: 6,
    log,
    metrics,
    answerMsMax,
    now,
  });
  installEngine({ ...engine, replica });
  return replica;
}

beforeEach(async () => {
  said.length = 0;
  const before = useReplica(10_000);
  owner = await mintOwner(engine, { policies: [{ permissions: ["read", "propose"] }] });
  agent = await mintAgent(engine);
  return () => before.stop();
});

function shelve(memoryId: string, how: Shelving) {
  return shelveMemory(signedIn(engine, owner), { did: owner.did, memoryId, how });
}

/** What the agent is shown, as text: ids and values alike. */
async function memoriesShown(): Promise<string> {
  const { data } = await agent.client.listMemories({ did: owner.did });
  return JSON.stringify(data);
}

async function proposalsShown(): Promise<string> {
  const { data } = await agent.client.listProposals({ did: owner.did });
  return JSON.stringify(data);
}

async function propose(content: string): Promise<void> {
  await agent.client.proposeMemory({
    did: owner.did,
    content,
    category: "prof:interests",
    confidence: 0.5,
  });
}

async function callsOnStandby(): Promise<[memories: number, proposals: number]> {
  return [
    await streaming.callsOnStandby(memoriesStatement),
    await streaming.callsOnStandby(proposalsStatement),
  ];
}

test("DATABASE_REPLICA_URL makes a replica part of the engine; without it there is none", async () => {
  expect(engine.replica?.state()).toEqual({ answers: true, served: 0, behind: 0, failed: 0 });
});

test("lists are read from a standby that has caught up, in sessions that can only read", async () => {
  const { id } = await giveMemory(engine, owner.profileId);
  const category = "prof:professional";
  await giveNamedValue(engine, owner.profileId, { category, name: "occupation", value: "nurse" });
  await giveProposal(engine, { profileId: owner.profileId, agentDid: agent.did, content: "Tea." });
  await streaming.caughtUp();
  const [memories, proposals] = await callsOnStandby();
  expect(await memoriesShown()).toContain(id);
  expect(await memoriesShown()).toContain("nurse");
  expect(await proposalsShown()).toContain("Tea.");
  expect(await callsOnStandby()).toEqual([memories + 2, proposals + 1]);
  expect(replica.state()).toEqual({ answers: true, served: 3, behind: 0, failed: 0 });
  const readOnly = await replica.ask(async (pool) => {
    const { rows } = await pool.query("SHOW default_transaction_read_only");
    return rows[0];
  });
  expect(readOnly).toEqual({ default_transaction_read_only: "on" });
  expect(await engine.metrics.text()).toContain('gateway_replica_reads_total{outcome="served"}');
});

test("a profile that no stamp tells of is read from the primary: every database shows as little", async () => {
  await streaming.caughtUp();
  const calls = await callsOnStandby();
  expect(await memoriesShown()).toBe("{}");
  expect(await proposalsShown()).toBe("[]");
  expect(await callsOnStandby()).toEqual(calls);
  expect(replica.state()).toMatchObject({ served: 0, behind: 0, failed: 0 });
});

describe("while the standby lags behind", () => {
  beforeEach(async () => {
    await giveProposal(engine, { profileId: owner.profileId, agentDid: agent.did });
  });

  async function lagging<T>(work: () => Promise<T>): Promise<T> {
    await streaming.caughtUp();
    await streaming.pauseReplay();
    try {
      return await work();
    } finally {
      await streaming.resumeReplay();
    }
  }

  test.each(["delete", "archive"] as const)(
    "a memory is in no answer after its %s was acknowledged",
    async (how) => {
      const { id } = await giveMemory(engine, owner.profileId);
      await lagging(async () => {
        expect(await memoriesShown()).toContain(id);
        expect(replica.state()).toMatchObject({ served: 1, behind: 0 });
        await shelve(id, how);
        expect(await memoriesShown()).not.toContain(id);
        expect(replica.state()).toMatchObject({ served: 1, behind: 1 });
      });
      await streaming.caughtUp();
      expect(await memoriesShown()).not.toContain(id);
      expect(replica.state()).toMatchObject({ served: 2, behind: 1, failed: 0 });
    },
  );

  test("a new memory, a new value and the agent's new proposal are in the next answer", async () => {
    await lagging(async () => {
      const { id } = await giveMemory(engine, owner.profileId);
      expect(await memoriesShown()).toContain(id);
      const category = "prof:professional";
      await giveNamedValue(engine, owner.profileId, { category, name: "job", value: "nurse" });
      expect(await memoriesShown()).toContain("nurse");
      await propose("Wants to see the moss garden.");
      expect(await proposalsShown()).toContain("moss garden");
      expect(replica.state()).toMatchObject({ served: 0, failed: 0 });
    });
  });

  test("what the owner decided over a proposal is in the next answer", async () => {
    const given = { profileId: owner.profileId, agentDid: agent.did };
    const { id: proposalId } = await giveProposal(engine, given);
    await lagging(async () => {
      await owner.client.reviewProposal({ did: owner.did, proposalId, action: "approve" });
      const made = await engine.db.memory.findUniqueOrThrow({ where: { proposalId } });
      expect(await proposalsShown()).toContain(`"memoryId":"${made.id}"`);
      expect(await memoriesShown()).toContain(made.id);
    });
  });

  test("who may read is asked of the primary: a policy that was closed holds at once", async () => {
    const { id } = await giveMemory(engine, owner.profileId);
    await lagging(async () => {
      await engine.db.policy.updateMany({
        where: { profileId: owner.profileId },
        data: { enabled: false },
      });
      expect(await memoriesShown()).not.toContain(id);
    });
  });

  test("profiles that did not change meanwhile are read from it all the same", async () => {
    const { id } = await giveMemory(engine, owner.profileId);
    await lagging(async () => {
      const other = await mintOwner(engine);
      await giveMemory(engine, other.profileId);
      expect(await memoriesShown()).toContain(id);
      expect(replica.state()).toMatchObject({ served: 1, behind: 0 });
    });
  });

  test("a profile that was deleted is not found", async () => {
    await lagging(async () => {
      await deleteProfile(signedIn(engine, owner), { did: owner.did });
      await expect(memoriesShown()).rejects.toMatchObject({ code: "PROF003" });
    });
  });
});

test("under parallel writes each acknowledged proposal is in its agent's next answer", async () => {
  const proposing = Array.from({ length: 40 }, async (_, number) => {
    const iris = await mintAgent(engine);
    const content = `Likes the garden number ${number}.`;
    const asked = { did: owner.did, content, category: "prof:interests", confidence: 0.5 } as const;
    await iris.client.proposeMemory(asked);
    const { data } = await iris.client.listProposals({ did: owner.did });
    return data.map((proposal) => proposal.content);
  });
  const expected = proposing.map((_, number) => [`Likes the garden number ${number}.`]);
  expect(await Promise.all(proposing)).toEqual(expected);
  expect(replica.state()).toMatchObject({ answers: true, failed: 0 });
});

test("every transaction gives the profile a stamp of its own, and none waits for another's", async () => {
  const { id } = await giveMemory(engine, owner.profileId);
  const stamp = async (): Promise<string> => {
    const text = `SELECT ${listsStampOf("$1")} AS stamp`;
    const { rows } = await engine.pool.query<{ stamp: string }>(text, [owner.profileId]);
    return rows[0]?.stamp ?? "";
  };
  const before = await stamp();
  const holding = await engine.pool.connect();
  try {
    await holding.query("BEGIN");
    await holding.query(`UPDATE "Memory" SET confidence = 0.1 WHERE id = $1`, [id]);
    expect(await stamp()).toBe(before);
    await giveMemory(engine, owner.profileId);
    const between = await stamp();
    expect(between).not.toBe(before);
    await holding.query("COMMIT");
    expect([before, between]).not.toContain(await stamp());
  } finally {
    holding.release();
  }
});

describe("a question that the standby does not answer in time", () => {
  const tooMuch = (pool: Pool) => pool.query("SELECT pg_sleep(10)");
  const little = (pool: Pool) => pool.query("SELECT");

  test("keeps nobody else from asking it", async () => {
    const hurried = useReplica(300);
    await hurried.ask(little);
    expect(await hurried.ask(tooMuch)).toBeUndefined();
    expect(await hurried.ask(little)).toBeDefined();
    expect(hurried.state()).toEqual({ answers: true, served: 2, behind: 0, failed: 1 });
    await hurried.stop();
  });

  test("lets it rest where no other is answered in between", async () => {
    const hurried = useReplica(300);
    for (let nth = 0; nth < 5; nth++) expect(await hurried.ask(tooMuch)).toBeUndefined();
    expect(hurried.state()).toMatchObject({ answers: false, failed: 5 });
    await hurried.stop();
  });
});

describe("a standby that does not answer", () => {
  test("holds one answer up to its deadline, the next not at all, and is used again when it is back", async () => {
    const { id } = await giveMemory(engine, owner.profileId);
    await streaming.caughtUp();
    expect(await memoriesShown()).toContain(id);
    const deadlineMs = 300;
    const hurried = useReplica(deadlineMs);
    await streaming.signalStandby("SIGSTOP");
    try {
      const begun = performance.now();
      expect(await memoriesShown()).toContain(id);
      expect(performance.now() - begun).toBeLessThan(deadlineMs + 5_000);
      const resting = { answers: false, served: 0, behind: 0, failed: 1 };
      await expect.poll(() => hurried.state()).toEqual(resting);
      // It rests: whoever asks now is sent on before the standby hears of it.
      let heard = 0;
      const question = async () => ++heard;
      expect(await hurried.ask(question)).toBeUndefined();
      elapsedMs += 5_000;
      expect(await hurried.ask(question)).toBeUndefined();
      expect(heard).toBe(0);
      expect(said.filter((line) => line.includes("the primary stands in"))).toHaveLength(1);
    } finally {
      await streaming.signalStandby("SIGCONT");
    }
    // It is looked after beside the requests, each time that its pause is over.
    await expect
      .poll(async () => {
        elapsedMs += 5_000;
        await memoriesShown();
        return hurried.state().answers;
      })
      .toBe(true);
    expect(said.at(-1)).toContain("the read replica answers again");
    await hurried.stop();
  });

  test("does not hold up the end of the gateway", async () => {
    const hurried = useReplica(300);
    await streaming.caughtUp();
    await hurried.ask((pool) => pool.query("SELECT"));
    await streaming.signalStandby("SIGSTOP");
    try {
      const begun = performance.now();
      await Promise.all([hurried.ask((pool) => pool.query("SELECT")), hurried.stop()]);
      expect(performance.now() - begun).toBeLessThan(8_000);
    } finally {
      await streaming.signalStandby("SIGCONT");
    }
  });

  // Both last: there is no standby afterwards.
  test("as it was promoted is asked only for what the primary has not changed since", async () => {
    const { id } = await giveMemory(engine, owner.profileId);
    const other = await giveMemory(engine, owner.profileId);
    await streaming.caughtUp();
    await streaming.promote();
    expect(await memoriesShown()).toContain(id);
    expect(replica.state()).toMatchObject({ served: 1 });
    await shelve(id, "delete");
    expect(await memoriesShown()).not.toContain(id);
    expect(await memoriesShown()).toContain(other.id);
    expect(replica.state()).toMatchObject({ served: 1, behind: 2 });
  });

  test("as it was killed costs no answer", async () => {
    const { id } = await giveMemory(engine, owner.profileId);
    await streaming.signalStandby("SIGKILL");
    for (let turn = 0; turn < 3; turn++) expect(await memoriesShown()).toContain(id);
    await expect.poll(() => replica.state()).toMatchObject({ answers: false, served: 0 });
  });
});
