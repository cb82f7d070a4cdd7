import type { Db } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Did } from "@/lib/protocol/did";
import type { Scope } from "@/lib/protocol/scope";
import type { Facts, Policy } from "@/lib/rules/facts";
import {
  heldReceipts,
  type PolicyLists,
  policiesOf,
  policyLists,
  receiptJson,
  receiptOf,
  type StoredReceipt,
} from "../../policies/stored";
import type { NamedAgent } from "../named-agent";

/** An active agent, with all that decisions about it depend on. */
export interface KnownFacts {
  agent: NamedAgent;
  facts: Facts;
  requests: PendingScopes[];
}

/** A request of the agent that waits for the owner. */
export interface PendingScopes {
  id: string;
  scopes: Scope[];
}

export interface KnownFactsQuery {
  profileId: number;
  now: Date;
  /** Only these; left out, all that know the profile or that a rule may mean. */
  agents?: readonly Did[];
}

export interface LoadedFacts {
  policies: Policy[];
  /** By name. */
  known: KnownFacts[];
}

interface Row {
  policies: PolicyLists;
  agents: (NamedAgent & {
    ceiling: string[];
    receipts: StoredReceipt[];
    requests: PendingScopes[];
  })[];
}

const agentsMax = 200;

/** Loads the facts of up to 200 agents and all rules of a profile, in one statement. */
export async function loadKnownFacts(db: Db, query: KnownFactsQuery): Promise<LoadedFacts> {
  const [row] = await db.$queryRaw<Row[]>(factsSql(query));
  if (row === undefined) throw new Error("a statement of one row gave none");
  const policies = policiesOf(row.policies);
  const { now } = query;
  const known = row.agents.map(({ receipts: stored, requests, ceiling, ...agent }) => {
    const receipts = stored.map((receipt) => receiptOf(receipt, agent.did));
    const { did, verified } = agent;
    const about = { did, verified, ceiling };
    const facts = { agent: about, policies, receipts, token: null, purpose: null, now };
    return { agent, facts, requests };
  });
  return { policies, known };
}

const factsSql = ({ profileId, now, agents }: KnownFactsQuery) => Prisma.sql`
  WITH RECURSIVE l AS MATERIALIZED (
    SELECT * FROM "Policy" WHERE "profileId" = ${profileId} AND enabled
      AND ("expiresAt" IS NULL OR "expiresAt" > ${now})
  ), ${agents === undefined ? knownTo(profileId, now) : Prisma.sql`relevant(did) AS (SELECT unnest(${agents}::text[]))`}
  SELECT
    (SELECT ${policyLists(Prisma.sql`ORDER BY l."createdAt", l.id`)} FROM l) AS policies,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('did', a.did, 'name', a.name, 'verified', a.verified,
       'ceiling', a.ceiling, 'receipts', (SELECT coalesce(json_agg(${receiptJson}), '[]') FROM (${heldReceipts(
         {
           profileId: Prisma.sql`${profileId}`,
           agentDid: Prisma.sql`a.did`,
           now: Prisma.sql`${now}`,
         },
       )}) r),
       'requests', (SELECT coalesce(json_agg(json_build_object('id', c.id, 'scopes', c.scopes)
           ORDER BY c."requestedAt", c.id), '[]') FROM "ConsentRequest" c
         WHERE c."profileId" = ${profileId} AND c."agentDid" = a.did AND c.status = 'pending'))
       ORDER BY lower(a.name), a.did), '[]')
     FROM (SELECT a.* FROM "Agent" a JOIN relevant USING (did)
           WHERE a.state = 'active' LIMIT ${agentsMax}) a) AS agents`;

// Whom a policy means by a part of its DID: more than `decide` will find, never fewer.
const meant = Prisma.sql`a.did LIKE replace(replace(l."agentPattern", '_', '\\_'), '*', '%')`;

const knownTo = (profileId: number, now: Date) => Prisma.sql`
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
  held(did) AS (
    SELECT "agentPattern" FROM l
    UNION SELECT "agentDid" FROM "Receipt"
      WHERE "profileId" = ${profileId} AND "revokedAt" IS NULL AND "expiresAt" > ${now}
    UNION SELECT "agentDid" FROM "ConnectionToken"
      WHERE "profileId" = ${profileId} AND "revokedAt" IS NULL AND "expiresAt" > ${now}
    UNION SELECT "agentDid" FROM "ConsentRequest"
      WHERE "profileId" = ${profileId} AND status = 'pending'
  ), relevant(did) AS (
    (SELECT did FROM held LIMIT ${agentsMax})
    UNION (SELECT did FROM proposed LIMIT ${agentsMax})
    UNION (SELECT did FROM called LIMIT ${agentsMax})
    UNION (SELECT a.did FROM l JOIN "Agent" a ON ${meant}
           WHERE l."agentPattern" LIKE '%*%' AND l."agentPattern" !~ ':[*]+:[*]+$' LIMIT ${agentsMax})
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
