import type { PoolClient } from "pg";
import type { Did } from "@/lib/protocol/did";
import { invalidRequest, notFound } from "@/lib/protocol/errors";
import type { Scope } from "@/lib/protocol/scope";
import type { Ctx } from "../context";
import { changeProfile, type OpenChange } from "../open-profile";
import { keepBounds } from "../policies/bounds";
import { endTakenReceipts } from "../receipts/end-taken";
import { isRevokedSince } from "../receipts/revoked-since";
import { refuseBeyondCap } from "../tokens/tokens";
import type { AccessChange } from "./access-change";

/** How long a change of who has access can be taken back. */
export const restoreMinutes = 10;

export interface Restored {
  /** Policies, receipts and tokens that hold again. */
  restored: number;
  /** A grant that is gone again. */
  ended: number;
  /** Requests that wait again. */
  requests: number;
}

interface Change {
  at: Date;
  agentDid: Did | null;
  /** Of a decision about a request. */
  purposeType: string | null;
  ended: AccessChange;
  began: AccessChange;
  /** Rules that keep denying what a rule denied that it ended. */
  kept: AccessChange;
}

/**
 * Takes back what one event of the owner's did to who has access: just what it ended, where that would
 * still hold, and what it began. Once, and only a little while after.
 */
export async function restoreAccess(
  ctx: Ctx,
  { did, eventId }: { did: string; eventId: string },
): Promise<Restored> {
  return changeProfile(ctx, { verb: "restoreAccess", did, lasting: true }, async (open) => {
    const { client } = open;
    const change = await findChange(client, { ctx, open, eventId });
    const taking = { ctx, client, profile: open.profile, profileId: open.profile.id, change };
    const done: Restored = {
      ended: await endWhatBegan(taking),
      restored: await restoreHoldings(taking),
      requests: await reopenRequests(taking),
    };
    await endWhatKept(taking);
    const lifted = await liftRefusals(taking);
    if (done.ended + done.restored + done.requests + lifted === 0) {
      throw tooLate("It has run out since, or the agent has asked again: nothing was changed.");
    }
    const bounded = { profileId: open.profile.id, now: ctx.now };
    await keepBounds(client, bounded);
    await refuseBeyondCap(client, bounded);
    const { agentDid } = change;
    await open.record({ subjectId: eventId, detail: { agentDid, ...done } });
    return done;
  });
}

interface Finding {
  ctx: Ctx;
  open: OpenChange;
  eventId: string;
}

// Under the profile's lock: who else takes the same back has done so, or waits behind us.
async function findChange(client: PoolClient, { ctx, open, eventId }: Finding): Promise<Change> {
  const { rows } = await client.query<{
    at: Date;
    agentDid: Did | null;
    purposeType: string | null;
    detail: Partial<Pick<Change, "ended" | "began" | "kept">>;
    isDone: boolean;
    isOutdone: boolean;
    isBeforeReset: boolean;
  }>(
    `SELECT e.at, e.detail, e."purposeType", coalesce(e.detail->>'agentDid', e."subjectId") AS "agentDid", EXISTS (SELECT FROM "AccessEvent" r
       WHERE r."profileId" = e."profileId" AND r."actorId" = e."actorId" AND r.at >= e.at
         AND r.verb = 'restoreAccess' AND r.outcome = 'ok' AND r."subjectId" = e.id) AS "isDone",
       EXISTS (SELECT FROM "AccessEvent" d
       WHERE d."profileId" = e."profileId" AND d.at >= e.at AND d.id <> e.id AND d.verb = 'revokeAgent'
         AND d.outcome = 'ok' AND d."subjectId" = coalesce(e.detail->>'agentDid', e."subjectId")
         AND NOT EXISTS (SELECT FROM "AccessEvent" t WHERE t."profileId" = d."profileId"
           AND t.verb = 'restoreAccess' AND t.outcome = 'ok' AND t."subjectId" = d.id)) AS "isOutdone",
       EXISTS (SELECT FROM "AccessEvent" d
       WHERE d."profileId" = e."profileId" AND d.at >= e.at AND d.verb IN ('transferProfile', 'resetPassword')
         AND d.outcome = 'ok') AS "isBeforeReset"
     FROM "AccessEvent" e
     WHERE e.id = $1 AND e."profileId" = $2 AND e.outcome = 'ok' AND e.detail ? 'ended'`,
    [eventId, open.profile.id],
  );
  const [found] = rows;
  if (found === undefined) throw notFound("change");
  const { at, agentDid, purposeType, detail, isDone, isOutdone, isBeforeReset } = found;
  if (isDone) throw tooLate("This was taken back already.");
  if (ctx.now.getTime() - at.getTime() > restoreMinutes * 60_000) {
    throw tooLate(`A change of access can be taken back for ${restoreMinutes} minutes.`);
  }
  if (isBeforeReset) {
    throw tooLate("The profile's owner or password was changed since. Nothing was changed.");
  }
  const { ended = {}, began = {}, kept = {} } = detail;
  const { tokens = [], receipts = [], policies = [] } = ended;
  // What a later disconnection found ended already must not come back past it.
  if (isOutdone && tokens.length + receipts.length + policies.length > 0) {
    throw tooLate("The agent was disconnected since. Take that back first; nothing was changed.");
  }
  const revoking = { profileId: open.profile.id, agentDid, since: at, eventId };
  const openings = await openingsOf(client, { profileId: open.profile.id, ended });
  if (await isRevokedSince(client, revoking, openings)) {
    throw tooLate(
      "A receipt for this purpose was revoked since. Undo that first; nothing was changed.",
    );
  }
  return { at, agentDid, purposeType, ended, began, kept };
}

