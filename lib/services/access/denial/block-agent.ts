import type { Tx } from "@/lib/engine/db";
import type { Did } from "@/lib/protocol/did";
import { isReopenable } from "../../proposals/deciding/reopen";
import { pendingAt } from "../../proposals/pending";
import { awaitTurns } from "../../proposals/propose";
import type { RemovedPolicy } from "../../webhooks/notify-agents";
import type { GrantDelta } from "../grant-delta";
import { denyAll } from "./deny-all";

interface Blocking {
  profile: { id: number; did: Did };
  agentDid: Did;
  now: Date;
}

/** What blocking changed, as the event of the removal keeps it. */
export interface Blocked {
  blocked: true;
  began: GrantDelta;
  /** How many proposals were rejected. */
  proposals: number;
}

/**
 * Denies an agent everything and rejects what it proposed; returns the ids of those proposals too, and the rules that
 * open nothing by it. Part of a transaction that has locked the profile.
 */
export async function blockAgent(
  tx: Tx,
  { profile, agentDid, now }: Blocking,
): Promise<{ blocked: Blocked; rejected: string[]; denied: RemovedPolicy[] }> {
  const profileId = profile.id;
  const { policyId, isNew } = await denyAll(tx, { profileId, now, agentPattern: agentDid });
  const proposals = await tx.proposal.updateManyAndReturn({
    where: { profileId, agentDid, ...pendingAt(now) },
    data: { status: "rejected", reviewedAt: now, reviewedBy: profile.did, heldAt: null },
    select: { id: true },
  });
  const began = { policies: isNew ? [policyId] : [] };
  return {
    blocked: { blocked: true, began, proposals: proposals.length },
    rejected: proposals.map(({ id }) => id),
    denied: isNew ? await findRulesFor(tx, { profileId, agentDid, now }) : [],
  };
}

/** The rules that open something to this agent alone, were there no denial. */
export async function findRulesFor(
  tx: Tx,
  { profileId, agentDid, now }: { profileId: number; agentDid: Did; now: Date },
): Promise<RemovedPolicy[]> {
  return tx.$queryRaw<RemovedPolicy[]>`
    SELECT id, "agentPattern" AS "agentDid", "profileId", allow FROM "Policy"
    WHERE "profileId" = ${profileId} AND "agentPattern" = ${agentDid} AND enabled AND allow <> '{}'
      AND ("expiresAt" IS NULL OR "expiresAt" > ${now}) ORDER BY id`;
}

interface Reopening {
  profileId: number;
  agentDid: Did;
  /** When it was blocked. */
  at: Date;
  now: Date;
}

/** Makes proposals that a block rejected wait again, except expired ones and those proposed again. Returns their ids. */
export async function reopenRejected(
  tx: Tx,
  { profileId, agentDid, at, now }: Reopening,
): Promise<string[]> {
  await awaitTurns(tx, { profileId, agentDids: [agentDid] });
  const rows = await tx.$queryRaw<{ id: string }[]>`UPDATE "Proposal" p
     SET status = 'pending', "reviewedAt" = NULL, "reviewedBy" = NULL, reason = NULL, "leftByRules" = true
     WHERE p."profileId" = ${profileId} AND p."agentDid" = ${agentDid} AND p.status = 'rejected'
       AND p."reviewedAt" = ${at} AND ${isReopenable(now)} RETURNING p.id`;
  return rows.map(({ id }) => id);
}
