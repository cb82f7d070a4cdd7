import type { Db } from "@/lib/engine/db";
import { Prisma } from "@/lib/engine/prisma-client/client";
import { agentDid as agentDidOf } from "@/lib/protocol/did";
import type { Category } from "@/lib/protocol/scope";
import { reachesEveryAgent } from "@/lib/rules/agent-pattern";
import { decideEach } from "@/lib/rules/decide";
import type { Facts, Policy } from "@/lib/rules/facts";
import type { Ctx } from "../context";
import {
  type PolicyLists,
  policiesOf,
  policyLists,
  receiptJson,
  receiptOf,
  type StoredReceipt,
} from "../policies/stored";
import { withProfile } from "../profile-gate";
import type { NamedAgent } from "./named-agent";

/** An agent that can read, and the policy that lets it. */
export interface Reader extends NamedAgent {
  policy: Policy | null;
}

export interface Audience {
  agents: Reader[];
  /** Whether a policy for every agent opens it to all active ones, or to all verified ones. */
  everyone: "all" | "verified" | null;
}

export interface AudienceInput {
  did: string;
  categories: readonly Category[];
}

/**
 * Returns who could read a memory of each category now, decided as the API does: the agents that know this
 * profile, and whether all others may too.
 */
export async function audienceOf(
  ctx: Ctx,
  { did, categories }: AudienceInput,
): Promise<Map<Category, Audience>> {
  return withProfile(ctx, { verb: "seeAsAgent", did }, async ({ profile }) => {
    const { policies, agents } = await loadRelevant(ctx.db, profile.id, ctx.now);
    const deciding = agents.map(({ receipts, ceiling, ...agent }) => ({
      agent,
      decideCategory: decideEach(
        { ...strangerFacts(policies, ctx.now), agent: { ...agent, ceiling }, receipts },
        "read",
      ),
    }));
    const everyoneReading = everyoneIn(policies, ctx.now);
    const policyById = new Map(policies.map((policy) => [policy.id, policy]));
    return new Map(
      [...new Set(categories)].map((category) => {
        const readers = deciding.flatMap(({ agent, decideCategory }) => {
          const { outcome, reason } = decideCategory(category);
          const policy = policyById.get(reason.policyId ?? "") ?? null;
          const { did: agentDid, name, verified } = agent;
          return outcome === "granted" ? [{ did: agentDid, name, verified, policy }] : [];
        });
        return [category, { agents: readers, everyone: everyoneReading(category) }];
      }),
    );
  });
}

// An unknown agent: only general rules apply to it.
function everyoneIn(all: Policy[], now: Date): (category: Category) => Audience["everyone"] {
  const policies = all.filter(({ agentPattern }) => reachesEveryAgent(agentPattern));
  const facts = strangerFacts(policies, now);
  const [anybody, verified] = [false, true].map((isVerified) =>
    decideEach({ ...facts, agent: { ...facts.agent, verified: isVerified } }, "read"),
  );
  return (category) => {
    if (anybody?.(category).outcome === "granted") return "all";
    return verified?.(category).outcome === "granted" ? "verified" : null;
  };
}

function strangerFacts(policies: Policy[], now: Date): Facts {
  const agent = { did: agentDidOf("any", "agent"), verified: false, ceiling: ["prof:*"] };
  return { agent, policies, receipts: [], token: null, purpose: null, now };
}

interface Row {
  policies: PolicyLists;
  agents: (NamedAgent & { ceiling: string[]; receipts: StoredReceipt[] })[];
}

const agentsMax = 200;

async function loadRelevant(db: Db, profileId: number, now: Date) {
  const [row] = await db.$queryRaw<Row[]>(audienceSql(profileId, now));
  if (row === undefined) throw new Error("a statement of one row gave none");
  return {
    policies: policiesOf(row.policies),
    agents: row.agents.map(({ receipts, ...agent }) => ({
      ...agent,
      receipts: receipts.map((receipt) => receiptOf(receipt, agent.did)),
    })),
  };
}

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

// Whom a policy means by a part of its DID: more than `decide` will find, never fewer.
const meant = Prisma.sql`a.did LIKE replace(replace(l."agentPattern", '_', '\\_'), '*', '%')`;

const audienceSql = (profileId: number, now: Date) => Prisma.sql`
  WITH RECURSIVE l AS MATERIALIZED (
    SELECT * FROM "Policy" WHERE "profileId" = ${profileId} AND enabled
      AND ("expiresAt" IS NULL OR "expiresAt" > ${now})
  ), ${eachOnce(
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
  ), relevant(did) AS (
    (SELECT did FROM held LIMIT ${agentsMax})
    UNION (SELECT did FROM proposed LIMIT ${agentsMax})
    UNION (SELECT did FROM called LIMIT ${agentsMax})
    UNION (SELECT a.did FROM l JOIN "Agent" a ON ${meant}
           WHERE l."agentPattern" LIKE '%*%' AND l."agentPattern" !~ ':[*]+:[*]+$' LIMIT ${agentsMax})
  )
  SELECT
    (SELECT ${policyLists(Prisma.sql`ORDER BY l."createdAt", l.id`)} FROM l) AS policies,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('did', a.did, 'name', a.name, 'verified', a.verified,
       'ceiling', a.ceiling, 'receipts',
       (SELECT coalesce(json_agg(${receiptJson}), '[]') FROM "Receipt" r
        WHERE r."profileId" = ${profileId} AND r."agentDid" = a.did
          AND r."revokedAt" IS NULL AND r."expiresAt" > ${now})) ORDER BY lower(a.name), a.did), '[]')
     FROM (SELECT a.* FROM "Agent" a JOIN relevant USING (did)
           WHERE a.state = 'active' LIMIT ${agentsMax}) a) AS agents`;
