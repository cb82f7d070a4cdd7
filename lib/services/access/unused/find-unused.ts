import type { Did } from "@/lib/protocol/did";
import type { Scope } from "@/lib/protocol/scope";
import { baseOf } from "@/lib/rules/decide-scope";
import { openingsOf } from "@/lib/rules/effect/openings";
import type { Facts } from "@/lib/rules/facts";
import type { Ctx } from "../../context";
import { loadFacts } from "../../facts";
import { withProfile } from "../../profile-gate";
import { type EvidenceQuery, findNamingRules, loadReads, type NamingRule } from "./evidence";

/** A scope that a rule opens to one agent, of which the agent has read nothing for `unusedDays`. */
export interface UnusedScope extends Pick<NamingRule, "origin" | "proposes" | "since"> {
  policyId: string;
  scope: Scope;
}

/**
 * Lists what rules open to this agent alone and it has not read, if the log of the period is complete. Leaves out what
 * stays open by another rule: taking that away would change nothing.
 */
export async function findUnused(
  ctx: Ctx,
  { did, agentDid }: { did: string; agentDid: Did },
): Promise<UnusedScope[]> {
  return withProfile(ctx, { verb: "seeAsAgent", did }, async ({ profile }) => {
    const query = { profile, agentDid, now: ctx.now };
    const rules = await findNamingRules(ctx.db, query);
    const active = { did: agentDid, state: "active" as const };
    if (rules.length === 0 || (await ctx.db.agent.count({ where: active })) === 0) return [];
    return ctx.shares.heavy(profile.ownerId, () => unusedOf(ctx, query, rules));
  });
}

async function unusedOf(
  ctx: Ctx,
  query: EvidenceQuery,
  rules: readonly NamingRule[],
): Promise<UnusedScope[]> {
  const { isComplete, hasRead } = await loadReads(ctx.db, query);
  if (!isComplete) return [];
  const unused = rules.flatMap(({ id, allow, origin, proposes, since }) =>
    allow
      .filter((scope) => !hasRead(scope))
      .map((scope) => ({ policyId: id, scope, origin, proposes, since })),
  );
  const caller = { kind: "agent", did: query.agentDid } as const;
  const input = { profileDid: query.profile.did, caller, now: query.now };
  const { facts } = await loadFacts(ctx.pool, input);
  return facts === null ? [] : closedWithout(facts, unused);
}

function closedWithout(facts: Facts, unused: readonly UnusedScope[]): UnusedScope[] {
  const isUnused = (id: string, scope: Scope) =>
    unused.some((one) => one.policyId === id && one.scope === scope);
  const policies = facts.policies.map((policy) => ({
    ...policy,
    allow: policy.allow.filter((scope) => !isUnused(policy.id, scope)),
  }));
  const [isOpen, staysOpen] = [opensTo(facts), opensTo({ ...facts, policies })];
  return unused.filter(({ scope }) => isOpen(scope) && !staysOpen(scope));
}

/** Returns whether an agent reads the base of a scope, or may after saying why. */
export function opensTo(facts: Facts): (scope: Scope) => boolean {
  const openings = openingsOf(facts);
  return (scope) => {
    const { reads, takes } = openings(baseOf(scope));
    return reads !== null || takes !== null;
  };
}
