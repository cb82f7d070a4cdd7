import type { Tx } from "@/lib/engine/db";
import type { Did } from "@/lib/protocol/did";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import type { Scope } from "@/lib/protocol/scope";
import type { Ctx } from "../context";
import { keepBounds } from "../policies/bounds";
import { changeProfile, type OpenChange } from "../profile-gate";
import { endTakenReceipts } from "../receipts/end-taken";
import { isRevokedSince } from "../receipts/revoked-since";
import { refuseBeyondCap } from "../tokens/tokens";
import { notifyAgents, type RemovedPolicy } from "../webhooks/notify-agents";
import { findRulesFor, reopenRejected } from "./denial/block-agent";
import type { GrantDelta } from "./grant-delta";
import { findShutOut } from "./quarantine/find-shut-out";
import { holdProposals } from "./quarantine/held";
import { liftRefusals, reopenRequests } from "./reopen-requests";

/** How long a change of access can be undone. */
const restoreMinutes = 10;

export interface Restored {
  /** Policies, receipts and tokens in force again. */
  restored: number;
  /** Grants that ended again. */
  ended: number;
  /** Requests that wait again. */
  requests: number;
  /** Where a block was undone: proposals that wait again, and whether a rule still denies the agent everything. */
  proposals?: number;
  isStillDenied?: boolean;
}

interface Change {
  at: Date;
  agentDid: Did | null;
  /** Whether it blocked the agent. */
  blocked: boolean;
  /** The purpose, for decisions about a request. */
  purposeType: string | null;
  ended: GrantDelta;
  began: GrantDelta;
  /** Rules that keep denying what an ended rule denied. */
  kept: GrantDelta;
}

/**
 * Undoes what one event of the owner's did to access: restores what it ended, if still valid, and ends what it
 * began. Once, and only for a short time.
 */
export async function restoreAccess(
  ctx: Ctx,
  { did, eventId }: { did: string; eventId: string },
): Promise<Restored> {
  return changeProfile(ctx, { verb: "restoreAccess", did, lasting: true }, async (open) => {
    const { tx } = open;
    const change = await findChange(tx, { ctx, open, eventId });
    const taking = { ctx, tx, profile: open.profile, profileId: open.profile.id, change };
    const ended = await endWhatBegan(taking);
    const restored = await restoreHoldings(taking);
    const requests = await reopenRequests(taking);
    const { reopened, opened, ...unblocked } = await liftBlock(taking);
    const done: Restored = {
      ended: ended.removed.length,
      restored: restored.tokens.length + restored.receipts.length + restored.policies.length,
      requests: requests.length,
      ...unblocked,
    };
    await endWhatKept(taking);
    const lifted = await liftRefusals(taking);
    if (!change.blocked && done.ended + done.restored + done.requests + lifted === 0) {
      throw tooLate("It has run out since, or the agent has asked again: nothing was changed.");
    }
    const bounded = { profileId: open.profile.id, now: ctx.now };
    await keepBounds(tx, bounded);
    await refuseBeyondCap(tx, bounded);
    const { agentDid } = change;
    await open.record({ subjectId: eventId, detail: { agentDid, ...done } });
    const receipts = [...restored.receipts, ...ended.receipts];
    const policies = [...restored.policies, ...opened];
    const changed = { ...restored, receipts, policies, removed: ended.removed, requests };
    await notifyAgents(tx, ctx.now, { ...changed, proposals: reopened });
    return done;
  });
}

interface Finding {
  ctx: Ctx;
  open: OpenChange;
  eventId: string;
}

// Under the profile's lock: another undo of the same event is complete, or waits.
async function findChange(tx: Tx, { ctx, open, eventId }: Finding): Promise<Change> {
  const rows = await tx.$queryRaw<
    {
      at: Date;
      agentDid: Did | null;
      purposeType: string | null;
      detail: Partial<Pick<Change, "blocked" | "ended" | "began" | "kept">>;
      isDone: boolean;
      /** Whether the agent was blocked since; null where it was not even disconnected. */
      blockedSince: boolean | null;
      isBeforeReset: boolean;
    }[]
  >`SELECT e.at, e.detail, e."purposeType", coalesce(e.detail->>'agentDid', e."subjectId") AS "agentDid", EXISTS (SELECT FROM "AccessEvent" r
       WHERE r."profileId" = e."profileId" AND r."actorId" = e."actorId" AND r.at >= e.at
         AND r.verb = 'restoreAccess' AND r.outcome = 'ok' AND r."subjectId" = e.id) AS "isDone",
       (SELECT bool_or(d.detail ? 'blocked') FROM "AccessEvent" d
       WHERE d."profileId" = e."profileId" AND d.at >= e.at AND d.id <> e.id AND d.verb = 'revokeAgent'
         AND d.outcome = 'ok' AND d."subjectId" = coalesce(e.detail->>'agentDid', e."subjectId")
         AND NOT EXISTS (SELECT FROM "AccessEvent" t WHERE t."profileId" = d."profileId"
           AND t.verb = 'restoreAccess' AND t.outcome = 'ok' AND t."subjectId" = d.id)) AS "blockedSince",
       EXISTS (SELECT FROM "AccessEvent" d
       WHERE d."profileId" = e."profileId" AND d.at >= e.at AND d.verb IN ('transferProfile', 'resetPassword')
         AND d.outcome = 'ok') AS "isBeforeReset"
     FROM "AccessEvent" e
     WHERE e.id = ${eventId} AND e."profileId" = ${open.profile.id} AND e.outcome = 'ok' AND e.actor <> 'system' AND e.detail ? 'ended'`;
  const [found] = rows;
  if (found === undefined) throw notFound("change");
  const { at, agentDid, purposeType, detail, isDone, blockedSince, isBeforeReset } = found;
  if (isDone) throw tooLate("This was taken back already.");
  if (ctx.now.getTime() - at.getTime() > restoreMinutes * 60_000) {
    throw tooLate(`A change of access can be taken back for ${restoreMinutes} minutes.`);
  }
  if (isBeforeReset) {
    throw tooLate("The profile's owner or password was changed since. Nothing was changed.");
  }
  const { blocked = false, ended = {}, began = {}, kept = {} } = detail;
  const hasEnded = [ended.tokens, ended.receipts, ended.policies].some((ids) => ids?.length);
  // Something that a later disconnection ended must not come back, and a later block relies on this one's rule.
  if (blockedSince !== null && (hasEnded || (blocked && blockedSince))) {
    throw tooLate("The agent was disconnected since. Take that back first; nothing was changed.");
  }
  const revoking = { profileId: open.profile.id, agentDid, since: at, eventId };
  const grants = await endedGrants(tx, { profileId: open.profile.id, ended });
  if (await isRevokedSince(tx, revoking, grants)) {
    throw tooLate(
      "A receipt for this purpose was revoked since. Undo that first; nothing was changed.",
    );
  }
  return { at, agentDid, blocked, purposeType, ended, began, kept };
}

