import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Did } from "@/lib/protocol/did";
import type { Scope } from "@/lib/protocol/scope";
import { type NamedAgent, namedAgent } from "../../access/named-agent";
import { findShutOut, type ShutOut } from "../../access/quarantine/find-shut-out";
import type { Ctx } from "../../context";
import type { ProfileRow } from "../../facts";
import { withProfile } from "../../profile-gate";
import { isPending, isWaiting } from "../../proposals/pending";
import { withdrawn } from "../../requests/withdraw";
import { concernDays } from "../record-new-key";
import type { AgentCondition } from "./list-known";

export interface HeldReceipt {
  id: string;
  scopes: Scope[];
  purposeType: string;
  expiresAt: Date;
}

export interface HeldToken {
  id: string;
  label: string | null;
  /** Null for what a client connected: its tokens change. */
  lastFour: string | null;
  expiresAt: Date;
  lastUsedAt: Date | null;
}

export interface AgentKey {
  id: string;
  addedAt: Date;
  revokedAt: Date | null;
  /** Added by an admin, and not by the user who registered the agent. */
  isByAdmin: boolean;
}

/** All that one profile's owner may know of an agent. */
export interface AgentDossier extends ShutOut {
  agent: NamedAgent;
  state: AgentCondition;
  stateReason: string | null;
  operator: string | null;
  description: string | null;
  /** Null where the gateway does not know it any more. */
  registered: { by: "itself" | "you" | "a_user" | "an_admin" | "client"; at: Date } | null;
  /** The active ones, and for some time those that an admin added and somebody revoked. */
  keys: AgentKey[];
  firstSeenAt: Date | null;
  lastSeenAt: Date | null;
  /** What grants of its own and tokens let it do. */
  grants: Grant[];
  receipts: HeldReceipt[];
  tokens: HeldToken[];
  requests: number;
  proposals: Record<"pending" | "held" | "approved" | "rejected" | "expired" | "takenBack", number>;
}

export interface Grant {
  scopes: Scope[];
  expiresAt: Date | null;
}

interface Input {
  did: string;
  agentDid: Did;
}

type Row = Omit<AgentDossier, "registered" | keyof ShutOut> & {
  origin: "itself" | "user" | "admin" | "client" | null;
  registeredBy: string | null;
  createdAt: Date | null;
  /** Whether a policy names it alone, in force or not. */
  hasPolicy: boolean;
};

/** Null where it has nothing to do with this profile and is no active agent that anybody may choose. */
export async function findKnownAgent(
  ctx: Ctx,
  { did, agentDid }: Input,
): Promise<AgentDossier | null> {
  return withProfile(ctx, { verb: "readActivity", did }, async ({ profile }) => {
    const [row] = await ctx.db.$queryRaw<Row[]>(dossierSql(profile, { agentDid, now: ctx.now }));
    if (row === undefined) return null;
    const { origin, registeredBy, createdAt, hasPolicy, ...known } = row;
    const isOwn = origin === "user" && registeredBy === profile.ownerId;
    // Other owners must not see the agent of a client.
    const isOpen = known.state === "active" && origin !== "client";
    if (!isOwn && !hasPolicy && !isRelated(known) && !isOpen) return null;
    return {
      ...known,
      ...dated(known),
      ...(await findShutOut(ctx.db, { profileId: profile.id, agentDid })),
      registered:
        origin === null || createdAt === null
          ? null
          : { by: isOwn ? "you" : registrants[origin], at: createdAt },
    };
  });
}

const registrants = {
  itself: "itself",
  user: "a_user",
  admin: "an_admin",
  client: "client",
} as const;

type Relations = Pick<Row, "lastSeenAt" | "receipts" | "tokens" | "requests" | "proposals">;

function isRelated({ lastSeenAt, receipts, tokens, requests, proposals }: Relations): boolean {
  const made = Object.values(proposals).reduce((sum, count) => sum + count, requests);
  return lastSeenAt !== null || receipts.length + tokens.length + made > 0;
}

// JSON has times as text.
function dated({
  keys,
  grants,
  receipts,
  tokens,
}: Pick<Row, "keys" | "grants" | "receipts" | "tokens">) {
  return {
    grants: grants.map((one) => ({
      ...one,
      expiresAt: one.expiresAt === null ? null : new Date(one.expiresAt),
    })),
    keys: keys.map((one) => ({
      ...one,
      addedAt: new Date(one.addedAt),
      revokedAt: one.revokedAt === null ? null : new Date(one.revokedAt),
    })),
    receipts: receipts.map((one) => ({ ...one, expiresAt: new Date(one.expiresAt) })),
    tokens: tokens.map((one) => ({
      ...one,
      expiresAt: new Date(one.expiresAt),
      lastUsedAt: one.lastUsedAt === null ? null : new Date(one.lastUsedAt),
    })),
  };
}

