import type { Db } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Scope } from "@/lib/protocol/scope";
import type { Facts, Policy } from "@/lib/rules/facts";
import { type KnownAgentsQuery, knownAgents } from "../../policies/known-agents";
import {
  heldReceipts,
  type PolicyLists,
  policiesOf,
  policyLists,
  receiptJson,
  receiptOf,
  type StoredReceipt,
} from "../../policies/stored";
import { type ClientReach, clientReach } from "../client-reach";
import type { NamedAgent } from "../named-agent";

/** An active agent, with all that decisions about it depend on. */
export interface KnownFacts {
  agent: NamedAgent;
  facts: Facts;
  requests: PendingScopes[];
  /** The lower, the more it has to do with the profile. */
  rank: number;
}

/** A request of the agent that waits for the owner. */
export interface PendingScopes {
  id: string;
  scopes: Scope[];
}

export interface LoadedFacts {
  /** All that are in force, oldest first. */
  policies: Policy[];
  /** By name. */
  known: KnownFacts[];
  /** How many more agents there are, as far as they were looked at. */
  leftOut: number;
}

interface Row {
  policies: PolicyLists;
  agents: (NamedAgent & {
    rank: number;
    ceiling: string[];
    reach: ClientReach | null;
    receipts: StoredReceipt[];
    requests: PendingScopes[];
  })[];
  leftOut: number;
}

/** Loads the facts of up to 200 agents and all rules of a profile, in one statement. */
export async function loadKnownFacts(db: Db, query: KnownAgentsQuery): Promise<LoadedFacts> {
  const [row] = await db.$queryRaw<Row[]>(factsSql(query));
  if (row === undefined) throw new Error("a statement of one row gave none");
  const policies = policiesOf(row.policies);
  const { now } = query;
  const known = row.agents.map(({ receipts: stored, requests, rank, ceiling, reach, ...agent }) => {
    const receipts = stored.map((receipt) => receiptOf(receipt, agent.did));
    const { did, verified } = agent;
    const about = { did, verified, ceiling };
    const facts = { agent: about, policies, receipts, token: reach, purpose: null, now };
    return { agent, facts, requests, rank };
  });
  return { policies, known, leftOut: row.leftOut };
}

const factsSql = (query: KnownAgentsQuery) => Prisma.sql`
  WITH RECURSIVE ${knownAgents(query)}
  SELECT
    (SELECT ${policyLists(Prisma.sql`ORDER BY l."createdAt", l.id`)} FROM l) AS policies,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('did', a.did, 'name', a.name, 'verified', a.verified,
       'rank', a.rank, 'ceiling', a.ceiling, 'reach', ${clientReach({
         profileId: Prisma.sql`${query.profileId}`,
         now: Prisma.sql`${query.now}`,
       })}, 'receipts', (SELECT coalesce(json_agg(${receiptJson}), '[]') FROM (${heldReceipts({
         profileId: Prisma.sql`${query.profileId}`,
         agentDid: Prisma.sql`a.did`,
         now: Prisma.sql`${query.now}`,
       })}) r),
       'requests', (SELECT coalesce(json_agg(json_build_object('id', c.id, 'scopes', c.scopes)
           ORDER BY c."requestedAt", c.id), '[]') FROM "ConsentRequest" c
         WHERE c."profileId" = ${query.profileId} AND c."agentDid" = a.did AND c.status = 'pending'))
       ORDER BY lower(a.name), a.did), '[]') FROM known a) AS agents,
    (SELECT count(*)::int FROM active) - (SELECT count(*)::int FROM known) AS "leftOut"`;
