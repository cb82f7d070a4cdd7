import { daysAgo, numberedId, type Row } from "./rows";
import type { World } from "./seed";
import { categories, type Dice, dice } from "./sentences";

// A long access log, as the gateway's verbs would have written it.

const part = 10_000;
const logDays = 90;

/** In parts, oldest first; the gateway's job seals them as it does its own. */
export function* events(world: World): Generator<Row[]> {
  const throws = dice(11);
  for (let from = 0; from < world.amounts.events; from += part) {
    const count = Math.min(part, world.amounts.events - from);
    yield Array.from({ length: count }, (_, number) => event(world, throws, from + number));
  }
}

function event(world: World, throws: Dice, number: number): Row {
  const { profileId, profileDid, agents, now, amounts } = world;
  const days = logDays * (1 - number / amounts.events);
  const byOwner = throws.roll() < 0.05;
  return {
    id: numberedId("evt", number),
    profileId,
    at: daysAgo(now, days),
    actor: byOwner ? "owner" : "agent",
    // A few agents do most of it.
    actorId: byOwner ? profileDid : agents[Math.floor(throws.roll() ** 3 * agents.length)],
    ...(byOwner ? ownerDid(throws) : agentDid(throws)),
    requestId: numberedId("req", number),
  };
}

const nothing = { asked: [], granted: [], denied: [], items: {}, reasons: {}, detail: {} };

function ownerDid({ one, below }: Dice): Row {
  const verb = one(["reviewProposal", "decideConsent", "editPolicies", "revokeAgent"]);
  const subjectId = numberedId("prop", below(1_000));
  return { ...nothing, verb, outcome: "ok", purposeType: null, receiptId: null, subjectId };
}

function agentDid(throws: Dice): Row {
  const { one, roll, below } = throws;
  const verb = one(["getProfile", "getProfile", "listMemories", "listProposals", "proposeMemory"]);
  const category = one(categories);
  const isRefused = roll() < 0.15;
  const granted = isRefused ? [] : [category];
  const denied = isRefused ? [category] : [];
  const rule = isRefused ? "no_allow" : "allow";
  return {
    ...nothing,
    verb,
    outcome: isRefused ? one(["PROF004", "PROF002", "PROF005"]) : "ok",
    asked: [category],
    granted,
    denied,
    items: isRefused ? {} : { [category]: 1 + below(20) },
    reasons: { [category]: { rule, policyId: numberedId("pol", below(100)), receiptId: null } },
    purposeType: roll() < 0.3 ? "personalization" : null,
    receiptId: null,
    subjectId: null,
  };
}
