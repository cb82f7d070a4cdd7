import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { notFound, notNow } from "@/lib/protocol/errors";
import type { Scope } from "@/lib/protocol/scope";
import type { PolicyOrigin } from "@/lib/rules/facts";
import { demandConfirmed } from "../authority";
import type { Ctx } from "../context";
import { changeProfile } from "../profile-gate";
import { isRevokedSince } from "../receipts/revoked-since";
import { notifyAgents } from "../webhooks/notify-agents";
import { keepBounds } from "./bounds";
import { lostBy, rewrite } from "./policies";
import type { PolicyInput } from "./policy-input";

/** A removed policy, as the removal's event keeps it. */
export interface Removed {
  policy: {
    id: string;
    origin: PolicyOrigin;
    agentPattern: string;
    allow: Scope[];
    deny: string[];
    purposes: string[];
    consentRequestId: string | null;
  };
  /** The tokens that were issued with it. */
  tokens: string[];
}

const undoMs = 10 * 60_000;

/** At once; for ten minutes its event gives it back. */
export async function removePolicy(
  ctx: Ctx,
  { did, policyId }: { did: string; policyId: string },
): Promise<void> {
  await changeProfile(ctx, { verb: "editPolicies", did }, async (open) => {
    const { tx } = open;
    const { id: profileId } = open.profile;
    const [removed] = await take(tx, { profileId, which: "id", value: policyId });
    if (removed === undefined) throw notFound("policy");
    // What the rule denied may be open now.
    if (removed.policy.deny.length > 0) await demandConfirmed(tx, ctx);
    await open.record({ subjectId: policyId, detail: { removed } });
    await notifyRemoved(tx, { now: ctx.now, profileId, policy: removed.policy });
  });
}

/** Restores a removed policy, unless its reason has ended since. */
export async function restorePolicy(
  ctx: Ctx,
  { did, policyId }: { did: string; policyId: string },
): Promise<void> {
  await changeProfile(ctx, { verb: "editPolicies", did, lasting: true }, async (open) => {
    const { tx } = open;
    const { id: profileId } = open.profile;
    const rows = await tx.$queryRaw<
      { removed: Removed; at: Date }[]
    >`SELECT detail -> 'removed' AS removed, at FROM "AccessEvent"
         WHERE "profileId" = ${profileId} AND verb = 'editPolicies' AND "subjectId" = ${policyId} AND outcome = 'ok'
           AND detail ? 'removed' AND at > ${undoableSince(ctx.now)}
         ORDER BY at DESC, id DESC LIMIT 1`;
    const [last] = rows;
    if (last === undefined) throw notNow("It was removed more than ten minutes ago.");
    const { removed, at: since } = last;
    if (removed.policy.origin === "template") await refuseOtherTemplate(tx, { profileId, since });
    await giveBack(tx, { profileId, now: ctx.now, removed, since });
    await open.record({ subjectId: policyId, detail: { restored: true } });
    await notifyAgents(tx, ctx.now, { policies: [policyId] });
  });
}

interface Saved {
  added?: unknown;
  before?: Omit<PolicyInput, "expiresAt"> & { expiresAt: string | null };
  /** The unused scope that the save took out of the rule. */
  shrunk?: unknown;
}

interface Undoing {
  did: string;
  policyId: string;
  /** Only the save of this event; left out, the last one. */
  eventId?: string;
}

/** Undoes the last save of a rule, for ten minutes and unless the rule was changed since. */
export async function undoSave(
  ctx: Ctx,
  { did, policyId, eventId }: Undoing,
): Promise<"removed" | "restored"> {
  return changeProfile(ctx, { verb: "editPolicies", did }, async (open) => {
    const { tx } = open;
    const profileId = open.profile.id;
    const [last] = await tx.$queryRaw<
      { id: string; saved: Saved; at: Date }[]
    >`SELECT id, detail AS saved, at FROM "AccessEvent"
       WHERE "profileId" = ${profileId} AND verb = 'editPolicies' AND "subjectId" = ${policyId} AND outcome = 'ok'
         AND at > ${undoableSince(ctx.now)} ORDER BY at DESC, id DESC LIMIT 1`;
    const row = await tx.policy.findUnique({ where: { id: policyId, profileId } });
    const { added, before, shrunk } = last?.saved ?? {};
    const isOther = eventId !== undefined && last?.id !== eventId;
    const isSave = added !== undefined || before !== undefined;
    if (last === undefined || row === null || isOther || !isSave) {
      throw notNow("The rule was changed since, or saved more than ten minutes ago.");
    }
    await refuseOvertaken(tx, { profileId, policy: row, since: last.at });
    if (before === undefined) {
      const [removed] = await take(tx, { profileId, which: "id", value: policyId });
      // What the rule denied may be open now.
      if (row.deny.length > 0) await demandConfirmed(tx, ctx);
      await open.record({ subjectId: policyId, detail: { removed } });
      await notifyRemoved(tx, { now: ctx.now, profileId, policy: row });
      return "removed";
    }
    await demandConfirmed(tx, ctx);
    await refuseRevoked(tx, { profileId, policy: { ...row, allow: before.allow }, since: last.at });
    const expiresAt = before.expiresAt === null ? null : new Date(before.expiresAt);
    await rewrite(tx, { row, policy: { ...before, expiresAt }, now: ctx.now });
    await open.record({ subjectId: policyId, detail: { restored: true, shrunk } });
    const isBack = lostBy({ ...row, ...before }, row).length > 0;
    const policies = isBack ? [policyId] : [];
    await notifyAgents(tx, ctx.now, { removed: lostBy(row, before), policies });
    return "restored";
  });
}

