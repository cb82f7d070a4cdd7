import { beforeEach, describe, expect, test } from "vitest";
import vectors from "@/lib/rules/likeness/vectors.json";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  givePolicy,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { liftRejection, listRejections } from "./rejections";
import { reopenProposals } from "./reopen";
import { reviewProposal } from "./review";

const engine = await testEngine();
let owner: Owner;
let iris: Minted;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  iris = await mintAgent(engine);
  await givePolicy(engine, owner.profileId, { permissions: ["propose"] });
});

const ctx = () => signedIn(engine, owner);

function propose(content: string, by = iris, category = "prof:interests") {
  return by.client.proposeMemory({ did: owner.did, category, content, confidence: 0.9 });
}

async function rejected(content: string, reason?: string): Promise<string> {
  const { data } = await propose(content);
  const { proposalId } = data as { proposalId: string };
  await reviewProposal(ctx(), { did: owner.did, proposalId, action: "reject", reason });
  return proposalId;
}

const listed = () => listRejections(ctx(), { did: owner.did, agentDid: iris.did });

describe("an agent that proposes what was rejected of it", () => {
  test.each([undefined, "Not true."])("is answered at once, with the reason %o", async (reason) => {
    await rejected("Likes olives.", reason);
    await expect(propose("Likes olives.")).rejects.toMatchObject({
      code: "PROF006",
      details: { status: "already_rejected", ...(reason === undefined ? {} : { reason }) },
    });
    expect(await engine.db.proposal.count({ where: { status: "pending" } })).toBe(0);
    expect(await eventsOf(engine, owner.profileId)).toContainEqual(
      expect.objectContaining({ verb: "proposeMemory", outcome: "PROF006" }),
    );
  });

  test("is answered for another category and for other words of the same sense, too", async () => {
    await rejected("Likes olives.");
    await expect(propose("The user likes olives!", iris, "prof:health")).rejects.toMatchObject({
      details: { status: "already_rejected" },
    });
  });

  test("is counted, and once more after the proposal's row is gone", async () => {
    const proposalId = await rejected("Likes olives.");
    await propose("Likes olives.").catch(() => undefined);
    await engine.db.proposal.delete({ where: { id: proposalId } });
    await propose("Likes olives.").catch(() => undefined);
    expect(await listed()).toMatchObject({
      count: 1,
      timesMet: 2,
      all: [{ content: null, category: "prof:interests", timesMet: 2, lastMetAt: testNow }],
    });
  });

  test("may do so again once its owner lifted it", async () => {
    await rejected("Likes olives.");
    const [one] = (await listed()).all;
    await liftRejection(ctx(), { did: owner.did, rejectionId: one?.id ?? "" });
    expect(await propose("Likes olives.")).toMatchObject({ status: 201 });
    expect(await eventsOf(engine, owner.profileId)).toContainEqual(
      expect.objectContaining({ verb: "liftRejection", outcome: "ok" }),
    );
  });

  test("may do so again once its owner undid the rejection: the same proposal waits", async () => {
    const proposalId = await rejected("Likes olives.");
    await reopenProposals(ctx(), { did: owner.did, proposalIds: [proposalId] });
    expect(await propose("Likes olives.")).toMatchObject({ status: 200, data: { proposalId } });
  });
});

test("another agent gets the answer of anything else", async () => {
  await rejected("Likes olives.", "Not true.");
  const nova = await mintAgent(engine);
  const [met, other] = [await propose("Likes olives.", nova), await propose("Likes figs.", nova)];
  const shapeOf = ({ status, data }: typeof met) => [status, Object.keys(data), data.status];
  expect(shapeOf(met)).toEqual(shapeOf(other));
});

test("what expired counts as nothing", async () => {
  await propose("Likes olives.");
  engine.setNow(new Date(testNow.getTime() + 8 * 24 * 60 * 60_000));
  expect(await propose("Likes olives.")).toMatchObject({ status: 201 });
});

test.each(vectors.filter(({ relation }) => /contradicts|updates/.test(relation)))(
  "$one, rejected, does not keep out: $other",
  async ({ one, other }) => {
    await rejected(one);
    expect(await propose(other)).toMatchObject({ status: 201 });
  },
);

test("ten at once are counted ten times and make nothing", async () => {
  await rejected("Likes olives.");
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => propose("Likes olives.")));
  const codes = all.map((one) => one.status === "rejected" && one.reason.details);
  expect(codes).toEqual(Array(10).fill(expect.objectContaining({ status: "already_rejected" })));
  expect(await listed()).toMatchObject({ timesMet: 10 });
  expect(await engine.db.proposal.count({ where: { profileId: owner.profileId } })).toBe(1);
});

test("only the owner may list and lift", async () => {
  await rejected("Likes olives.");
  const [one] = (await listed()).all;
  const stranger = signedIn(engine, await mintOwner(engine));
  const input = { did: owner.did, agentDid: iris.did, rejectionId: one?.id ?? "" };
  await expect(listRejections(stranger, input)).rejects.toMatchObject({ code: "PROF002" });
  await expect(liftRejection(stranger, input)).rejects.toMatchObject({ code: "PROF002" });
  const { did } = await mintOwner(engine);
  await expect(liftRejection(stranger, { ...input, did })).rejects.toMatchObject({
    code: "PROF002",
  });
});
