import { Icon } from "../icon";
import { didName } from "../words/did-name";
import { visibleText } from "../words/inert";
import { Identicon } from "./identicon";
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
  /** Its picture, before the name. */
  tile?: string;
}

/** An agent chooses its name, so whether it is verified always stands beside it. */
export function AgentName({ agent, className = "font-semibold", tile }: AgentNameProps) {
  const { did, name, verified } = agent;
  return (
    <span
      className={`inline-flex max-w-full flex-wrap gap-x-2 ${tile === undefined ? "items-baseline" : "items-center align-middle"}`}
      title={did}
    >
      {tile !== undefined && <Identicon did={did} className={tile} />}
      <span className={`min-w-0 ${className}`}>
        <InertText text={agentLabel({ did, name })} />
      </span>
      <span
        className={`inline-flex items-center gap-1 self-center text-small ${verified ? "font-medium text-open" : "text-muted"}`}
      >
        <Icon icon={verified ? "seal-check-fill" : "seal-question"} className="size-4" />
        {verified ? "Verified" : "Not verified"}
      </span>
    </span>
  );
}

interface RunByProps {
  agent: { operator: string | null; verified: boolean };
}

/** Who runs an agent: its own words, unless an admin has checked who it is. */
export function RunBy({ agent: { operator, verified } }: RunByProps) {
  if (operator === null) return "does not say who runs it";
  return (
    <>
      run by <InertText text={operator} />
      {!verified && ", as it says itself"}
    </>
  );
}

/** For places that hold nothing but characters: options, labels, what is only read aloud. */
export function agentWords(agent: Pick<NamedAgent, "did" | "name">): string {
  const words = visibleText(agentLabel(agent)).trim();
  return words === "" ? agentLabel({ did: agent.did, name: null }) : words;
}

export function agentLabel({ did, name }: Pick<NamedAgent, "did" | "name">): string {
  return name ?? didName(did);
}
