import { Prisma } from "@/lib/engine/prisma-client/client";
import { deniesAll } from "../../access/denial/deny-all";
import { type NamedAgent, namedAgent } from "../../access/named-agent";
import type { Ctx } from "../../context";
import type { ProfileRow } from "../../facts";
import { withProfile } from "../../profile-gate";
import { isWaiting } from "../../proposals/pending";

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
  /** A rule denies it everything. */
  blocked: boolean;
  quarantined: boolean;
  /** It asked its owner, who shut it out, to let it in again. */
  asksToResume: boolean;
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
  /** Part of a name, of who runs it, or of a DID. */
  search?: string;
  after?: KnownPlace;
  limit: number;
}

export interface KnownPage {
  agents: KnownAgent[];
  next: KnownPlace | null;
}

type Row = KnownAgent & { place: Date };

/** Every agent that holds something here, has been here, waits here, or was registered by this owner. */
export async function listProfileAgents(ctx: Ctx, input: KnownQuery): Promise<KnownPage> {
  return withProfile(ctx, { verb: "readActivity", did: input.did }, async ({ profile }) => {
    const { standing, search, after, limit } = input;
    const sql = knownSql(profile, { standing, search, after, limit, now: ctx.now });
    const rows = await ctx.shares.heavy(profile.ownerId, () => ctx.db.$queryRaw<Row[]>(sql));
    const page = rows.slice(0, limit);
    const last = page.at(-1);
    return {
      agents: page.map(({ place: _, ...row }) => row),
      next: rows.length > limit && last ? { at: last.place, did: last.agent.did } : null,
    };
  });
}

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
    ${shutOut(id)}
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
      WHERE "profileId" = ${id} AND ${isWaiting(now)} AND "agentDid" LIKE 'did:prof:agent:%' GROUP BY "agentDid"
    UNION ALL
    SELECT did, 'registered', 1 FROM "Agent" WHERE "registeredBy" = ${ownerId} AND origin = 'user'
    UNION ALL
    SELECT "actorId", 'called', 1 FROM called
  ), g AS (
    SELECT "agentDid", bool_or(kind IN ('grant', 'receipt', 'token')) AS connected,
      bool_or(kind = 'blocked') AS blocked, bool_or(kind = 'quarantined') AS quarantined,
      bool_or(kind = 'resume') AS "asksToResume",
      coalesce(sum(count) FILTER (WHERE kind = 'proposal'), 0)::int AS proposals, count(*) FILTER (WHERE kind = 'request')::int AS requests,
      count(*) FILTER (WHERE kind = 'token')::int AS tokens
    FROM held GROUP BY "agentDid"
  ), known AS (
    SELECT g.*, ${namedAgent("g")} AS agent, a.operator,
      coalesce(a.state::text, 'unknown') AS state, last.at AS "lastSeenAt", coalesce(last.at, a."createdAt", 'epoch') AS place,
      CASE WHEN g.connected THEN 'connected' WHEN g.blocked OR g.quarantined OR ${hadSomething(id)} THEN 'disconnected'
        ELSE 'seen' END AS standing
    FROM g LEFT JOIN "Agent" a ON a.did = g."agentDid"
    LEFT JOIN LATERAL (SELECT e.at FROM "AccessEvent" e WHERE e."profileId" = ${id}
      AND e."actorId" = g."agentDid" ORDER BY e.at DESC LIMIT 1) last ON true
    WHERE ${isFound}
  )
  SELECT agent, state, operator, standing, blocked, quarantined, "asksToResume", "lastSeenAt", proposals, requests, tokens, place
  FROM known WHERE ${isMeant} AND ${isAfter}
  ORDER BY place DESC, "agentDid" DESC LIMIT ${limit + 1}`;
}

const shutOut = (profileId: number) => Prisma.sql`
    SELECT "agentPattern", CASE origin WHEN 'quarantine' THEN 'quarantined' ELSE 'blocked' END, 1 FROM "Policy"
      WHERE "profileId" = ${profileId} AND position('*' in "agentPattern") = 0 AND ${deniesAll}
    UNION ALL
    SELECT "agentPattern", 'resume', 1 FROM "Policy"
      WHERE "profileId" = ${profileId} AND position('*' in "agentPattern") = 0 AND ${deniesAll}
        AND "resumeAskedAt" IS NOT NULL`;

function conditionsOf({ standing, search, after }: Omit<KnownQuery, "did" | "limit">) {
  const all = Prisma.sql`true`;
  const like = `%${(search ?? "").replace(/[\\%_]/g, "\\$&")}%`;
  return {
    isFound:
      search === undefined
        ? all
        : Prisma.sql`(a.name ILIKE ${like} OR a.operator ILIKE ${like} OR g."agentDid" ILIKE ${like})`,
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