type Gone = Pick<Removed["policy"], "id" | "agentPattern" | "allow">;

async function notifyRemoved(
  tx: Tx,
  { now, profileId, policy }: { now: Date; profileId: number; policy: Gone },
): Promise<void> {
  const { id, agentPattern, allow } = policy;
  await notifyAgents(tx, now, { removed: [{ id, agentDid: agentPattern, profileId, allow }] });
}

export function undoableSince(now: Date): Date {
  return new Date(now.getTime() - undoMs);
}

interface Taking {
  profileId: number;
  which: "id" | "origin";
  value: string;
}

const taken = { id: Prisma.sql`p.id`, origin: Prisma.sql`p.origin::text` };

/** Deletes policies and returns them. */
export async function take(tx: Tx, { profileId, which, value }: Taking): Promise<Removed[]> {
  const rows = await tx.$queryRaw<Removed[]>`WITH issued AS (
       SELECT "policyId", jsonb_agg(id ORDER BY id) AS ids FROM "ConnectionToken"
       WHERE "profileId" = ${profileId} AND "policyId" IS NOT NULL GROUP BY "policyId"
     ), gone AS (
       DELETE FROM "Policy" p WHERE "profileId" = ${profileId} AND ${taken[which]} = ${value} RETURNING p.*
     )
     SELECT to_jsonb(gone) AS policy, coalesce(issued.ids, '[]') AS tokens
     FROM gone LEFT JOIN issued ON issued."policyId" = gone.id`;
  return rows;
}

interface Giving {
  profileId: number;
  now: Date;
  removed: Removed;
  since: Date;
}

/** The very row, with its tokens; nothing that a revocation ended since. */
export async function giveBack(
  tx: Tx,
  { profileId, now, removed: { policy, tokens }, since }: Giving,
): Promise<void> {
  const { origin } = policy;
  await refuseOvertaken(tx, { profileId, policy, since });
  if (origin === "consent" || origin === "token") {
    await refuseUngranted(tx, policy.consentRequestId);
  }
  await refuseRevoked(tx, { profileId, policy, since });
  const rowCount =
    await tx.$executeRaw`INSERT INTO "Policy" SELECT (jsonb_populate_record(NULL::"Policy", ${JSON.stringify(policy)}::jsonb)).*
     ON CONFLICT (id) DO NOTHING`;
  if (rowCount === 0) throw notNow("It is back already.");
  const relinked = await tx.connectionToken.updateMany({
    where: { id: { in: tokens }, profileId, revokedAt: null, expiresAt: { gt: now } },
    data: { policyId: policy.id },
  });
  if (origin === "token" && relinked.count === 0)
    throw notNow("Its connection token has ended since.");
  await keepBounds(tx, { profileId, now });
}

// A grant must not open again what the owner closed by revoking a receipt.
async function refuseRevoked(
  tx: Tx,
  { profileId, policy, since }: Overtaking & { policy: Pick<Removed["policy"], "allow"> },
): Promise<void> {
  const revoking = { profileId, agentDid: policy.agentPattern, since };
  if (policy.origin === "consent" && (await isRevokedSince(tx, revoking, [policy]))) {
    throw notNow("A receipt of its purpose was revoked since, so it stays removed.");
  }
}

// An undone grant waits for an answer again; restoring its rule must not bypass that.
async function refuseUngranted(tx: Tx, requestId: string | null): Promise<void> {
  if (requestId === null) return;
  const taken = { id: requestId, status: { not: "granted" as const } };
  if ((await tx.consentRequest.count({ where: taken })) > 0)
    throw notNow("Its grant was taken back since, so it stays removed.");
}

interface Overtaking {
  profileId: number;
  policy: Pick<Removed["policy"], "origin" | "agentPattern" | "purposes">;
  since: Date;
}

// Refuses if the reason of a rule has ended or was answered differently since.
async function refuseOvertaken(tx: Tx, { profileId, policy, since }: Overtaking): Promise<void> {
  const { origin, agentPattern, purposes } = policy;
  const rows = await tx.$queryRaw<
    { verb: keyof typeof overtaking }[]
  >`SELECT verb FROM "AccessEvent"
     WHERE "profileId" = ${profileId} AND at >= ${since} AND outcome = 'ok' AND (verb IN ('resetPassword', 'transferProfile')
       OR verb = 'revokeAgent' AND ${origin}::text IN ('consent', 'token') AND "subjectId" = ${agentPattern}
       OR verb = 'decideConsent' AND ${origin}::text = 'consent' AND detail->>'agentDid' = ${agentPattern} AND "purposeType" = ANY (${purposes}::text[]))
     LIMIT 1`;
  const [found] = rows;
  if (found !== undefined)
    throw notNow(`${overtaking[found.verb]} since, so the rule stays as it is.`);
}

const overtaking = {
  resetPassword: "The password was reset",
  transferProfile: "The profile was handed over",
  revokeAgent: "Its agent was disconnected",
  decideConsent: "A request of its agent for the same purpose was answered",
};

async function refuseOtherTemplate(
  tx: Tx,
  { profileId, since }: Pick<Overtaking, "profileId" | "since">,
): Promise<void> {
  const rowCount =
    await tx.$executeRaw`SELECT FROM "AccessEvent" WHERE "profileId" = ${profileId} AND at >= ${since} AND verb = 'editPolicies'
       AND outcome = 'ok' AND detail ? 'template' LIMIT 1`;
  if (rowCount !== 0) throw notNow("A template was chosen since, so it stays removed.");
}
