import { AgentName } from "../../../../_components/shown/agent-name";
import { type PolicyFacts, policyWords } from "../../../policy-sentence";

/** The same with the agent as it is shown everywhere: by its name, verified or not. */
export function PolicySentence({ policy }: { policy: PolicyFacts }) {
  const { who, rest } = policyWords(policy);
  return (
    <span className="wrap-anywhere">
      {typeof who === "string" ? who : <AgentName agent={who} />}
      {rest.startsWith(",") ? "" : " "}
      {rest}
    </span>
  );
}
