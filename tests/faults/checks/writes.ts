import type { Call } from "../ledger";
import { type Evidence, groupBy, type Invariant, isAcknowledged } from "./evidence";

// What was acknowledged is there, once, and stays as it was decided.

export const proposalsExist: Invariant = {
  name: "every acknowledged proposal exists, byte for byte",
  breaches({ calls, stored }) {
    const known = new Map(stored.proposals.map((proposal) => [proposal.id, proposal]));
    return acknowledged(calls, "propose").flatMap(({ id, outcome, ...meant }) => {
      const proposal = known.get(outcome.proposalId ?? "");
      if (proposal === undefined) return [`${id}: ${outcome.proposalId} does not exist`];
      const { content, category, agent, profile } = proposal;
      const isSame =
        content === meant.content &&
        category === meant.category &&
        agent === meant.caller &&
        profile === meant.profile;
      return isSame ? [] : [`${id}: ${outcome.proposalId} is not what was sent`];
    });
  },
};

export const approvalsMakeOneMemory: Invariant = {
  name: "an acknowledged approval has exactly one memory, with its content and id",
  breaches({ calls, stored }) {
    const memories = groupBy(stored.memories, ({ proposalId }) => proposalId);
    const proposals = new Map(stored.proposals.map((proposal) => [proposal.id, proposal]));
    const doubled = [...memories].filter(([, all]) => all.length > 1);
    const broken = [...lastDecisions(calls)].flatMap(([proposalId, { decided, isReopened }]) => {
      const [memory] = memories.get(proposalId) ?? [];
      if (isReopened) return [];
      if (decided.action === "reject") {
        return memory === undefined ? [] : [`${proposalId} was rejected and has a memory`];
      }
      if (memory === undefined) return [`${proposalId} was approved and has no memory`];
      if (memory.id !== decided.outcome.memoryId) {
        return [`${proposalId} has another memory than was told`];
      }
      const content = decided.content ?? proposals.get(proposalId)?.content;
      return memory.content === content ? [] : [`${memory.id} is not what was approved`];
    });
    return [...doubled.map(([proposalId]) => `${proposalId} has several memories`), ...broken];
  },
};

const states = { approve: "approved", reject: "rejected" } as const;

export const decisionsStand: Invariant = {
  name: "a decision never changes, but by its owner taking it back",
  breaches(evidence) {
    return [...changedInTheEnd(evidence), ...decidedTwice(evidence), ...seenOtherwise(evidence)];
  },
};

function changedInTheEnd({ calls, stored }: Evidence): string[] {
  const proposals = new Map(stored.proposals.map((proposal) => [proposal.id, proposal]));
  return [...lastDecisions(calls)].flatMap(([proposalId, { decided, isReopened }]) => {
    const status = proposals.get(proposalId)?.status;
    if (isReopened || status === states[decided.action ?? "reject"]) return [];
    return [`${proposalId} was decided (${decided.action}) and is ${status}`];
  });
}

// A second decision needs the first one taken back before it ends.
function decidedTwice({ calls }: Evidence): string[] {
  const reopenings = groupBy(calls.filter(isReopening), ({ proposalId }) => proposalId);
  const decisions = groupBy(acknowledged(calls, "review"), ({ proposalId }) => proposalId);
  return [...decisions].flatMap(([proposalId, all]) => {
    const possible = (reopenings.get(proposalId) ?? []).length;
    return all.length > possible + 1
      ? [`${proposalId} was decided ${all.length} times, and taken back ${possible} times`]
      : [];
  });
}

// What was listed after a decision and before anybody began to take it back.
function seenOtherwise({ calls }: Evidence): string[] {
  const firsts = new Map<string, Call>();
  for (const decision of acknowledged(calls, "review")) {
    const { proposalId = "" } = decision;
    if (!firsts.has(proposalId)) firsts.set(proposalId, decision);
  }
  const reopened = groupBy(calls.filter(isReopening), ({ proposalId }) => proposalId);
  return calls.flatMap(({ id, at, outcome }) =>
    Object.entries(outcome.states ?? {}).flatMap(([proposalId, state]) => {
      const decision = firsts.get(proposalId);
      const backAt = reopened.get(proposalId)?.[0]?.at ?? Number.POSITIVE_INFINITY;
      const isAfter = decision !== undefined && at > decision.outcome.at && outcome.at < backAt;
      return isAfter && state !== states[decision.action ?? "reject"]
        ? [`${id}: ${proposalId} is ${state} after it was decided (${decision.action})`]
        : [];
    }),
  );
}

interface Last {
  decided: Call;
  /** Whether anybody may have undone it afterwards, or decided again without hearing of it. */
  isReopened: boolean;
}

function lastDecisions(calls: readonly Call[]): Map<string, Last> {
  const lasts = new Map<string, Last>();
  const reopenings = groupBy(calls.filter(isReopening), ({ proposalId }) => proposalId);
  for (const decided of acknowledged(calls, "review")) {
    const { proposalId = "" } = decided;
    const isReopened = (reopenings.get(proposalId) ?? []).some(
      ({ outcome }) => outcome.at > decided.at || outcome.result === "unknown",
    );
    lasts.set(proposalId, { decided, isReopened });
  }
  return lasts;
}

function isReopening({ verb, outcome }: Call): boolean {
  return verb === "reopen" && outcome.result !== "refused";
}

function acknowledged(calls: readonly Call[], verb: Call["verb"]): Call[] {
  return calls.filter((call) => call.verb === verb && isAcknowledged(call));
}
