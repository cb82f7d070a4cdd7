import { Prisma } from "@/lib/engine/prisma-client/client";
import type { NamedAgent } from "../access/named-agent";
import type { Ctx } from "../context";
import { withProfile } from "../profile-gate";

const agentsMax = 200;
/** How many are looked at that proposed, that called, or that a part of a DID means. */
const lookedAtMax = 2 * agentsMax;

/** Agents that this profile has to do with, for a choice among them; by name. */
export async function listKnownAgents(ctx: Ctx, did: string): Promise<NamedAgent[]> {
  return withProfile(ctx, { verb: "seeAsAgent", did }, async ({ profile }) => {
    const known = knownAgents({ profileId: profile.id, now: ctx.now });
    const rows = await ctx.db.$queryRaw<NamedAgent[]>`WITH RECURSIVE ${known}
       SELECT did, name, verified FROM known ORDER BY lower(name), did`;
    return rows;
  });
}

export interface KnownAgentsQuery {
  profileId: number;
  now: Date;
  /** Only these; left out, all that know the profile or that a rule may mean. */
  agents?: readonly string[];
  /** These too, before all others. */
  named?: readonly string[];
}

/**
 * Selects the rules in force as `l`, and as `known` up to 200 active agents: those that a rule may mean first, then
 * those that hold or requested something, then those that were here. `active` has all that were found.
 */
export const knownAgents = ({ profileId, now, agents, named = [] }: KnownAgentsQuery) => Prisma.sql`
  l AS MATERIALIZED (
    SELECT * FROM "Policy" WHERE "profileId" = ${profileId} AND enabled
      AND ("expiresAt" IS NULL OR "expiresAt" > ${now})
  ), ${agents === undefined ? nearTo({ profileId, now, named }) : Prisma.sql`near AS (SELECT unnest(${agents}::text[]) AS did, 0 AS rank)`},
  active AS (
    SELECT a.did, a.name, a.verified, a.ceiling, a.origin, near.rank
    FROM (SELECT did, min(rank) AS rank FROM near GROUP BY did) near JOIN "Agent" a USING (did)
    WHERE a.state = 'active'
  ), known AS (SELECT * FROM active ORDER BY rank, did LIMIT ${agentsMax})`;

// Whom rules mean by a part of a DID: more than `decide` will find, never fewer. The patterns are put together once.
const isMeant = Prisma.sql`a.did LIKE ANY (ARRAY(
  SELECT replace(replace("agentPattern", '_', '\\_'), '*', '%') FROM l
  WHERE "agentPattern" LIKE '%*%' AND "agentPattern" !~ ':[*]+:[*]+$'))`;

const nearTo = ({
  profileId,
  now,
  named,
}: Required<Omit<KnownAgentsQuery, "agents">>) => Prisma.sql`
  ${eachOnce(
    Prisma.sql`proposed`,
    Prisma.sql`"Proposal" t WHERE t."profileId" = ${profileId}`,
    Prisma.sql`t."agentDid"`,
  )},
  ${eachOnce(
    Prisma.sql`called`,
    Prisma.sql`"AccessEvent" t WHERE t."profileId" = ${profileId}`,
    Prisma.sql`t."actorId"`,
  )},
  near AS (
    SELECT unnest(${named}::text[]) AS did, 0 AS rank
    UNION ALL SELECT "agentPattern", 1 FROM l
    UNION ALL (SELECT a.did, 2 FROM "Agent" a WHERE a.state = 'active' AND a.origin <> 'client' AND ${isMeant}
      ORDER BY a.did LIMIT ${lookedAtMax})
    UNION ALL SELECT "agentDid", 3 FROM "Receipt"
      WHERE "profileId" = ${profileId} AND "revokedAt" IS NULL AND "expiresAt" > ${now}
    UNION ALL SELECT "agentDid", 3 FROM "ConnectionToken"
      WHERE "profileId" = ${profileId} AND "revokedAt" IS NULL AND "expiresAt" > ${now}
    UNION ALL SELECT "agentDid", 3 FROM "ConsentRequest"
      WHERE "profileId" = ${profileId} AND status = 'pending'
    UNION ALL (SELECT did, 4 FROM proposed LIMIT ${lookedAtMax})
    UNION ALL (SELECT did, 4 FROM called LIMIT ${lookedAtMax})
  )`;

// One index probe per agent, however much it proposed or read.
function eachOnce(name: Prisma.Sql, from: Prisma.Sql, column: Prisma.Sql): Prisma.Sql {
  const next = (more: Prisma.Sql) =>
    Prisma.sql`SELECT ${column} FROM ${from} ${more} ORDER BY ${column} LIMIT 1`;
  return Prisma.sql`${name}(did) AS (
    (${next(Prisma.empty)})
    UNION ALL
    SELECT (${next(Prisma.sql`AND ${column} > ${name}.did`)}) FROM ${name} WHERE ${name}.did IS NOT NULL
  )`;
}
