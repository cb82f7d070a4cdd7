import { setImmediate } from "node:timers/promises";
import { type Declared, type Effect, effectOf } from "@/lib/rules/effect/effect";
import { type Imagined, imaginedAgents, strangerFacts } from "@/lib/rules/effect/imagined-agents";
import { type PolicyChange, policiesAfter } from "@/lib/rules/effect/policy-change";
import type { Facts, Policy } from "@/lib/rules/facts";
import type { NamedAgent } from "../access/named-agent";
import { loadHoldings } from "../access/sight/holdings";
import { loadKnownFacts } from "../access/sight/known-facts";
import type { Ctx } from "../context";
import type { ProfileRow } from "../facts";
import { withProfile } from "../profile-gate";
import { type Opened, openedBy } from "./opened";

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
  const [{ id: profileId }, { now }] = [profile, ctx];
  const put = change.kind === "put" ? change.policy : null;
  const named = put === null ? [] : [put.agentPattern];
  const [{ policies, known, leftOut }, holdings] = await Promise.all([
    loadKnownFacts(ctx.db, { profileId, now, named }),
    loadHoldings(ctx, profile),
  ]);
  const after = policiesAfter(policies, change);
  const imagined = imaginedAgents(change).map((agent) => ({
    agent,
    facts: strangerFacts({ ...agent, policies, now }),
  }));
  const subjects = [...imagined, ...known.toSorted((a, b) => a.rank - b.rank)];
  const more = mayReachMore(change, [...policies, ...after]) ? leftOut : 0;
  const agents = subjects.map(({ facts }) => facts);
  const compare = (declared: Declared | null) =>
    inTurns({ subjects, more }, effectOf({ agents, after, holdings, declared }));
  const asking = put && conditionOf(put);
  return {
    atOnce: await compare(null),
    onceAsked: asking && { purpose: put?.purposes[0] ?? null, ...(await compare(asking)) },
    opens: put === null ? [] : openedBy(put, { holdings, known, after, declared: asking, now }),
  };
}

// Handles one agent per turn of the event loop, so that other requests are answered in between.
async function inTurns(
  { subjects, more }: { subjects: readonly Subject[]; more: number },
  effects: Iterator<Effect | null, void>,
): Promise<Compared> {
  const affected: Affected[] = [];
  for (const { agent } of subjects) {
    const effect = effects.next().value;
    if (effect) affected.push({ agent, effect });
    await setImmediate();
  }
  return { affected, uncompared: subjects.length - affected.length + more };
}

/** Returns what an agent has to declare for a rule to open anything; null for nothing. */
function conditionOf({ purposes, maxRetention }: Policy) {
  if (purposes.length === 0 && maxRetention === null) return null;
  return { type: purposes[0] ?? "other", retention: maxRetention };
}

interface Subject {
  agent: NamedAgent | Imagined;
  facts: Facts;
}

// The agent that a rule names is always compared.
function mayReachMore(change: PolicyChange, policies: readonly Policy[]): boolean {
  if (change.kind === "template") return true;
  const id = change.kind === "put" ? change.policy.id : change.policyId;
  return policies.some((one) => one.id === id && one.agentPattern.includes("*"));
}
