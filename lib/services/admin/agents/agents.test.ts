import { describe, expect, test } from "vitest";
import { newId } from "@/lib/engine/random";
import { agentDid } from "@/lib/protocol/did";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  giveProposal,
  type Minted,
  mintAdmin,
  mintAgent,
  mintKeyPair,
  mintOwner,
  signedIn,
} from "@/tests/support/personas";
import { hashDid } from "../../accounts/new-profile";
import { expireRegistrations } from "../../agents/expire-registrations";
import { registerAgent } from "../../agents/register";
import { sealEvents } from "../../audit/seal-events";
import { contextOf } from "../../context";
import { reviewProposal } from "../../proposals/deciding/review";
import { resumeUser, suspendUser } from "../users/change-user";
import {
  approveAgent,
  deleteAgent,
  refuseAgent,
  resumeAgent,
  setCeiling,
  setLimits,
  suspendAgent,
  verifyAgent,
} from "./change-agent";
import { findAgent, listAgents } from "./list-agents";

const engine = await testEngine();
const { ctx } = await mintAdmin(engine);

describe("a registration that waits", () => {
  test("is approved once, however many admins decide at once", async () => {
    const { did } = await mintAgent(engine, { state: "pending" });
    const turns = [
      approveAgent(ctx, { did }),
      refuseAgent(ctx, { did, reason: "Nobody knows it." }),
    ];
    const settled = await Promise.allSettled(turns);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await engine.db.adminEvent.count({ where: { subjectId: did } })).toBe(1);
  });

  test("is refused with a reason, and then told that it is suspended", async () => {
    const alice = await mintOwner(engine);
    const iris = await mintAgent(engine, { state: "pending" });
    await refuseAgent(ctx, { did: iris.did, reason: "Nobody knows it." });
    expect((await findAgent(ctx, iris.did)).agent).toMatchObject({
      state: "suspended",
      stateReason: "Nobody knows it.",
    });
    await expect(iris.client.getProfile({ did: alice.did })).rejects.toMatchObject({
      code: "PROF002",
    });
  });
});

describe("a registration that nobody answers", () => {
  const day = 24 * 60 * 60_000;

  test("expires after 30 days with its keys; whatever a user or an admin registered stays", async () => {
    const { did, publicKey } = await registered("itself");
    const ofUser = await registered("user");
    const approved = await registered("itself");
    await approveAgent(ctx, { did: approved.did });
    engine.setNow(new Date(testNow.getTime() + 30 * day - 1));
    await expireRegistrations(engine);
    expect(await engine.db.agent.count({ where: { did } })).toBe(1);
    engine.setNow(new Date(testNow.getTime() + 30 * day));
    while ((await expireRegistrations(engine)) > 0);
    expect(await engine.db.agent.count({ where: { did } })).toBe(0);
    expect(await engine.db.key.count({ where: { did } })).toBe(0);
    const left = [ofUser.did, approved.did];
    expect(await engine.db.agent.count({ where: { did: { in: left } } })).toBe(2);
    const adminEvents = await engine.db.adminEvent.findMany({
      where: { subjectId: did },
      orderBy: { at: "asc" },
    });
    expect(adminEvents).toMatchObject([
      { adminId: "itself", verb: "registerAgent", after: { origin: "itself", state: "pending" } },
      { adminId: "gateway", verb: "expireRegistration", before: { name: "Iris" } },
    ]);
    const again = { did, publicKey, name: "Iris", mode: "approval" } as const;
    const nobody = contextOf(engine, { kind: "nobody" });
    expect(await registerAgent(nobody, again)).toMatchObject({ status: "pending", isNew: true });
    engine.setNow(testNow);
  });

  async function registered(origin: "itself" | "user") {
    const did = agentDid("local", newId("new"));
    const publicKey = Buffer.from(mintKeyPair().publicKey);
    const caller = origin === "itself" ? contextOf(engine, { kind: "nobody" }) : await anybody();
    await registerAgent(caller, { did, publicKey, name: "Iris", mode: "approval" });
    return { did, publicKey };
  }

  async function anybody() {
    return signedIn(engine, await mintOwner(engine));
  }
});

describe("an agent whose person is suspended", () => {
  test("is not approved, and stays suspended for good where an admin says why", async () => {
    const { userId } = await mintOwner(engine);
    const theirs = { origin: "user", registeredBy: userId } as const;
    const pending = await mintAgent(engine, { ...theirs, state: "pending" });
    const active = await mintAgent(engine, theirs);
    const stateOf = async ({ did }: Minted) =>
      (await engine.db.agent.findUniqueOrThrow({ where: { did } })).state;
    await suspendUser(ctx, userId);
    await expect(approveAgent(ctx, { did: pending.did })).rejects.toMatchObject({
      code: "PROF006",
    });
    await suspendAgent(ctx, { did: active.did, reason: "Abuse." });
    await resumeUser(ctx, userId);
    expect([await stateOf(pending), await stateOf(active)]).toEqual(["pending", "suspended"]);
  });
});

