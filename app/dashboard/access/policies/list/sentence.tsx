import { AgentName } from "../../../../_components/shown/agent-name";
import { policyWords, type ToldPolicy } from "../../../policy-sentence";

/** The same with the agent as it is shown everywhere: by its name, verified or not. */
export function PolicySentence({ policy }: { policy: ToldPolicy }) {
  const { who, rest } = policyWords(policy);
  return (
    <span className="wrap-anywhere">
      {typeof who === "string" ? who : <AgentName agent={who} />}
      {rest.startsWith(",") ? "" : " "}
      {rest}
    </span>
  );
}
