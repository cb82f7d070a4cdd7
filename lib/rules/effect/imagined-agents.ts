import { type Did, parseDid } from "@/lib/protocol/did";
import { everyAgent, type Facts } from "../facts";
import type { PolicyChange } from "./policy-change";

/** An agent that need not exist: an example of all that a general rule applies to. */
export type Imagined = { imagined: "verified" | "other" | "fitting"; did: Did; verified: boolean };

const strangers: readonly Imagined[] = [
  { imagined: "verified", did: "did:prof:agent:imagined:verified", verified: true },
  { imagined: "other", did: "did:prof:agent:imagined:other", verified: false },
];

/** Any verified agent, any other, and one that fits the pattern of the rule that changes. */
export function imaginedAgents(change: PolicyChange): Imagined[] {
  if (change.kind !== "put") return [...strangers];
  const { agentPattern, verifiedOnly } = change.policy;
  const did = exampleOf(agentPattern);
  const isPattern = agentPattern.includes("*") && agentPattern !== everyAgent;
  if (!isPattern || parseDid(did)?.kind !== "agent") return [...strangers];
  return [{ imagined: "fitting", did, verified: verifiedOnly }, ...strangers];
}

/** An agent that a pattern means. */
export function exampleOf(agentPattern: string): Did {
  return agentPattern.replaceAll("*", "any");
}

type Stranger = Pick<Facts, "policies" | "now"> & Pick<Facts["agent"], "did" | "verified">;

/** Returns the facts of an agent that holds nothing and that no admin limits. */
export function strangerFacts({ did, verified, policies, now }: Stranger): Facts {
  const agent = { did, verified, ceiling: ["prof:*"] };
  return { agent, policies, receipts: [], token: null, purpose: null, now };
}
