import { Prisma } from "@/lib/engine/prisma-client/client";
import { type Reach, reach } from "@/lib/rules/effect/reach";
import type { Facts } from "@/lib/rules/facts";
import { type NamedAgent, namedAgent } from "../../access/named-agent";
import type { Ctx } from "../../context";
import { loadFacts, type ProfileRow } from "../../facts";
import { withProfile } from "../../profile-gate";
import { isPending } from "../../proposals/pending";

/** How an agent stands with a profile: it holds something of its own, held it once, or was just seen. */
export const connectionStates = ["connected", "seen", "disconnected"] as const;
export type ConnectionState = (typeof connectionStates)[number];

export type AgentCondition = "pending" | "active" | "suspended" | "unknown";

export interface KnownAgent {
  agent: NamedAgent;
  /** `unknown` where the gateway does not know it any more. */
  state: AgentCondition;
  operator: string | null;
  standing: ConnectionState;
  reads: Reach;
  proposes: Reach;
  firstSeenAt: Date | null;
  lastSeenAt: Date | null;
  proposals: number;
  requests: number;
  tokens: number;
}

/** Where a page ended. */
export interface KnownPlace {
  at: Date;
  did: string;
}

export interface KnownQuery {
  did: string;
  standing?: ConnectionState;
  /** Part of a name or DID. */
  search?: string;
  after?: KnownPlace;
  limit: number;
}

export interface KnownPage {
  agents: KnownAgent[];
  next: KnownPlace | null;
}

type Row = Omit<KnownAgent, "reads" | "proposes"> & { place: Date };

/** Every agent that holds something here, has been here, waits here, or was registered by this owner. */
export async function listKnownAgents(ctx: Ctx, input: KnownQuery): Promise<KnownPage> {
  return withProfile(ctx, { verb: "readActivity", did: input.did }, async ({ profile }) => {
    const { standing, search, after, limit } = input;
    const sql = knownSql(profile, { standing, search, after, limit, now: ctx.now });
    const rows = await ctx.shares.heavy(profile.ownerId, () => ctx.db.$queryRaw<Row[]>(sql));
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    const agents = page.map(async ({ place: _, ...row }) => {
      const caller = { kind: "agent", did: row.agent.did } as const;
      const { facts } = await loadFacts(ctx.pool, { profileDid: input.did, caller, now: ctx.now });
      return { ...row, ...reachesIn(facts, row.state) };
    });
    return {
      agents: await Promise.all(agents),
      next: rows.length > limit && last ? { at: last.place, did: last.agent.did } : null,
    };
  });
}

/** Returns what each agent may read and propose now; an inactive agent gets no answer. */
export function reachesIn(
  facts: Facts | null,
  state: AgentCondition,
): Pick<KnownAgent, "reads" | "proposes"> {
  if (facts === null || state !== "active") return { reads: nothing, proposes: nothing };
  return { reads: reach(facts, "read"), proposes: reach(facts, "propose") };
}

const nothing: Reach = { scopes: [], except: [] };

// At most this many are looked at; the search of the log finds the rest.
const agentsMax = 2_000;

