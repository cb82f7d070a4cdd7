import { AgentName } from "../../../../_components/shown/agent-name";
import { InertText } from "../../../../_components/shown/inert-text";
import { type PolicyFacts, policyWords } from "../../../policy-sentence";

/** The sentence of a policy, with the agent by name and mark as everywhere else. */
export function PolicySentence({ policy, zone }: { policy: PolicyFacts; zone: string }) {
  const { who, rest } = policyWords(policy, zone);
  return (
    <span className="wrap-anywhere">
      {typeof who === "string" ? (
        <b className="font-semibold">{who}</b>
      ) : (
        <AgentName agent={who} tile="size-5.5" />
      )}
      {rest.startsWith(",") ? "" : " "}
      <InertText text={rest} />
    </span>
  );
}
