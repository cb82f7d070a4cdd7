import { describe, expect, test } from "vitest";
import { expireProposals } from "@/lib/services/proposals/expire";
import { collide } from "@/tests/support/collide";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveProposal,
  giveToken,
  mintAgent,
  mintOwner,
  type Owner,
  type ProposalGiven,
} from "@/tests/support/personas";
import { call, profilePath } from "@/tests/support/wire";

const engine = await testEngine();

async function proposed(given: ProposalGiven = {}) {
  const owner = await mintOwner(engine, { policies: [{ permissions: ["read", "propose"] }] });
  const agent = await mintAgent(engine);
  const { profileId } = owner;
  const proposal = await giveProposal(engine, { profileId, agentDid: agent.did, ...given });
  return { owner, agent, proposal, input: { did: owner.did, proposalId: proposal.id } };
}

function memoriesOf({ profileId }: Owner) {
  return engine.db.memory.findMany({ where: { profileId } });
}

function stateOf(id: string) {
  return engine.db.proposal.findUniqueOrThrow({ where: { id } });
}

describe("200, action approve", () => {
  test("data is proposalId, status approved and memoryId; the memory is the proposal's", async () => {
    const { owner, agent, proposal, input } = await proposed({ confidence: 0.4 });

    const { status, data, meta } = await owner.client.reviewProposal({
      ...input,
      action: "approve",
    });

    expect(status).toBe(200);
    const memoryId = expect.stringMatching(/^mem_[0-9A-Za-z]{22}$/);
    expect(data).toEqual({ proposalId: proposal.id, status: "approved", memoryId });
    expect(await memoriesOf(owner)).toMatchObject([
      {
        id: data.status === "approved" ? data.memoryId : null,
        proposalId: proposal.id,
        category: proposal.category,
        content: proposal.content,
        confidence: 0.4,
        source: "agent",
        agentDid: agent.did,
        createdAt: testNow,
      },
    ]);
    expect(await stateOf(proposal.id)).toMatchObject({
      status: "approved",
      reviewedAt: testNow,
      reviewedBy: owner.did,
      content: proposal.content,
    });
    expect(await eventsOf(engine, owner.profileId)).toMatchObject([
      {
        actor: "owner",
        verb: "reviewProposal",
        outcome: "ok",
        subjectId: proposal.id,
        detail: { action: "approve", edited: false },
        requestId: meta.requestId,
      },
    ]);
  });

  test("editedContent replaces the text of the memory, not of the proposal", async () => {
    const { owner, proposal, input } = await proposed({ content: "Likes tee." });
    const editedContent = "  Likes tea. ";
    await owner.client.reviewProposal({ ...input, action: "approve", editedContent });
    expect(await memoriesOf(owner)).toMatchObject([{ content: "Likes tea." }]);
    expect((await stateOf(proposal.id)).content).toBe("Likes tee.");
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event?.detail).toMatchObject({ action: "approve", edited: true });
  });

  test("the agent then reads the memory, and finds its id in its list of proposals", async () => {
    const { owner, agent, input } = await proposed();
    const { data } = await owner.client.reviewProposal({ ...input, action: "approve" });
    const memories = await agent.client.listMemories({ did: owner.did });
    const memoryId = data.status === "approved" ? data.memoryId : "";
    expect(memories.data["prof:interests"]).toMatchObject([{ id: memoryId }]);
    const proposals = await agent.client.listProposals({ did: owner.did });
    expect(proposals.data).toMatchObject([{ status: "approved", memoryId }]);
  });

  test("a reason may come along, which the agent can read", async () => {
    const { owner, agent, input } = await proposed();
    await owner.client.reviewProposal({ ...input, action: "approve", reason: "True." });
    const { data } = await agent.client.listProposals({ did: owner.did });
    expect(data).toMatchObject([{ status: "approved", reason: "True." }]);
  });

  test("an approved proposal of the owner becomes the owner's memory", async () => {
    const owner = await mintOwner(engine);
    const { did, profileId } = owner;
    const { id } = await giveProposal(engine, { profileId, agentDid: did });
    await owner.client.reviewProposal({ did, proposalId: id, action: "approve" });
    expect(await memoriesOf(owner)).toMatchObject([{ source: "owner", agentDid: null }]);
  });
});

describe("200, action reject", () => {
  test("data is proposalId and status rejected; no memory is made, and the agent can read why", async () => {
    const { owner, agent, proposal, input } = await proposed();
    const { data } = await owner.client.reviewProposal({
      ...input,
      action: "reject",
      reason: "Not true any more.",
    });
    expect(data).toEqual({ proposalId: proposal.id, status: "rejected" });
    expect(await memoriesOf(owner)).toEqual([]);
    const [event] = await eventsOf(engine, owner.profileId);
    expect(event).toMatchObject({ subjectId: proposal.id, detail: { action: "reject" } });
    const list = await agent.client.listProposals({ did: owner.did });
    expect(list.data).toMatchObject([{ status: "rejected", reason: "Not true any more." }]);
  });
});

