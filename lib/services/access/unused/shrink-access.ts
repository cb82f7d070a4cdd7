import type { Tx } from "@/lib/engine/db";
import type { Did } from "@/lib/protocol/did";
import { notNow } from "@/lib/protocol/errors";
import type { Scope } from "@/lib/protocol/scope";
import type { Ctx } from "../../context";
import { loadFacts } from "../../facts";
import { columnsOf, lostBy, rewrite } from "../../policies/policies";
import { take } from "../../policies/remove";
import { changeProfile } from "../../profile-gate";
import { notifyAgents } from "../../webhooks/notify-agents";
import { type EvidenceQuery, findNamingRules, loadReads, type NamingRule } from "./evidence";
import { opensTo } from "./find-unused";

export interface Shrinking {
  did: string;
  agentDid: Did;
  policyId: string;
  scope: Scope;
}

export interface Shrunk {
  /** Names the change, for its undo. */
  eventId: string;
  /** Whether the rule is gone, because it allowed and denied nothing else. */
  isRemoved: boolean;
  /** Whether the agent still reads it by another rule. */
  isStillOpen: boolean;
}

/**
 * Takes an unused scope out of a rule, so that the agent has to ask for it again. The log is read again under the
 * profile's lock: what the agent has read since it was shown as unused stays.
 */
export async function shrinkAccess(ctx: Ctx, shrinking: Shrinking): Promise<Shrunk> {
  const { did, agentDid, policyId, scope } = shrinking;
  return changeProfile(ctx, { verb: "editPolicies", did }, async ({ tx, profile, record }) => {
    const { now } = ctx;
    const { since } = await demandUnused(tx, { profile, agentDid, now }, shrinking);
    const before = await tx.policy.findUniqueOrThrow({ where: { id: policyId } });
    const policy = { ...columnsOf(before), allow: before.allow.filter((one) => one !== scope) };
    const isRemoved = policy.allow.length + policy.deny.length === 0;
    const shrunk = { agentDid, scope, since: since.toISOString() };
    let change: object = { edited: policy, before: columnsOf(before) };
    if (isRemoved) {
      const [removed] = await take(tx, { profileId: profile.id, which: "id", value: policyId });
      change = { removed };
    } else await rewrite(tx, { row: before, policy, now });
    const eventId = await record({ subjectId: policyId, detail: { ...change, shrunk } });
    await notifyAgents(tx, now, { removed: lostBy(before, policy) });
    const caller = { kind: "agent", did: agentDid } as const;
    const { facts } = await loadFacts(tx, { profileDid: did, caller, now });
    return { eventId, isRemoved, isStillOpen: facts !== null && opensTo(facts)(scope) };
  });
}

async function demandUnused(
  tx: Tx,
  query: EvidenceQuery,
  { policyId, scope }: Shrinking,
): Promise<NamingRule> {
  const rules = await findNamingRules(tx, query);
  const rule = rules.find(({ id, allow }) => id === policyId && allow.includes(scope));
  if (rule === undefined) {
    throw notNow("The rule was changed in the meantime. Nothing was taken away.");
  }
  const { isComplete, hasRead } = await loadReads(tx, query);
  if (hasRead(scope)) {
    throw notNow("The agent has read it in the meantime. Nothing was taken away.");
  }
  if (!isComplete) {
    throw notNow("The log no longer shows whether the agent has read it. Nothing was taken away.");
  }
  return rule;
}
