import { beforeEach, expect, test } from "vitest";
import { testEngine, testNow } from "@/tests/support/harness";
import {
  eventsOf,
  giveProposal,
  mintAgent,
  mintOwner,
  type Owner,
  signedIn,
} from "@/tests/support/personas";
import { categoriesMax } from "../../categories";
import { reviewProposal } from "./review";

const engine = await testEngine();
let owner: Owner;
let proposalId: string;

beforeEach(async () => {
  engine.setNow(testNow);
  owner = await mintOwner(engine);
  const { did: agentDid } = await mintAgent(engine);
  const given = { profileId: owner.profileId, agentDid, category: "prof:interests" };
  proposalId = (await giveProposal(engine, given)).id;
});

function approve(editedCategory: string) {
  const input = { did: owner.did, proposalId, action: "approve" as const, editedCategory };
  return reviewProposal(signedIn(engine, owner), input);
}

test("an approval keeps the memory in the category that the owner chose, and the proposal as it came", async () => {
  await approve("prof:health.sleep");
  const memory = await engine.db.memory.findUnique({ where: { proposalId } });
  expect(memory).toMatchObject({ category: "prof:health.sleep" });
  const proposal = await engine.db.proposal.findUnique({ where: { id: proposalId } });
  expect(proposal).toMatchObject({ status: "approved", category: "prof:interests" });
  expect(await eventsOf(engine, owner.profileId)).toMatchObject([
    { verb: "reviewProposal", detail: { action: "approve", edited: true } },
  ]);
});

test("the category that was proposed is no change", async () => {
  await approve("prof:interests");
  expect(await eventsOf(engine, owner.profileId)).toMatchObject([{ detail: { edited: false } }]);
});

test("a category more than a profile may have is refused, and nothing is decided", async () => {
  await engine.pool.query(
    `INSERT INTO "NamedValue" ("profileId", category, name, value, "updatedAt")
     SELECT $1, 'prof:c' || n, 'value', '1', $2 FROM generate_series(1, $3::int) n`,
    [owner.profileId, testNow, categoriesMax],
  );
  await expect(approve("prof:new")).rejects.toMatchObject({
    code: "PROF006",
    details: { issues: [{ path: "category" }] },
  });
  const proposal = await engine.db.proposal.findUnique({ where: { id: proposalId } });
  expect(proposal).toMatchObject({ status: "pending" });
});

test.each([
  ["expired", null, "has expired"],
  ["withdrawn", null, "was taken back by its agent"],
  ["withdrawn", "owner", "was rejected already"],
])("a rejection with the reason %s by %s says that the proposal %s", async (reason, by, how) => {
  const reviewedBy = by === null ? null : owner.did;
  const data = { status: "rejected", reviewedAt: testNow, reason, reviewedBy } as const;
  await engine.db.proposal.update({ where: { id: proposalId }, data });
  await expect(approve("prof:interests")).rejects.toMatchObject({
    details: { issues: [{ message: `This proposal ${how}; nothing was changed.` }] },
  });
});
