import { expect, test } from "vitest";
import { testEngine } from "@/tests/support/harness";
import { giveProposal, mintAgent, mintOwner } from "@/tests/support/personas";
import { expireProposals } from "./expire";

const engine = await testEngine();

async function givePast(count: number): Promise<void> {
  const { profileId } = await mintOwner(engine);
  const { did: agentDid } = await mintAgent(engine);
  const [proposedAt, expiresAt] = [2, 1].map((ms) => new Date(engine.now().getTime() - ms));
  for (let given = 0; given < count; given++) {
    await giveProposal(engine, { profileId, agentDid, proposedAt, expiresAt });
  }
}

/** Empties the pending list of the GIN index, and returns how many pages it had. */
async function sortIn(): Promise<number> {
  const { rows } = await engine.pool.query<{ pages: number }>(
    `SELECT gin_clean_pending_list('"Proposal_decided_similar_idx"')::int AS pages`,
  );
  return rows[0]?.pages ?? Number.NaN;
}

test("stores expired proposals as rejected, at most 100 per call", async () => {
  await givePast(101);
  const pending = await giveProposal(engine, {
    profileId: (await mintOwner(engine)).profileId,
    agentDid: (await mintAgent(engine)).did,
  });
  expect(await expireProposals(engine.db, engine.now())).toBe(100);
  expect(await expireProposals(engine.db, engine.now())).toBe(1);
  expect(await expireProposals(engine.db, engine.now())).toBe(0);
  const left = await engine.db.proposal.findMany({ where: { status: "pending" } });
  expect(left.map(({ id }) => id)).toEqual([pending.id]);
});

test("empties the pending list that the previous batch left in the GIN index", async () => {
  // Autovacuum would empty the list, too.
  await engine.pool.query(`ALTER TABLE "Proposal" SET (autovacuum_enabled = off)`);
  await givePast(20);
  await expireProposals(engine.db, engine.now());
  expect(await sortIn()).toBeGreaterThan(0);
  await givePast(20);
  await expireProposals(engine.db, engine.now());
  await expireProposals(engine.db, engine.now());
  expect(await sortIn()).toBe(0);
});
