import type { Kit } from "./kit";

export type Need =
  | "userKey"
  | "token"
  | "otherUserDid"
  | "otherUserKey"
  | "defaultLimits"
  | "exhaust";

export interface Check {
  id: string;
  sentence: string;
  /** The rule of the specification or of docs/protocol.md that it checks. */
  cites: string;
  needs?: readonly Need[];
  run: (kit: Kit) => Promise<void> | void;
}

export interface Outcome {
  id: string;
  sentence: string;
  cites: string;
  outcome: "passed" | "failed" | "not run";
  /** Why it failed, or why it was not run. */
  because?: string;
}

/** What the gateway did against what it should have done. */
export class Finding extends Error {}

/** The state of the gateway, or what the kit was given, does not let a check tell anything. */
export class NotRun extends Error {}

export async function runChecks(
  kit: Kit,
  checks: readonly Check[],
  done: (outcome: Outcome) => void = () => {},
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const check of checks) {
    const outcome = await runCheck(kit, check);
    outcomes.push(outcome);
    done(outcome);
  }
  return outcomes;
}

async function runCheck(kit: Kit, check: Check): Promise<Outcome> {
  const { id, sentence, cites, needs = [] } = check;
  const missing = needs.flatMap((need) => missingFor(kit, need));
  const row = { id, sentence, cites };
  if (kit.options.skip.some((name) => isNamed(id, name))) {
    return { ...row, outcome: "not run", because: "left out by --skip" };
  }
  if (missing.length > 0) return { ...row, outcome: "not run", because: missing.join(", ") };
  try {
    await check.run(kit);
    return { ...row, outcome: "passed" };
  } catch (error) {
    const because = error instanceof Error ? error.message : String(error);
    return { ...row, outcome: error instanceof NotRun ? "not run" : "failed", because };
  }
}

export function isNamed(id: string, name: string): boolean {
  return id === name || id.startsWith(`${name}.`);
}

function missingFor({ options }: Kit, need: Need): string[] {
  switch (need) {
    case "userKey":
      return options.userKey === null ? ["needs --user-key"] : [];
    case "token":
      return options.token === null ? ["needs --token"] : [];
    case "otherUserDid":
      return options.otherUserDid === null ? ["needs --other-user"] : [];
    case "otherUserKey":
      return options.otherUserKey === null ? ["needs --other-user and --other-user-key"] : [];
    case "defaultLimits":
      return options.limitsRaised ? ["limits are not the specification's: --limits-raised"] : [];
    case "exhaust":
      return options.exhaust ? [] : ["uses up an hour of requests: --exhaust"];
  }
}
