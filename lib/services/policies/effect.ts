import { setImmediate } from "node:timers/promises";
import { Prisma } from "@/lib/engine/prisma-client/client";
import type { Category, Scope } from "@/lib/protocol/scope";
import { type Declared, type Effect, effectOf } from "@/lib/rules/effect/effect";
import { type Imagined, imaginedAgents } from "@/lib/rules/effect/imagined-agents";
import { type PolicyChange, policiesAfter } from "@/lib/rules/effect/policy-change";
import type { Facts, Policy, Receipt } from "@/lib/rules/facts";
import type { NamedValue } from "@/lib/rules/reveal";
import type { NamedAgent } from "../access/named-agent";
import { live } from "../content";
import type { Ctx } from "../context";
import type { ProfileRow } from "../facts";
import { withProfile } from "../profile-gate";
import { knownAgents } from "./known-agents";
import { type Opened, openedBy } from "./opened";
import { heldReceipts } from "./stored";

export type Affected = { agent: NamedAgent | Imagined; effect: Effect };

/** Agents with their changes; imagined ones first, then those with rules of their own. */
export interface Compared {
  affected: Affected[];
  /** How many more agents the change may affect: comparing them would take too long. */
  uncompared: number;
}

export interface PolicyEffect {
  atOnce: Compared;
  /** The change for an agent after it declares this; null if the rules need nothing declared. */
  onceAsked: (Compared & { purpose: string | null }) | null;
  /** What the changed rule is about, as an agent finds it that the rule is for. */
  opens: Opened[];
}

type Row = {
  policies: (Omit<Policy, "expiresAt"> & { expiresAt: string | null })[];
  agents: (NamedAgent & { ceiling: Scope[] })[];
  receipts: (Pick<Receipt, "id" | "agentDid" | "grantedScopes" | "purposeType" | "retention"> & {
    grantedAt: string;
    expiresAt: string;
  })[];
  namedValues: NamedValue[];
  memories: Record<Category, number> | null;
};

/** Receipts and their scopes, of all agents together. */
const receiptWeightMax = 20_000;
const categoriesMax = 1_000;

/** Returns who would gain and lose by a change, and how much. Changes nothing. */
export async function effectOfPolicies(
  ctx: Ctx,
  { did, change }: { did: string; change: PolicyChange },
): Promise<PolicyEffect> {
  return withProfile(ctx, { verb: "seeAsAgent", did }, ({ profile }) =>
    ctx.shares.heavy(profile.ownerId, () => compareAll(ctx, { profile, change })),
  );
}

type Comparing = { profile: ProfileRow; change: PolicyChange };

async function compareAll(ctx: Ctx, { profile, change }: Comparing): Promise<PolicyEffect> {
  const named = change.kind === "put" ? [change.policy.agentPattern] : [];
  const [row] = await ctx.db.$queryRaw<Row[]>(effectSql(profile.id, { named, now: ctx.now }));
  if (row === undefined) throw new Error("One row was asked for and none came.");
  const policies = row.policies.map(({ expiresAt, ...policy }) => ({
    ...policy,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  }));
  const after = policiesAfter(policies, change);
  const subjects = subjectsOf({ row, change, policies, now: ctx.now });
  const holdings = {
    common: profile.common,
    namedValues: row.namedValues,
    memories: row.memories ?? {},
  };
  const agents = subjects.map(({ facts }) => facts);
  const compare = (declared: Declared | null) =>
    inTurns(subjects, effectOf({ agents, after, holdings, declared }));
  const asking = change.kind === "put" ? conditionOf(change.policy) : null;
  return {
    atOnce: await compare(null),
    onceAsked: asking && {
      purpose: change.kind === "put" ? (change.policy.purposes[0] ?? null) : null,
      ...(await compare(asking)),
    },
    opens:
      change.kind === "put"
        ? openedBy(change.policy, { holdings, after, declared: asking, now: ctx.now })
        : [],
  };
}