describe("400 PROF006: only a pending proposal moves", () => {
  test.each([
    ["approve", "approved"],
    ["reject", "rejected"],
  ] as const)("after %s, details.status is %s and nothing changes", async (action, status) => {
    const { owner, proposal, input } = await proposed();
    await owner.client.reviewProposal({ ...input, action });
    const before = await stateOf(proposal.id);
    for (const next of ["approve", "reject"] as const) {
      const reviewing = owner.client.reviewProposal({ ...input, action: next });
      await expect(reviewing).rejects.toMatchObject({
        status: 400,
        code: "PROF006",
        details: { status },
      });
    }
    expect(await stateOf(proposal.id)).toEqual(before);
    expect(await memoriesOf(owner)).toHaveLength(action === "approve" ? 1 : 0);
    const events = await eventsOf(engine, owner.profileId);
    expect(events.map(({ outcome }) => outcome).sort()).toEqual(["PROF006", "PROF006", "ok"]);
  });

  test("past expiresAt it counts as rejected, before the sweep and after it", async () => {
    const { owner, proposal, input } = await proposed({
      expiresAt: new Date(Date.UTC(2026, 2, 2)),
    });
    engine.setNow(proposal.expiresAt);
    for (const swept of [false, true]) {
      if (swept) expect(await expireProposals(engine.db, proposal.expiresAt)).toBeGreaterThan(0);
      const reviewing = owner.client.reviewProposal({ ...input, action: "approve" });
      await expect(reviewing).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining("expired"),
        details: { status: "rejected" },
      });
    }
    engine.setNow(testNow);
    expect(await memoriesOf(owner)).toEqual([]);
    expect(await stateOf(proposal.id)).toMatchObject({ status: "rejected", reason: "expired" });
  });

  test("a millisecond before expiresAt it can still be approved", async () => {
    const { owner, proposal, input } = await proposed();
    engine.setNow(new Date(proposal.expiresAt.getTime() - 1));
    expect((await owner.client.reviewProposal({ ...input, action: "approve" })).status).toBe(200);
    engine.setNow(testNow);
  });

  test("one of ten concurrent reviews wins, and an approval makes one memory", async () => {
    const { owner, input } = await proposed();
    const actions = ["approve", "reject", "approve", "reject", "approve"] as const;
    const reviews = [...actions, ...actions].map(
      (action) => () => owner.client.reviewProposal({ ...input, action }),
    );
    const settled = await collide(engine, "Proposal", reviews);
    const won = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value.data] : []));
    expect(won).toHaveLength(1);
    expect(await memoriesOf(owner)).toHaveLength(won[0]?.status === "approved" ? 1 : 0);
  });
});

describe("401 PROF001", () => {
  test("without credentials nothing changes", async () => {
    const { owner, proposal } = await proposed();
    const target = profilePath(owner.did, `/proposals/${proposal.id}/review`);
    const request = { method: "POST", target, body: `{"action":"approve"}` };
    const reply = await call(owner.client, request, { Authorization: null });
    expect(reply).toMatchObject({ status: 401, body: { error: { code: "PROF001" } } });
    expect((await stateOf(proposal.id)).status).toBe("pending");
  });
});

describe("403 PROF002: only the owner reviews", () => {
  test("not the proposing agent, not its token, not another user; each refusal is on record", async () => {
    const { owner, agent, proposal, input } = await proposed();
    const permissions = ["read" as const, "propose" as const];
    const token = await giveToken(engine, { owner, agent, permissions });
    const other = await mintOwner(engine);
    for (const { client } of [agent, token, other, await mintAgent(engine)]) {
      const reviewing = client.reviewProposal({ ...input, action: "approve" });
      await expect(reviewing).rejects.toMatchObject({ status: 403, code: "PROF002" });
    }
    expect((await stateOf(proposal.id)).status).toBe("pending");
    expect(await memoriesOf(owner)).toEqual([]);
    const events = await eventsOf(engine, owner.profileId);
    expect(events.map(({ verb, outcome }) => `${verb} ${outcome}`)).toEqual(
      Array(4).fill("reviewProposal PROF002"),
    );
  });
});

describe("404 PROF003", () => {
  test("for a proposal of another profile, which stays pending", async () => {
    const { proposal } = await proposed();
    const other = await mintOwner(engine);
    const input = { did: other.did, proposalId: proposal.id, action: "approve" as const };
    const reviewing = other.client.reviewProposal(input);
    await expect(reviewing).rejects.toMatchObject({ status: 404, code: "PROF003" });
    expect((await stateOf(proposal.id)).status).toBe("pending");
  });

  test.each(["prop_0000000000000000000000", "1", "prop_' OR 1=1 --", "x".repeat(300)])(
    "for a proposalId that names none: %s",
    async (proposalId) => {
      const { owner } = await proposed();
      const { did } = owner;
      const reviewing = owner.client.reviewProposal({ did, proposalId, action: "approve" });
      await expect(reviewing).rejects.toMatchObject({ status: 404, code: "PROF003" });
    },
  );
});
