import type { Audience, Reader } from "@/lib/services/access/audience";
import { AgentName } from "../../_components/shown/agent-name";
import { counted } from "../../_components/words/list";
import { policySentence } from "../policy-sentence";

interface AudienceLineProps {
  /** The beginning of the sentence: "If you keep this". */
  when: string;
  audience: Audience | undefined;
}

/** Says who can read something; opens to the names and rules. */
export function AudienceLine({ when, audience }: AudienceLineProps) {
  if (audience === undefined) return null;
  const line = `${when}, ${readersIn(audience)} can read it`;
  if (audience.agents.length === 0) return <p className="text-muted">{line}.</p>;
  return (
    <details className="group/audience text-muted">
      <summary className="inline-block list-none underline decoration-edge/60 underline-offset-4 hover:text-ink">
        {line}
      </summary>
      <ul className="mt-2 flex flex-col gap-1.5 border-l-2 border-edge/40 pl-3">
        {audience.agents.slice(0, namedMax).map((reader) => (
          <li key={reader.did}>
            <AgentName agent={reader} className="font-medium text-ink" />
            <Why reader={reader} />
          </li>
        ))}
        {audience.agents.length > namedMax && (
          <li>and {counted(audience.agents.length - namedMax, "more agent")}</li>
        )}
      </ul>
    </details>
  );
}

const namedMax = 5;

function readersIn({ agents, everyone }: Audience): string {
  if (everyone === "all") return "every agent";
  if (everyone === "verified") {
    const others = agents.filter(({ verified }) => !verified).length;
    return others === 0
      ? "every verified agent"
      : `every verified agent and ${counted(others, "other")}`;
  }
  return agents.length === 0 ? "no agent" : counted(agents.length, "agent");
}

function Why({ reader: { policy } }: { reader: Reader }) {
  return policy === null ? null : (
    <span className="block text-xs wrap-anywhere">by your policy: {policySentence(policy)}</span>
  );
}