// Revoking a receipt ends no rule of a token, so it does not outdo one either.
async function openingsOf(
  client: PoolClient,
  { profileId, ended }: { profileId: number; ended: AccessChange },
) {
  const { rows } = await client.query<{ purposes: string[]; allow: Scope[] }>(
    `SELECT purposes, allow FROM "Policy"
       WHERE "profileId" = $1 AND id = ANY ($2) AND origin = 'consent'
     UNION ALL SELECT ARRAY["purposeType"], "grantedScopes" FROM "Receipt"
       WHERE "profileId" = $1 AND id = ANY ($3)`,
    [profileId, ended.policies ?? [], ended.receipts ?? []],
  );
  return rows;
}

function tooLate(message: string) {
  return invalidRequest([{ path: "id", message }]);
}

interface Taking {
  ctx: Ctx;
  client: PoolClient;
  profile: { id: number; did: string };
  profileId: number;
  change: Change;
}

async function endWhatBegan({ ctx, client, profile, profileId, change }: Taking) {
  const { agentDid, purposeType, at, began } = change;
  const { rowCount } = await client.query(
    `DELETE FROM "Policy" WHERE id = ANY($2) AND "profileId" = $1`,
    [profileId, began.policies ?? []],
  );
  // Also one that was revoked since: nothing may bring it back now.
  await client.query(
    `UPDATE "Receipt" SET "revokedAt" = $3 WHERE id = ANY($2) AND "profileId" = $1`,
    [profileId, began.receipts ?? [], ctx.now],
  );
  // Also where its rule is gone already.
  if (began.policies?.length && agentDid !== null && purposeType !== null) {
    await endTakenReceipts(client, { profile, agentDid, purposeType, at, now: ctx.now });
  }
  return rowCount ?? 0;
}

// Only what still is as the event left it, and would not have run out by itself.
async function restoreHoldings({ ctx, client, profileId, change: { at, ended } }: Taking) {
  const restore = async (statement: string, ids: readonly string[] = []) =>
    (await client.query(statement, [profileId, ids, at, ctx.now])).rowCount ?? 0;
  const tokens = await restore(
    `UPDATE "ConnectionToken" SET "revokedAt" = NULL
     WHERE "profileId" = $1 AND id = ANY($2) AND "revokedAt" = $3 AND "expiresAt" > $4`,
    ended.tokens,
  );
  const receipts = await restore(
    `UPDATE "Receipt" SET "revokedAt" = NULL
     WHERE "profileId" = $1 AND id = ANY($2) AND "revokedAt" = $3 AND "expiresAt" > $4`,
    ended.receipts,
  );
  const policies = await restore(
    `UPDATE "Policy" SET enabled = true, "updatedAt" = $4
     WHERE "profileId" = $1 AND id = ANY($2) AND NOT enabled AND "updatedAt" = $3
       AND ("expiresAt" IS NULL OR "expiresAt" > $4)`,
    ended.policies,
  );
  return tokens + receipts + policies;
}

// Only where a rule that holds again denies the same, and its owner has not changed it since.
async function endWhatKept({ client, profileId, change: { at, ended, kept } }: Taking) {
  await client.query(
    `DELETE FROM "Policy" d
     WHERE d."profileId" = $1 AND d.id = ANY($2) AND d."updatedAt" = $3 AND EXISTS (
       SELECT FROM "Policy" p WHERE p."profileId" = $1 AND p.id = ANY($4) AND p.enabled
         AND (p."agentPattern", p."verifiedOnly", p.deny, p.permissions)
           = (d."agentPattern", d."verifiedOnly", d.deny, d.permissions)
         AND p."expiresAt" IS NOT DISTINCT FROM d."expiresAt")`,
    [profileId, kept.policies ?? [], at, ended.policies ?? []],
  );
}

const uniqueViolation = "23505";

// An agent that has asked again has a request that waits already, and may be asking at this very moment:
// then the index refuses the old one, and the second look sees the new one.
async function reopenRequests(taking: Taking): Promise<number> {
  const { client } = taking;
  await client.query("SAVEPOINT reopening");
  try {
    return await reopenOnce(taking);
  } catch (error) {
    if (!isCollision(error)) throw error;
    await client.query("ROLLBACK TO SAVEPOINT reopening");
    return reopenOnce(taking);
  }
}

function isCollision(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === uniqueViolation;
}

async function reopenOnce({ client, profileId, change: { at, ended } }: Taking) {
  const { rowCount } = await client.query(
    `UPDATE "ConsentRequest" c SET status = 'pending', "decidedAt" = NULL, "grantedScopes" = '{}',
       "refusedUntil" = NULL
     WHERE c."profileId" = $1 AND c.id = ANY($2) AND c.status <> 'pending' AND c."decidedAt" = $3
       AND NOT EXISTS (SELECT FROM "ConsentRequest" o WHERE o."profileId" = c."profileId"
         AND o."agentDid" = c."agentDid" AND o."purposeType" = c."purposeType" AND o.status = 'pending')`,
    [profileId, ended.requests ?? [], at],
  );
  return rowCount ?? 0;
}

// Of a request that cannot wait again, as its agent has another one that waits.
async function liftRefusals({ ctx, client, profileId, change: { at, ended } }: Taking) {
  const { rowCount } = await client.query(
    `UPDATE "ConsentRequest" SET "refusedUntil" = NULL
     WHERE "profileId" = $1 AND id = ANY($2) AND "decidedAt" = $3 AND "refusedUntil" > $4`,
    [profileId, ended.requests ?? [], at, ctx.now],
  );
  return rowCount ?? 0;
}
