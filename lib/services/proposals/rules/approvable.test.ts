import { beforeEach, expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import {
  giveProposal,
  type Minted,
  mintAgent,
  mintOwner,
  type Owner,
  type ProposalGiven,
  signedIn,
} from "@/tests/support/personas";
import { type ReviewInput, reviewProposal } from "../deciding/review";
import { listApprovable, offeredAfter } from "./approvable";

const engine = await testEngine();
let owner: Owner;
let agent: Minted;

beforeEach(async () => {
  owner = await mintOwner(engine);
  agent = await mintAgent(engine);
});

const ctx = () => signedIn(engine, owner);
const listed = () => listApprovable(ctx(), { did: owner.did, agentDid: agent.did });

async function propose(given: ProposalGiven = {}) {
  const proposed = { profileId: owner.profileId, agentDid: agent.did, ...given };
  return (await giveProposal(engine, proposed)).id;
}

async function approve(count: number, how: Partial<ReviewInput> = {}, given: ProposalGiven = {}) {
  for (let place = 0; place < count; place++) {
    engine.setNow(new Date(engine.now().getTime() + 1_000));
    const proposalId = await propose(given);
    await reviewProposal(ctx(), { did: owner.did, proposalId, action: "approve", ...how });
  }
}

test("a kind is offered after ten approvals of it in a row, not after nine", async () => {
  await approve(offeredAfter - 1, {}, { category: "prof:interests.music" });
  expect(await listed()).toEqual([{ category: "prof:interests", isOffered: false }]);
  await approve(1);
  expect(await listed()).toEqual([{ category: "prof:interests", isOffered: true }]);
});

test.each<[string, Partial<ReviewInput>, ProposalGiven]>([
  ["a rejection", { action: "reject" }, {}],
  ["an edit", { editedContent: "Likes rain." }, {}],
  ["another category", { editedCategory: "prof:preferences" }, {}],
  ["a flag", {}, { flags: [{ kind: "aboutOther", in: "content", start: 0, end: 3 }] }],
])("%s among the last ten is none", async (_, how, given) => {
  await approve(offeredAfter);
  await approve(1, how, given);
  expect(await listed()).toEqual([{ category: "prof:interests", isOffered: false }]);
});

test("sensitive kinds are never listed, and what never was proposed is not either", async () => {
  await propose({ category: "prof:health.teeth" });
  await propose({ category: "prof:preferences" });
  expect(await listed()).toEqual([{ category: "prof:preferences", isOffered: false }]);
});