describe("suspending an agent", () => {
  test("holds from its next request, everywhere, until it is resumed", async () => {
    const alice = await mintOwner(engine);
    const iris = await mintAgent(engine);
    await iris.client.getProfile({ did: alice.did });
    await suspendAgent(ctx, { did: iris.did, reason: "Complaints." });
    await expect(iris.client.getProfile({ did: alice.did })).rejects.toMatchObject({
      code: "PROF002",
    });
    await resumeAgent(ctx, { did: iris.did });
    await iris.client.getProfile({ did: alice.did });
  });
});

describe("a ceiling", () => {
  test("caps what a user's policy gives, from the next request on", async () => {
    const everything = { agentPattern: "did:prof:agent:*:*", allow: ["prof:*"] };
    const alice = await mintOwner(engine, {
      policies: [everything],
      common: { preferences: { tea: "green" }, identity: { displayName: "Alice" } },
    });
    const iris = await mintAgent(engine);
    const seen = async () => (await iris.client.getProfile({ did: alice.did })).data.common;
    expect(await seen()).toMatchObject({ identity: { displayName: "Alice" } });
    await setCeiling(ctx, { did: iris.did, ceiling: ["prof:preferences"] });
    expect(await seen()).toEqual({ preferences: { tea: "green" } });
  });
});

describe("limits of an agent", () => {
  test("stand in the place of the gateway's", async () => {
    const alice = await mintOwner(engine);
    const iris = await mintAgent(engine);
    await setLimits(ctx, { did: iris.did, limits: { profile: 1 } });
    await iris.client.getProfile({ did: alice.did });
    await expect(iris.client.getProfile({ did: alice.did })).rejects.toMatchObject({
      code: "PROF005",
    });
  });
});

describe("deleting an agent", () => {
  test("takes its keys along, and retires its DID for good", async () => {
    const alice = await mintOwner(engine);
    const iris = await mintAgent(engine);
    await deleteAgent(ctx, iris.did);
    await expect(iris.client.getProfile({ did: alice.did })).rejects.toMatchObject({
      code: "PROF001",
    });
    expect(await engine.db.key.count({ where: { did: iris.did } })).toBe(0);
    expect(await engine.db.retiredDid.count()).toBe(1);
  });
});

describe("deleting an agent that was never approved", () => {
  test("leaves its DID free, so that nobody closes names by registering them", async () => {
    const { did } = await mintAgent(engine, { state: "pending" });
    await mintOwner(engine, { policies: [{ agentPattern: did }] });
    await deleteAgent(ctx, did);
    const didHash = hashDid(did);
    expect(await engine.db.retiredDid.count({ where: { didHash } })).toBe(0);
  });
});

describe("an agent's page", () => {
  test("counts the proposals that it made, and none that a user imported, also where they are decided here", async () => {
    const { did: agentDid } = await mintAgent(engine);
    const alice = await mintOwner(engine);
    for (const imported of [false, true]) {
      const give = () => giveProposal(engine, { profileId: alice.profileId, agentDid, imported });
      for (const action of ["approve", "reject", "approve"] as const) {
        const { id: proposalId } = await give();
        await reviewProposal(signedIn(engine, alice), { did: alice.did, proposalId, action });
      }
      await give();
    }
    expect(await findAgent(ctx, agentDid)).toMatchObject({
      proposals: { approved: 2, rejected: 1, pending: 1 },
    });
  });

  test("counts requests and denials a day, and when it was last seen", async () => {
    const alice = await mintOwner(engine);
    const iris = await mintAgent(engine);
    await iris.client.getProfile({ did: alice.did });
    await iris.client.getProfile({ did: alice.did, scopes: ["prof:health"] }).catch(() => null);
    while ((await sealEvents(engine.db, testNow)) > 0);
    const { agent, days } = await findAgent(ctx, iris.did);
    expect(agent.lastSeenAt).toEqual(testNow);
    expect(days).toMatchObject([{ requests: 2, denied: 1 }]);
  });

  test("is listed by any part of its name or DID", async () => {
    const did = agentDid("local", newId("zebra"));
    await mintAgent(engine, { did, name: `Zebra ${did.slice(-6)}` });
    const { agents } = await listAgents(ctx, { search: did.slice(-10), limit: 5 });
    expect(agents.map((one) => one.did)).toEqual([did]);
  });
});

describe("everybody else", () => {
  test("is refused every verb over agents", async () => {
    const alice = await mintOwner(engine);
    const { did } = await mintAgent(engine, { state: "pending" });
    const owner = signedIn(engine, alice);
    const tries = [
      listAgents(owner, { limit: 1 }),
      findAgent(owner, did),
      approveAgent(owner, { did }),
      refuseAgent(owner, { did, reason: "no" }),
      suspendAgent(owner, { did, reason: "no" }),
      resumeAgent(owner, { did }),
      verifyAgent(owner, { did, verified: true }),
      setCeiling(owner, { did, ceiling: [] }),
      setLimits(owner, { did, limits: {} }),
      deleteAgent(owner, did),
    ];
    for (const one of await Promise.allSettled(tries)) {
      expect(one).toMatchObject({ status: "rejected", reason: { code: "PROF002" } });
    }
  });
});
