import { closeSync, openSync, writeSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

// What each client meant to do and what came of it, in a file that is only ever added to: the intent is
// written before the first byte goes out, the outcome when the last one came in.

export const verbs = [
  "propose",
  "readProfile",
  "listMemories",
  "listProposals",
  "requestAccess",
  "review",
  "reopen",
  "decideConsent",
  "issueToken",
  "revokeReceipt",
  "revokeToken",
  "revokeAgent",
  "addKey",
  "revokeKey",
  "openPage",
] as const;
export type Verb = (typeof verbs)[number];

export interface Intent {
  id: string;
  /** Milliseconds, by the one clock of the run. */
  at: number;
  verb: Verb;
  /** A DID, or a user's id where a session calls. */
  caller: string;
  profile: string;
  app: number;
  nonce?: string;
  content?: string;
  category?: string;
  proposalId?: string;
  action?: "approve" | "reject";
  /** The access that this call, where it is accepted, begins, ends, or rests on. */
  begins?: string;
  ends?: string;
  under?: string;
  /** Calls that share one limit of so many an hour. */
  limit?: number;
}

export type Result = "acknowledged" | "refused" | "unknown";

export interface Outcome {
  id: string;
  at: number;
  result: Result;
  /** Null where no answer came. */
  status: number | null;
  code: string | null;
  /** Whether a 503 said when to come back, and was in the protocol's envelope. */
  wellRefused: boolean;
  canaries: string[];
  proposalId?: string;
  memoryId?: string;
  /** The states of proposals that the answer listed. */
  states?: Record<string, string>;
}

export interface Call extends Intent {
  outcome: Outcome;
}

export interface Ledger {
  intend(intent: Intent): void;
  settle(outcome: Outcome): void;
  close(): void;
}

export function openLedger(folder: string, name: string): Ledger {
  const file = openSync(path.join(folder, `${name}.ledger`), "a");
  const add = (line: object) => void writeSync(file, `${JSON.stringify(line)}\n`);
  return {
    intend: (intent) => add({ intent }),
    settle: (outcome) => add({ outcome }),
    close: () => closeSync(file),
  };
}

type Line = { intent?: Intent; outcome?: Outcome };

/** Every call of every client, in the order of their beginning. What has no outcome is unknown. */
export async function readLedgers(folder: string): Promise<Call[]> {
  const intents: Intent[] = [];
  const outcomes = new Map<string, Outcome>();
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".ledger")) continue;
    const text = await readFile(path.join(folder, name), "utf8");
    for (const line of text.split("\n").filter((one) => one !== "")) {
      const { intent, outcome }: Line = JSON.parse(line);
      if (intent !== undefined) intents.push(intent);
      if (outcome !== undefined) outcomes.set(outcome.id, outcome);
    }
  }
  return intents
    .map((intent) => ({ ...intent, outcome: outcomes.get(intent.id) ?? unheard(intent) }))
    .sort((one, other) => one.at - other.at);
}

function unheard({ id, at }: Intent): Outcome {
  return {
    id,
    at,
    result: "unknown",
    status: null,
    code: null,
    wellRefused: false,
    canaries: [],
  };
}

export const limitWindowMs = 60 * 60_000;

/** Goes forward only, and is the same for clients and faults. */
export function clock(): number {
  return performance.timeOrigin + performance.now();
}
