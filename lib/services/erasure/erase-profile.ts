import type { Tx } from "@/lib/engine/db";
import { notFound } from "@/lib/protocol/errors";
import { hashDid } from "../accounts/new-profile";
import type { Ctx } from "../context";
import type { AgentEvent } from "../webhooks/enqueue";

export interface Erased {
  id: number;
  did: string;
}

const eventsAtOnce = 10_000;

/**
 * Part of a transaction that has locked the profile's row. Nothing of it is left but the hash of its DID,
 * and of its log the last seal: a person who exported it can still show that it was the whole. Returns the messages
 * for agents that knew it; the caller enqueues them at the end.
 */
export async function eraseProfile(
  tx: Tx,
  { profile: { id, did }, now }: { profile: Erased; now: Ctx["now"] },
): Promise<AgentEvent[]> {
  // Waits for everything that is being added to it.
  const rowCount = await tx.$executeRaw`SELECT FROM "Profile" WHERE id = ${id} FOR UPDATE`;
  if (rowCount === 0) throw notFound("profile");
  // Lets the trigger on its log pass.
  await tx.$executeRaw`SELECT set_config('gateway.erasing', ${String(id)}, true)`;
  await tx.retiredDid.create({ data: { didHash: hashDid(did), retiredAt: now } });
  const events = await forgetMessages(tx, { id, did });
  const ofProfile = { where: { profileId: id } };
  await tx.connectionToken.deleteMany(ofProfile);
  await tx.receipt.deleteMany(ofProfile);
  await tx.policy.deleteMany(ofProfile);
  await tx.consentRequest.deleteMany(ofProfile);
  await tx.namedValue.deleteMany(ofProfile);
  // Memories before proposals: a proposal that goes first has its memory written once more.
  await tx.memoryRevision.deleteMany({ where: { memory: ofProfile.where } });
  await tx.memory.deleteMany(ofProfile);
  await tx.proposal.deleteMany(ofProfile);
  await eraseEvents(tx, id);
  // Last, because requests under way wait for them.
  const ofDid = { where: { did } };
  await tx.key.deleteMany(ofDid);
  await tx.nonce.deleteMany(ofDid);
  await tx.agentDay.deleteMany(ofDid);
  await tx.rateWindow.deleteMany({ where: { caller: did } });
  await tx.profile.deleteMany({ where: { id } });
  return events;
}

// Earlier messages name the profile too, so that the last one is what is left of them.
async function forgetMessages(tx: Tx, { id, did }: Erased): Promise<AgentEvent[]> {
  const hooks = await tx.$queryRaw<{ agentDid: string }[]>`SELECT w."agentDid" FROM (
      SELECT "agentDid" FROM "ConnectionToken" WHERE "profileId" = ${id}
      UNION SELECT "agentDid" FROM "Receipt" WHERE "profileId" = ${id}
      UNION SELECT "agentPattern" FROM "Policy" WHERE "profileId" = ${id}
      UNION SELECT "agentDid" FROM "ConsentRequest" WHERE "profileId" = ${id}
      UNION SELECT "agentDid" FROM "Proposal" WHERE "profileId" = ${id} AND NOT imported
    ) known JOIN "Webhook" w USING ("agentDid")`;
  const agentDids = hooks.map(({ agentDid }) => agentDid);
  // Also to agents that the profile had nothing to do with any more.
  await tx.$executeRaw`DELETE FROM "Delivery" WHERE sink = 'webhook' AND body -> 'data' ->> 'profile' = ${did}`;
  const data = { profile: did, erased: true };
  return agentDids.map((agentDid) => ({ agentDid, type: "access.revoked", data }));
}

// In parts: one statement may take ten seconds, and a log may be long.
async function eraseEvents(tx: Tx, profileId: number): Promise<void> {
  await tx.accessEvent.deleteMany({ where: { profileId, hash: null } });
  const rows = await tx.$queryRaw<
    { first: string; last: string }[]
  >`SELECT coalesce(min(position), 0)::text AS first, coalesce(max(position), -1)::text AS last
     FROM "AccessEvent" WHERE "profileId" = ${profileId}`;
  const [{ first, last } = { first: 0, last: -1 }] = rows;
  for (let from = Number(first); from <= Number(last); from += eventsAtOnce) {
    const position = { gte: from, lt: from + eventsAtOnce };
    await tx.accessEvent.deleteMany({ where: { profileId, position } });
  }
  await tx.$executeRaw`DELETE FROM "Seal" s WHERE s."profileId" = ${profileId}
       AND s.position < (SELECT max(l.position) FROM "Seal" l WHERE l."profileId" = ${profileId})`;
}
