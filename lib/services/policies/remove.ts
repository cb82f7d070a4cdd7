import type { PoolClient } from "pg";
import { notFound, notNow } from "@/lib/protocol/errors";
import type { Scope } from "@/lib/protocol/scope";
import type { PolicyOrigin } from "@/lib/rules/facts";
import { demandConfirmed } from "../authority";
import type { Ctx } from "../context";
import { changeProfile } from "../open-profile";
import { isRevokedSince } from "../receipts/revoked-since";
import { keepBounds } from "./bounds";

/** A policy that is gone, as its removal's event keeps it. */
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
  /** Those that were issued with it. */
  tokens: string[];
}

const undoMs = 10 * 60_000;

/** At once; for ten minutes its event gives it back. */
export async function removePolicy(
  ctx: Ctx,
  { did, policyId }: { did: string; policyId: string },
): Promise<void> {
  await changeProfile(ctx, { verb: "editPolicies", did }, async (open) => {
    const { client } = open;
    const { id: profileId } = open.profile;
    const [removed] = await take(client, { profileId, which: "id", value: policyId });
    if (removed === undefined) throw notFound("policy");
    // What it denied may be open now.
    if (removed.policy.deny.length > 0) await demandConfirmed(client, ctx);
    await open.record({ subjectId: policyId, detail: { removed } });
  });
}

/** Brings a removed policy back as it was, unless what it stood for has ended since. */
export async function restorePolicy(
  ctx: Ctx,
  { did, policyId }: { did: string; policyId: string },
): Promise<void> {
  await changeProfile(ctx, { verb: "editPolicies", did, lasting: true }, async (open) => {
    const { client } = open;
    const { id: profileId } = open.profile;
    const { rows } = await client.query<{ removed: Removed; at: Date }>(
      `SELECT detail -> 'removed' AS removed, at FROM "AccessEvent"
         WHERE "profileId" = $1 AND verb = 'editPolicies' AND "subjectId" = $2 AND outcome = 'ok'
           AND detail ? 'removed' AND at > $3
         ORDER BY at DESC, id DESC LIMIT 1`,
      [profileId, policyId, undoableSince(ctx.now)],
    );
    const [last] = rows;
    if (last === undefined) throw notNow("It was removed more than ten minutes ago.");
    const { removed, at: since } = last;
    if (removed.policy.origin === "template")
      await refuseOtherTemplate(client, { profileId, since });
    await giveBack(client, { profileId, now: ctx.now, removed, since });
    await open.record({ subjectId: policyId, detail: { restored: true } });
  });
}

export function undoableSince(now: Date): Date {
  return new Date(now.getTime() - undoMs);
}

interface Taking {
  profileId: number;
  which: "id" | "origin";
  value: string;
}

/** Deletes, and tells what was deleted. */
export async function take(
  client: PoolClient,
  { profileId, which, value }: Taking,
): Promise<Removed[]> {
  const { rows } = await client.query<Removed>(
    `WITH issued AS (
       SELECT "policyId", jsonb_agg(id ORDER BY id) AS ids FROM "ConnectionToken"
       WHERE "profileId" = $1 AND "policyId" IS NOT NULL GROUP BY "policyId"
     ), gone AS (
       DELETE FROM "Policy" p WHERE "profileId" = $1 AND p.${which}::text = $2 RETURNING p.*
     )
     SELECT to_jsonb(gone) AS policy, coalesce(issued.ids, '[]') AS tokens
     FROM gone LEFT JOIN issued ON issued."policyId" = gone.id`,
    [profileId, value],
  );
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
  client: PoolClient,
  { profileId, now, removed: { policy, tokens }, since }: Giving,
): Promise<void> {
  const { origin, agentPattern } = policy;
  await refuseOvertaken(client, { profileId, policy, since });
  if (origin === "consent" || origin === "token") {
    await refuseUngranted(client, policy.consentRequestId);
  }
  const revoking = { profileId, agentDid: agentPattern, since };
  if (origin === "consent" && (await isRevokedSince(client, revoking, [policy]))) {
    throw notNow("A receipt of its purpose was revoked since, so it stays removed.");
  }
  const { rowCount } = await client.query(
    `INSERT INTO "Policy" SELECT (jsonb_populate_record(NULL::"Policy", $1)).*
     ON CONFLICT (id) DO NOTHING`,
    [policy],
  );
  if (rowCount === 0) throw notNow("It is back already.");
  const { rowCount: relinked } = await client.query(
    `UPDATE "ConnectionToken" SET "policyId" = $1
     WHERE "profileId" = $2 AND id = ANY ($3) AND "revokedAt" IS NULL AND "expiresAt" > $4`,
    [policy.id, profileId, tokens, now],
  );
  if (origin === "token" && relinked === 0) throw notNow("Its connection token has ended since.");
  await keepBounds(client, { profileId, now });
}

// A grant that was taken back waits for an answer again: its rule is no way round that.
async function refuseUngranted(client: PoolClient, requestId: string | null): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT FROM "ConsentRequest" WHERE id = $1 AND status <> 'granted'`,
    [requestId],
  );
  if (rowCount !== 0) throw notNow("Its grant was taken back since, so it stays removed.");
}

interface Overtaking {
  profileId: number;
  policy: Removed["policy"];
  since: Date;
}

// What a removed rule stood for can have ended, or been answered in another way.
async function refuseOvertaken(
  client: PoolClient,
  { profileId, policy, since }: Overtaking,
): Promise<void> {
  const { origin, agentPattern, purposes } = policy;
  const { rows } = await client.query<{ verb: keyof typeof overtaking }>(
    `SELECT verb FROM "AccessEvent"
     WHERE "profileId" = $1 AND at >= $2 AND outcome = 'ok' AND (verb IN ('resetPassword', 'transferProfile')
       OR verb = 'revokeAgent' AND $3 IN ('consent', 'token') AND "subjectId" = $4
       OR verb = 'decideConsent' AND $3 = 'consent' AND detail->>'agentDid' = $4 AND "purposeType" = ANY ($5))
     LIMIT 1`,
    [profileId, since, origin, agentPattern, purposes],
  );
  const [found] = rows;
  if (found !== undefined) throw notNow(`${overtaking[found.verb]} since, so it stays removed.`);
}

const overtaking = {
  resetPassword: "The password was reset",
  transferProfile: "The profile was handed over",
  revokeAgent: "Its agent was disconnected",
  decideConsent: "A request of its agent for the same purpose was answered",
};

async function refuseOtherTemplate(
  client: PoolClient,
  { profileId, since }: Pick<Overtaking, "profileId" | "since">,
): Promise<void> {
  const { rowCount } = await client.query(
    `SELECT FROM "AccessEvent" WHERE "profileId" = $1 AND at >= $2 AND verb = 'editPolicies'
       AND outcome = 'ok' AND detail ? 'template' LIMIT 1`,
    [profileId, since],
  );
  if (rowCount !== 0) throw notNow("A template was chosen since, so it stays removed.");
}
