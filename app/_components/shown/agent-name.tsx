import { parseDid } from "@/lib/protocol/did";
import { visibleText } from "../words/inert";
import { InertText } from "./inert-text";

export interface NamedAgent {
  did: string;
  /** Null where the gateway does not know the agent. */
  name: string | null;
  verified: boolean;
}

interface AgentNameProps {
  agent: NamedAgent;
  className?: string;
}

/** An agent chooses its name, so whether it is verified always stands beside it. */
export function AgentName({ agent, className = "font-semibold" }: AgentNameProps) {
  const { did, name, verified } = agent;
  return (
    <span className="inline-flex max-w-full flex-wrap items-baseline gap-x-2" title={did}>
      <span className={`min-w-0 ${className}`}>
        <InertText text={agentLabel({ did, name })} />
      </span>
      <span
        className={`inline-flex items-baseline gap-1 text-xs ${verified ? "font-medium text-accent" : "text-muted"}`}
      >
        {verified && <Tick />}
        {verified ? "Verified" : "Not verified"}
      </span>
    </span>
  );
}

/** For places that hold nothing but characters: options, labels, what is only read aloud. */
export function agentWords(agent: Pick<NamedAgent, "did" | "name">): string {
  const words = visibleText(agentLabel(agent)).trim();
  return words === "" ? agentLabel({ did: agent.did, name: null }) : words;
}

export function agentLabel({ did, name }: Pick<NamedAgent, "did" | "name">): string {
  return name ?? parseDid(did)?.name ?? did;
}

function Tick() {
  return (
    <svg viewBox="0 0 12 12" className="size-3 self-center" aria-hidden="true">
      <path d="M2 6.5 4.75 9 10 3.25" fill="none" stroke="currentColor" strokeWidth="1.75" />
    </svg>
  );
}