// Finds the actors by hopping through the index, however long the log is.
function knownSql(
  { id, ownerId }: Pick<ProfileRow, "id" | "ownerId">,
  { now, limit, ...narrowing }: Omit<KnownQuery, "did"> & { now: Date },
): Prisma.Sql {
  const { isFound, isMeant, isAfter } = conditionsOf(narrowing);
  return Prisma.sql`
  WITH RECURSIVE hop("actorId") AS (
    (SELECT e."actorId" FROM "AccessEvent" e WHERE e."profileId" = ${id} ORDER BY e."actorId" LIMIT 1)
    UNION ALL
    SELECT (SELECT e."actorId" FROM "AccessEvent" e
            WHERE e."profileId" = ${id} AND e."actorId" > hop."actorId" ORDER BY e."actorId" LIMIT 1)
    FROM hop WHERE hop."actorId" IS NOT NULL
  ), called AS (
    SELECT "actorId" FROM (SELECT "actorId" FROM hop LIMIT ${agentsMax}) seen
    WHERE "actorId" LIKE 'did:prof:agent:%'
  ), held AS (
    SELECT "agentPattern" AS "agentDid", 'grant' AS kind, 1 AS count FROM "Policy"
      WHERE "profileId" = ${id} AND enabled AND position('*' in "agentPattern") = 0
        AND cardinality(allow) > 0 AND ("expiresAt" IS NULL OR "expiresAt" > ${now})
    UNION ALL
    SELECT "agentDid", 'receipt', 1 FROM "Receipt"
      WHERE "profileId" = ${id} AND "revokedAt" IS NULL AND "expiresAt" > ${now}
    UNION ALL
    SELECT "agentDid", 'token', 1 FROM "ConnectionToken"
      WHERE "profileId" = ${id} AND "revokedAt" IS NULL AND "expiresAt" > ${now}
    UNION ALL
    SELECT "agentDid", 'request', 1 FROM "ConsentRequest"
      WHERE "profileId" = ${id} AND status = 'pending'
    UNION ALL
    SELECT "agentDid", 'proposal', count(*)::int FROM "Proposal"
      WHERE "profileId" = ${id} AND ${isPending(now)} GROUP BY "agentDid"
    UNION ALL
    SELECT did, 'registered', 1 FROM "Agent" WHERE "registeredBy" = ${ownerId} AND origin = 'user'
    UNION ALL
    SELECT "actorId", 'called', 1 FROM called
  ), g AS (
    SELECT "agentDid", bool_or(kind IN ('grant', 'receipt', 'token')) AS connected,
      coalesce(sum(count) FILTER (WHERE kind = 'proposal'), 0)::int AS proposals,
      count(*) FILTER (WHERE kind = 'request')::int AS requests,
      count(*) FILTER (WHERE kind = 'token')::int AS tokens
    FROM held GROUP BY "agentDid"
  ), known AS (
    SELECT g.*, ${namedAgent("g")} AS agent, a.operator,
      coalesce(a.state::text, 'unknown') AS state, first.at AS "firstSeenAt",
      last.at AS "lastSeenAt", coalesce(last.at, a."createdAt", 'epoch') AS place,
      CASE WHEN g.connected THEN 'connected' WHEN ${hadSomething(id)} THEN 'disconnected'
        ELSE 'seen' END AS standing
    FROM g LEFT JOIN "Agent" a ON a.did = g."agentDid"
    LEFT JOIN LATERAL (SELECT e.at FROM "AccessEvent" e WHERE e."profileId" = ${id}
      AND e."actorId" = g."agentDid" ORDER BY e.at LIMIT 1) first ON true
    LEFT JOIN LATERAL (SELECT e.at FROM "AccessEvent" e WHERE e."profileId" = ${id}
      AND e."actorId" = g."agentDid" ORDER BY e.at DESC LIMIT 1) last ON true
    WHERE ${isFound}
  )
  SELECT agent, state, operator, standing, "firstSeenAt", "lastSeenAt", proposals, requests, tokens, place
  FROM known WHERE ${isMeant} AND ${isAfter}
  ORDER BY place DESC, "agentDid" DESC LIMIT ${limit + 1}`;
}

function conditionsOf({ standing, search, after }: Omit<KnownQuery, "did" | "limit">) {
  const all = Prisma.sql`true`;
  const like = `%${(search ?? "").replace(/[\\%_]/g, "\\$&")}%`;
  return {
    isFound:
      search === undefined ? all : Prisma.sql`(a.name ILIKE ${like} OR g."agentDid" ILIKE ${like})`,
    isMeant: standing === undefined ? all : Prisma.sql`standing = ${standing}`,
    isAfter:
      after === undefined ? all : Prisma.sql`(place, "agentDid") < (${after.at}, ${after.did})`,
  };
}

function hadSomething(id: number): Prisma.Sql {
  return Prisma.sql`(EXISTS (SELECT FROM "Policy" WHERE "profileId" = ${id} AND "agentPattern" = g."agentDid"
        AND origin IN ('consent', 'token'))
      OR EXISTS (SELECT FROM "Receipt" WHERE "profileId" = ${id} AND "agentDid" = g."agentDid"
        AND "revokedAt" IS NOT NULL)
      OR EXISTS (SELECT FROM "ConnectionToken" WHERE "profileId" = ${id} AND "agentDid" = g."agentDid"))`;
}
