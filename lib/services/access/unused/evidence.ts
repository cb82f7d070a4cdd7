import type { Tx } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Did } from "@/lib/protocol/did";
import { type Category, covers, overlaps, type Scope } from "@/lib/protocol/scope";

/** For so many days a rule must have been open to its agent, and unread. */
export const unusedDays = 60;
const dayMs = 24 * 60 * 60_000;

export interface EvidenceQuery {
  profile: { id: number; did: string };
  agentDid: Did;
  now: Date;
}

/** A rule that lets one named agent read, and has allowed the same for the whole period. */
export interface NamingRule {
  id: string;
  origin: "owner" | "consent";
  allow: Scope[];
  /** Whether it lets the agent propose as well. */
  proposes: boolean;
  /** Since when it has allowed the same, apart from scopes that were taken out of it as unused. */
  since: Date;
}

function startOf(now: Date): Date {
  return new Date(now.getTime() - unusedDays * dayMs);
}

/**
 * Lists the rules of the owner's and the grants that are in force for this agent alone. Rules for verified agents are
 * left out: nothing says since when the agent has been verified.
 */
export async function findNamingRules(
  tx: Tx,
  { profile, agentDid, now }: EvidenceQuery,
): Promise<NamingRule[]> {
  const start = startOf(now);
  // A change of a rule moves `updatedAt`. If it only took out an unused scope, its event says since when the rest
  // has been as it is.
  const rows = await tx.$queryRaw<(Omit<NamingRule, "since"> & { since: Date | null })[]>`
    SELECT p.id, p.origin, p.allow, 'propose' = ANY(p.permissions) AS proposes,
      CASE WHEN p."updatedAt" <= ${start} THEN p."updatedAt" ELSE (
        SELECT (e.detail #>> '{shrunk,since}')::timestamptz FROM "AccessEvent" e
        WHERE e."profileId" = p."profileId" AND e."actorId" = ${profile.did} AND e.at = p."updatedAt"
          AND e.verb = 'editPolicies' AND e.outcome = 'ok' AND e."subjectId" = p.id LIMIT 1) END AS since
    FROM "Policy" p
    WHERE p."profileId" = ${profile.id} AND p."agentPattern" = ${agentDid} AND p.enabled
      AND p.origin IN ('owner', 'consent') AND 'read' = ANY(p.permissions) AND NOT p."verifiedOnly"
      AND (p."expiresAt" IS NULL OR p."expiresAt" > ${now}) AND p."createdAt" <= ${start}
    ORDER BY p."createdAt", p.id`;
  return rows.flatMap(({ since, ...rule }) =>
    since === null || since > start ? [] : [{ ...rule, since }],
  );
}

/** What the log says about the reads of an agent in the period. */
export interface ReadEvidence {
  /** False where the log may lack reads of the period: then it proves nothing unread. */
  isComplete: boolean;
  /** Whether something in the scope was read, or asked for and open. */
  hasRead: (scope: Scope) => boolean;
}

// An agent with more than this is not reported on.
const eventsMax = 20_000;
const namesMax = 10_000;

/** Reads from the log what was handed out to the agent in the period. */
export async function loadReads(tx: Tx, query: EvidenceQuery): Promise<ReadEvidence> {
  const { profile, agentDid, now } = query;
  const [found] = await tx.$queryRaw<Found[]>`
    WITH e AS MATERIALIZED (
      SELECT verb, outcome, granted, items, detail FROM "AccessEvent"
      WHERE "profileId" = ${profile.id} AND "actorId" = ${agentDid} AND at >= ${startOf(now)}
      ORDER BY at DESC LIMIT ${eventsMax + 1}
    ), r AS MATERIALIZED (
      SELECT * FROM e WHERE outcome = 'ok' AND verb IN ('getProfile', 'listMemories')
    )
    SELECT (SELECT count(*)::int FROM e) AS events,
      EXISTS (SELECT FROM r WHERE detail -> 'more' ?| '{items,granted}') AS "isCut",
      ARRAY(SELECT DISTINCT jsonb_object_keys(items) FROM r LIMIT ${namesMax + 1}) AS categories,
      ARRAY(SELECT DISTINCT unnest(granted) FROM r LIMIT ${namesMax + 1}) AS scopes,
      ${hasGap(query)} AS "hasGap"`;
  if (found === undefined) throw new Error("a statement of one row gave none");
  const { events, isCut, hasGap: isBroken, categories, scopes } = found;
  const isWhole = events <= eventsMax && Math.max(categories.length, scopes.length) <= namesMax;
  return {
    isComplete: isWhole && !isCut && !isBroken,
    hasRead: (scope) =>
      categories.some((category) => covers(scope, category)) ||
      scopes.some((granted) => overlaps(scope, granted)),
  };
}

interface Found {
  events: number;
  /** Whether an event had more entries than the log keeps. */
  isCut: boolean;
  hasGap: boolean;
  categories: Category[];
  scopes: Scope[];
}

// Retention drops events, an import brings rules that are older than the log, and a restored backup lacks the events
// after it was made.
const hasGap = ({ profile, now }: EvidenceQuery) => Prisma.sql`(
  EXISTS (SELECT FROM "AccessEvent" e
    WHERE e."profileId" = ${profile.id} AND e."actorId" IN ('gateway', ${profile.did}) AND e.at >= ${startOf(now)}
      AND e.outcome = 'ok' AND (e.verb = 'importProfile'
        OR e.verb = 'dropEvents' AND (e.detail ->> 'before')::timestamptz > ${startOf(now)}))
  OR EXISTS (SELECT FROM "AdminEvent" a WHERE a.verb = 'restoreBackup' AND a.at >= ${startOf(now)}))`;