// Revoking a receipt ends no rule of a token, so it does not outdo one either.
async function endedGrants(tx: Tx, { profileId, ended }: { profileId: number; ended: GrantDelta }) {
  const rows = await tx.$queryRaw<
    { purposes: string[]; allow: Scope[] }[]
  >`SELECT purposes, allow FROM "Policy"
       WHERE "profileId" = ${profileId} AND id = ANY (${ended.policies ?? []}::text[]) AND origin = 'consent'
     UNION ALL SELECT ARRAY["purposeType"], "grantedScopes" FROM "Receipt"
       WHERE "profileId" = ${profileId} AND id = ANY (${ended.receipts ?? []}::text[])`;
  return rows;
}

function tooLate(message: string) {
  return invalidRequest([{ path: "id", message }]);
}

interface Taking {
  ctx: Ctx;
  tx: Tx;
  profile: { id: number; did: string };
  profileId: number;
  change: Change;
}

async function endWhatBegan({ ctx, tx, profile, profileId, change }: Taking) {
  const { agentDid, purposeType, at, began } = change;
  const removed = await tx.$queryRaw<RemovedPolicy[]>`
    DELETE FROM "Policy" WHERE id = ANY(${began.policies ?? []}::text[]) AND "profileId" = ${profileId}
    RETURNING id, "agentPattern" AS "agentDid", "profileId", allow`;
  // Also one that was revoked since: nothing may bring it back now.
  const receipts = await tx.receipt.updateManyAndReturn({
    where: { id: { in: [...(began.receipts ?? [])] }, profileId },
    ...{ data: { revokedAt: ctx.now }, select: { id: true } },
  });
  const ended = idsOf(receipts);
  // Also if its rule is gone already.
  if (began.policies?.length && agentDid !== null && purposeType !== null) {
    const taken = { profile, agentDid, purposeType, at, now: ctx.now };
    ended.push(...(await endTakenReceipts(tx, taken)));
  }
  return { removed, receipts: ended };
}

// Only what is as the event left it, and has not expired.
async function restoreHoldings({ ctx, tx, profileId, change: { at, ended } }: Taking) {
  const { now } = ctx;
  const revoked = (ids: readonly string[] = []) => ({
    where: { id: { in: [...ids] }, profileId, revokedAt: at, expiresAt: { gt: now } },
    data: { revokedAt: null },
    select: { id: true },
  });
  const tokens = await tx.connectionToken.updateManyAndReturn(revoked(ended.tokens));
  const receipts = await tx.receipt.updateManyAndReturn(revoked(ended.receipts));
  const policies = await tx.policy.updateManyAndReturn({
    where: {
      id: { in: [...(ended.policies ?? [])] },
      profileId,
      enabled: false,
      updatedAt: at,
      OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
    },
    data: { enabled: true, updatedAt: now },
    select: { id: true },
  });
  return { tokens: idsOf(tokens), receipts: idsOf(receipts), policies: idsOf(policies) };
}

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

// Only if a restored rule denies the same, and its owner has not changed it.
async function endWhatKept({ tx, profileId, change: { at, ended, kept } }: Taking) {
  await tx.$executeRaw`DELETE FROM "Policy" d
     WHERE d."profileId" = ${profileId} AND d.id = ANY(${kept.policies ?? []}::text[]) AND d."updatedAt" = ${at} AND EXISTS (
       SELECT FROM "Policy" p WHERE p."profileId" = ${profileId} AND p.id = ANY(${ended.policies ?? []}::text[]) AND p.enabled
         AND (p."agentPattern", p."verifiedOnly", p.deny, p.permissions)
           = (d."agentPattern", d."verifiedOnly", d.deny, d.permissions)
         AND p."expiresAt" IS NOT DISTINCT FROM d."expiresAt")`;
}

async function liftBlock({ ctx, tx, profileId, change: { at, agentDid, blocked } }: Taking) {
  if (!blocked || agentDid === null) return { reopened: [], opened: [] };
  const whose = { profileId, agentDid, now: ctx.now };
  const reopened = await reopenRejected(tx, { ...whose, at });
  const { blockedBy, quarantinedAt } = await findShutOut(tx, whose);
  if (quarantinedAt !== null) await holdProposals(tx, whose);
  const isStillDenied = blockedBy !== null || quarantinedAt !== null;
  const opened = isStillDenied ? [] : (await findRulesFor(tx, whose)).map(({ id }) => id);
  return { reopened, opened, proposals: reopened.length, isStillDenied };
}
