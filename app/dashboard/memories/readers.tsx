import type { Audience } from "@/lib/services/access/audience";
import type { MemoryState } from "@/lib/services/memories/shown";
import { AgentName } from "../../_components/shown/agent-name";
import { counted } from "../../_components/words/list";

interface ReadersProps {
  state: MemoryState;
  audience: Audience | undefined;
}

/** Shows who may read a memory now. */
export function Readers({ state, audience }: ReadersProps) {
  if (state !== "live") return <Line>No agent can read it</Line>;
  const { everyone = null, agents = [] } = audience ?? {};
  if (everyone === "all") return <Line>Every agent can read it</Line>;
  const others = everyone === "verified" ? agents.filter(({ verified }) => !verified) : agents;
  const all = everyone === "verified" ? "Every verified agent" : null;
  const [first, ...more] = others;
  if (first === undefined) return <Line>{all ?? "No agent"} can read it</Line>;
  if (more.length === 0) {
    return (
      <Line>
        {all !== null && `${all} and `}
        <AgentName agent={first} className="font-medium" /> can read it
      </Line>
    );
  }
  return (
    <details className="text-xs">
      <summary className="min-h-6 underline decoration-dotted underline-offset-4">
        {all !== null && `${all} and `}
        {others.length} {all === null ? "agents" : "others"} can read it
      </summary>
      <ul className="mt-1 flex flex-wrap gap-x-4">
        {others.slice(0, namedMax).map((agent) => (
          <li key={agent.did}>
            <AgentName agent={agent} className="font-medium" />
          </li>
        ))}
        {others.length > namedMax && <li>and {counted(others.length - namedMax, "more agent")}</li>}
      </ul>
    </details>
  );
}

const namedMax = 5;

function Line({ children }: { children: React.ReactNode }) {
  return <span className="text-xs">{children}</span>;
}
