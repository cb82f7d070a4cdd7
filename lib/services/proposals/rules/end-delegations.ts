import type { Tx } from "@/lib/engine/db";

/**
 * Ends what decides about proposals in an owner's place, rules and reviewers, and returns how many that were. Part of a
 * transaction that has locked the profile.
 */
export async function endDelegations(
  tx: Tx,
  { profileId, now }: { profileId: number; now: Date },
): Promise<number> {
  const current = { where: { profileId, endedAt: null }, data: { endedAt: now } };
  const rules = await tx.approveRule.updateMany(current);
  const reviewers = await tx.reviewer.updateMany(current);
  return rules.count + reviewers.count;
}

/** Ends the rules that approve what an agent proposes. */
export async function endRulesOf(
  tx: Tx,
  { profileId, agentDid, now }: { profileId: number; agentDid: string; now: Date },
): Promise<void> {
  await tx.approveRule.updateMany({
    where: { profileId, agentDid, endedAt: null },
    data: { endedAt: now },
  });
}
