import type { Policy } from "@/lib/rules/facts";
import type { AgentDossier } from "@/lib/services/agents/known/find-known";
import { FirstOf } from "../../../_components/lists/first-of";
import { categoryWords } from "../../../_components/words/category";
import { list } from "../../../_components/words/list";
import { policySentence, policyWords } from "../../policy-sentence";
import { conditionWords } from "../agent-row";
import { reachWords } from "../reach-words";

interface RulesProps {
  dossier: AgentDossier;
}

const rulesMax = 10;

/** Shows what the agent may do now, and the rules behind it. */
export function Rules({ dossier }: RulesProps) {
  const { state, reads, proposes, policies, ceiling } = dossier;
  const isCapped = state !== "unknown" && !ceiling.includes("prof:*");
  return (
    <>
      <p className="font-medium wrap-anywhere">
        {state === "active" ? reachWords(reads, proposes) : conditionWords[state]}
      </p>
      <ul className="mt-3 flex wrap-anywhere flex-col divide-y divide-line">
        {policies.slice(0, rulesMax).map((policy) => (
          <li key={policy.id} className="py-2">
            {sentenceOf(policy)}
            <span className="block text-xs text-muted">
              {[origins[policy.origin], bar(policy, dossier)].filter(Boolean).join(" · ")}
            </span>
          </li>
        ))}
        {isCapped && (
          <li className="py-2">
            An admin of this gateway keeps it within{" "}
            {ceiling.length === 0 ? "nothing at all" : list(ceiling.map(categoryWords))}.
          </li>
        )}
      </ul>
      <FirstOf shown={rulesMax} all={policies.length} />
      <p className="mt-2 text-muted">
        {policies.length === 0
          ? "No rule of yours counts for this agent: to read anything, it has to ask you first."
          : "To read anything else, the agent has to ask you first."}
      </p>
    </>
  );
}

// The page says who: no need to call it by its identifier.
function sentenceOf(policy: Policy): string {
  if (policy.agentPattern.includes("*")) return policySentence(policy);
  const { rest } = policyWords(policy);
  return `It${rest.startsWith(",") ? "" : " "}${rest}`;
}

const origins: Record<Policy["origin"], string> = {
  owner: "A rule you wrote",
  template: "A general rule of yours",
  consent: "You granted it",
  token: "By a connection token",
};

// Why a rule that is meant for it opens nothing to it now.
function bar(policy: Policy, { agent, receipts }: AgentDossier): string | null {
  const { verifiedOnly, purposes, maxRetention } = policy;
  if (verifiedOnly && !agent.verified) return "does not count: it is not verified";
  if (purposes.length === 0 && maxRetention === null) return null;
  const isFor = ({ purposeType }: { purposeType: string }) =>
    purposes.length === 0 || purposes.includes(purposeType);
  return receipts.some(isFor) ? null : "counts once it asks for that purpose again";
}