// Handles one agent per turn of the event loop, so that other requests are answered in between.
async function inTurns(
  subjects: readonly Subject[],
  effects: Iterator<Effect | null, void>,
): Promise<Compared> {
  const affected: Affected[] = [];
  for (const { agent } of subjects) {
    const effect = effects.next().value;
    if (effect) affected.push({ agent, effect });
    await setImmediate();
  }
  return { affected, uncompared: subjects.length - affected.length };
}

/** Returns what an agent has to declare for a rule to open anything; null for nothing. */
export function conditionOf({ purposes, maxRetention }: Policy) {
  if (purposes.length === 0 && maxRetention === null) return null;
  return { type: purposes[0] ?? "other", retention: maxRetention };
}

interface Subject {
  agent: NamedAgent | Imagined;
  facts: Facts;
}

interface Loaded {
  row: Row;
  change: PolicyChange;
  policies: readonly Policy[];
  now: Date;
}

function subjectsOf({ row, change, policies, now }: Loaded): Subject[] {
  const shared = { policies, token: null, purpose: null, now };
  const imagined = imaginedAgents(change).map((agent) => ({
    agent,
    facts: {
      ...shared,
      agent: { did: agent.did, verified: agent.verified, ceiling: ["prof:*"] },
      receipts: [],
    },
  }));
  const receipts = new Map<string, Receipt[]>();
  for (const { grantedAt, expiresAt, ...receipt } of row.receipts) {
    const held = receipts.get(receipt.agentDid) ?? [];
    const dates = { grantedAt: new Date(grantedAt), expiresAt: new Date(expiresAt) };
    receipts.set(receipt.agentDid, [...held, { ...receipt, ...dates, revokedAt: null }]);
  }
  const real = row.agents.map(({ ceiling, ...agent }) => ({
    agent,
    facts: {
      ...shared,
      agent: { did: agent.did, verified: agent.verified, ceiling },
      receipts: receipts.get(agent.did) ?? [],
    },
  }));
  return [...imagined, ...real];
}

interface Known {
  named: readonly string[];
  now: Date;
}

const effectSql = (profileId: number, { named, now }: Known) => Prisma.sql`
  WITH RECURSIVE ${knownAgents(profileId, named)}, held AS (
    SELECT r.id, r."agentDid", r."grantedScopes", r."purposeType", r.retention, r."grantedAt", r."expiresAt"
    FROM (SELECT r.*, sum(1 + cardinality(r."grantedScopes")) OVER (ORDER BY known.rank, known.did, r.id) AS weight
          FROM known CROSS JOIN LATERAL (${heldReceipts({
            profileId: Prisma.sql`${profileId}`,
            agentDid: Prisma.sql`known.did`,
            now: Prisma.sql`${now}`,
          })}) r) r
    WHERE r.weight <= ${receiptWeightMax}
  ), counted AS (
    SELECT category, count(*)::int AS count FROM "Memory" WHERE "profileId" = ${profileId} AND ${live}
    GROUP BY category ORDER BY count(*) DESC, category LIMIT ${categoriesMax}
  )
  SELECT
    (SELECT coalesce(jsonb_agg(jsonb_build_object(
         'id', l.id, 'agentPattern', l."agentPattern", 'verifiedOnly', l."verifiedOnly",
         'allow', l.allow, 'deny', l.deny, 'permissions', l.permissions, 'purposes', l.purposes,
         'maxRetention', l."maxRetention", 'receiptSeconds', l."receiptSeconds",
         'enabled', l.enabled, 'expiresAt', l."expiresAt", 'origin', l.origin)
         ORDER BY l."createdAt", l.id), '[]')
       FROM "Policy" l WHERE l."profileId" = ${profileId}
         AND (l."expiresAt" IS NULL OR l."expiresAt" > ${now})) AS policies,
    (SELECT coalesce(jsonb_agg(to_jsonb(known) - 'rank' ORDER BY known.rank, lower(known.name), known.did), '[]') FROM known) AS agents,
    (SELECT coalesce(jsonb_agg(held), '[]') FROM held) AS receipts,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('category', category, 'name', name, 'value', value)), '[]')
       FROM "NamedValue" WHERE "profileId" = ${profileId}) AS "namedValues",
    (SELECT jsonb_object_agg(category, count) FROM counted) AS memories`;
