import type { Engine } from "@/lib/engine/engine";
import { newId } from "@/lib/engine/random";
import { givePolicy, giveProposal, mintAgent, mintOwner } from "@/tests/support/personas";

/** What is left of a proposal that was rejected. */
export async function giveRejection(
  engine: Engine,
  rejected: { profileId: number; agentDid: string },
): Promise<string> {
  const id = newId("rej");
  const fingerprint = new Uint8Array(32);
  const data = { ...rejected, id, category: "prof:x", fingerprint, rejectedAt: engine.now() };
  await engine.db.rejection.create({ data, select: { id: true } });
  return id;
}

/** An import that brought nothing. */
export async function giveBatch(engine: Engine, profileId: number): Promise<string> {
  const id = newId("imp");
  const agentDid = `did:prof:agent:local:${id}`;
  const came = { name: "Import", format: "markdown", items: 0, known: 0, leftOut: {} };
  const data = { id, profileId, agentDid, ...came, createdAt: engine.now() };
  await engine.db.importBatch.create({ data, select: { id: true } });
  return id;
}

/** A rule that is used up, as what the gateway does by itself must not be taken for a deed of another. */
export async function giveRule(
  engine: Engine,
  whose: { profileId: number; agentDid: string },
): Promise<string> {
  const id = newId("rule");
  const createdAt = engine.now();
  const expiresAt = new Date(createdAt.getTime() + 24 * 60 * 60_000);
  const bounds = { categories: ["prof:interests"], confidenceMin: 1, uses: 1, usesMax: 1 };
  const data = { ...whose, id, ...bounds, createdAt, expiresAt };
  await engine.db.approveRule.create({ data, select: { id: true } });
  return id;
}

/** An agent that the owner has in quarantine. */
export async function giveQuarantine(engine: Engine, profileId: number): Promise<string> {
  const { did } = await mintAgent(engine);
  await givePolicy(engine, profileId, {
    ...{ agentPattern: did, allow: [], deny: ["prof:*"], permissions: [], origin: "quarantine" },
  });
  return did;
}

/** One of each, by what a form calls it. */
export async function giveReviewed(
  engine: Engine,
  { userId, ...whose }: { profileId: number; agentDid: string; userId: string },
): Promise<Record<string, string>> {
  const { profileId } = whose;
  const other = await mintOwner(engine);
  const reviewing = await giveReviewing(engine, userId);
  return {
    reviewerId: await giveReviewer(engine, { profileId, userId: other.userId, isAccepted: true }),
    invitedId: (await giveReviewing(engine, userId, false)).reviewerId,
    ...{ reviewingId: reviewing.reviewerId, forOwnerId: reviewing.proposalId },
    batchId: await giveBatch(engine, whose.profileId),
    rejectionId: await giveRejection(engine, whose),
    ruleId: await giveRule(engine, whose),
    shutOutDid: await giveQuarantine(engine, whose.profileId),
    unusedId: await giveUnused(engine, whose.profileId, whose.agentDid),
  };
}

/** A rule that has let the agent read its health for 90 days. */
export async function giveUnused(
  engine: Engine,
  profileId: number,
  agentPattern: string,
): Promise<string> {
  const old = new Date(engine.now().getTime() - 90 * 24 * 60 * 60_000);
  const rule = { agentPattern, allow: ["prof:health"], createdAt: old, updatedAt: old };
  return (await givePolicy(engine, profileId, rule)).id;
}

interface Delegated {
  profileId: number;
  userId: string;
  isAccepted: boolean;
}

/** A reviewer, or an invitation of one. */
export async function giveReviewer(
  engine: Engine,
  { isAccepted, ...who }: Delegated,
): Promise<string> {
  const id = newId("rvw");
  const createdAt = engine.now();
  const expiresAt = new Date(createdAt.getTime() + 24 * 60 * 60_000);
  const acceptedAt = isAccepted ? createdAt : null;
  await engine.db.reviewer.create({ data: { ...who, id, createdAt, expiresAt, acceptedAt } });
  return id;
}

/** An owner for whom the account reviews, or may, with a proposal that waits. */
export async function giveReviewing(engine: Engine, userId: string, isAccepted = true) {
  const { profileId } = await mintOwner(engine);
  const { did: agentDid } = await mintAgent(engine);
  const { id: proposalId } = await giveProposal(engine, {
    ...{ profileId, agentDid, content: "Likes green tea." },
  });
  return { reviewerId: await giveReviewer(engine, { profileId, userId, isAccepted }), proposalId };
}
