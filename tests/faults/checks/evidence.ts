import type { Span, Weight } from "../apps";
import type { Call } from "../ledger";
import type { Fault } from "../plan";
import type { World } from "../world";

/** All that a run leaves behind. Every check is a question to this and to nothing else. */
export interface Evidence {
  calls: Call[];
  faults: Fault[];
  /** When which gateway was down because it was asked to be. */
  downs: ({ app: number } & Span)[];
  world: Pick<World, "canaries" | "secrets">;
  stored: Stored;
  logs: Log[];
  /** Of each gateway at rest, before the first fault and after the last. */
  weights: { app: number; before: Weight; after: Weight }[];
  /** How often a gateway ended although nobody asked it to. */
  lost: number;
}

export interface Stored {
  proposals: StoredProposal[];
  memories: StoredMemory[];
  logs: { profile: string; intact: boolean; sealed: number; unsealed: number }[];
}

export interface StoredProposal {
  id: string;
  profile: string;
  agent: string;
  content: string;
  category: string;
  status: string;
}

export interface StoredMemory {
  id: string;
  proposalId: string;
  content: string;
}

export interface Log {
  name: string;
  text: string;
}

export interface Invariant {
  name: string;
  /** What breaks it, one sentence each. */
  breaches(evidence: Evidence): string[];
}

export function groupBy<T>(all: readonly T[], key: (one: T) => string | undefined) {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const name = key(one);
    if (name === undefined) continue;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  return groups;
}

export function isAcknowledged({ outcome }: Call): boolean {
  return outcome.result === "acknowledged";
}