const holdingsMax = 100;

const dayMs = 24 * 60 * 60_000;

function revokedSince(now: Date): Date {
  return new Date(now.getTime() - concernDays * dayMs);
}

// A registration that waits for approval is shown only to the user who made it.
const dossierSql = (
  { id, ownerId }: Pick<ProfileRow, "id" | "ownerId">,
  { agentDid, now }: { agentDid: Did; now: Date },
) => Prisma.sql`
  SELECT ${namedAgent("g")} AS agent, coalesce(a.state::text, 'unknown') AS state, a."stateReason",
    a.operator, a.description, a.origin, a."registeredBy",
    a."createdAt", seen.first AS "firstSeenAt", seen.last AS "lastSeenAt", signing.keys, held.*
  FROM (SELECT ${agentDid}::text AS "agentDid") g
  LEFT JOIN "Agent" a ON a.did = g."agentDid" AND (a.state <> 'pending' OR a."registeredBy" = ${ownerId})
  CROSS JOIN LATERAL (
    SELECT min(at) AS first, max(at) AS last FROM "AccessEvent"
    WHERE "profileId" = ${id} AND "actorId" = g."agentDid") seen
  CROSS JOIN LATERAL (
    SELECT coalesce(jsonb_agg(k ORDER BY k."addedAt" DESC, k.id), '[]') AS keys FROM (
      SELECT k.id, k."createdAt" AS "addedAt", k."revokedAt", admin."isByAdmin"
      FROM "Key" k CROSS JOIN LATERAL (SELECT EXISTS (
        SELECT FROM "AdminEvent" e WHERE e."subjectId" = k.did AND e.at = k."createdAt"
          AND e.verb = 'addKey' AND e.after->>'key' = k.id
          AND (a.origin = 'user' AND e."adminId" = a."registeredBy") IS NOT TRUE) AS "isByAdmin") admin
      WHERE k.did = a.did
        AND (k.slot IS NOT NULL OR (k."revokedAt" > ${revokedSince(now)} AND admin."isByAdmin"))
      ORDER BY k."createdAt" DESC, k.id LIMIT ${holdingsMax}) k) signing
  CROSS JOIN LATERAL (SELECT
    EXISTS (SELECT FROM "Policy" WHERE "profileId" = ${id} AND "agentPattern" = g."agentDid")
      AS "hasPolicy",
    (SELECT coalesce(jsonb_agg(p ORDER BY p."expiresAt"), '[]') FROM (
       SELECT allow AS scopes, "expiresAt" FROM "Policy"
       WHERE "profileId" = ${id} AND "agentPattern" = g."agentDid" AND origin IN ('consent', 'token')
         AND enabled AND ("expiresAt" IS NULL OR "expiresAt" > ${now})
       ORDER BY "expiresAt" LIMIT ${holdingsMax}) p) AS grants,
    (SELECT coalesce(jsonb_agg(r ORDER BY r."expiresAt"), '[]') FROM (
       SELECT id, "grantedScopes" AS scopes, "purposeType", "expiresAt" FROM "Receipt"
       WHERE "profileId" = ${id} AND "agentDid" = g."agentDid" AND "revokedAt" IS NULL
         AND "expiresAt" > ${now} ORDER BY "expiresAt" LIMIT ${holdingsMax}) r) AS receipts,
    (SELECT coalesce(jsonb_agg(t ORDER BY t."expiresAt"), '[]') FROM (
       SELECT id, label, "lastFour", "expiresAt", "lastUsedAt" FROM "ConnectionToken"
       WHERE "profileId" = ${id} AND "agentDid" = g."agentDid" AND "revokedAt" IS NULL
         AND "expiresAt" > ${now} ORDER BY "expiresAt" LIMIT ${holdingsMax}) t) AS tokens,
    (SELECT count(*)::int FROM "ConsentRequest"
     WHERE "profileId" = ${id} AND "agentDid" = g."agentDid" AND status = 'pending') AS requests,
    (SELECT jsonb_build_object(
       'pending', count(*) FILTER (WHERE ${isWaiting(now)}),
       'held', count(*) FILTER (WHERE "heldAt" IS NOT NULL),
       'approved', count(*) FILTER (WHERE status = 'approved'),
       'rejected', count(*) FILTER (WHERE status = 'rejected' AND "reviewedBy" IS NOT NULL),
       'expired', count(*) FILTER (WHERE status = 'rejected' AND "reviewedBy" IS NULL AND reason IS DISTINCT FROM ${withdrawn}
         OR status = 'pending' AND NOT ${isPending(now)}),
       'takenBack', count(*) FILTER (WHERE status = 'rejected' AND "reviewedBy" IS NULL AND reason = ${withdrawn}))
     FROM "Proposal" WHERE "profileId" = ${id} AND "agentDid" = g."agentDid") AS proposals
  ) held`;
