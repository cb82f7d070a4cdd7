import type { Lens } from "@/lib/services/access/sight/lens";
import type { AgentCondition } from "@/lib/services/agents/known/list-known";
import { counted } from "../../_components/words/list";
import { seesAddress } from "../agents/agent-href";
import { Groups, Hidden, Summary } from "./lens";
import { hiddenLines, lensGroups, lensWords } from "./lens-view";

interface LensAsAgentProps {
  agentDid: string;
  lens: Lens;
  state: AgentCondition;
  zone: string;
}

/** What the agent gets now, or would if it were active: the answer itself, and which rule hides the rest. */
export function LensAsAgent({ agentDid, lens, state, zone }: LensAsAgentProps) {
  const groups = lensGroups(lens);
  const hidden = hiddenLines(lens.hidden, { policies: lens.policies, zone });
  const title = state === "active" ? "What it gets now" : "What it would get if it were active";
  return (
    <section aria-label={title} className="theirs flex flex-col gap-5 p-4 sm:p-5">
      <div>
        <h3 className="font-medium">{title}</h3>
        <p className="text-muted">{lensWords(groups.seen, state)}</p>
      </div>
      <Groups groups={groups} hrefOf={(scope) => seesAddress(agentDid).href({ scope })} />
      {hidden.lines.length > 0 && (
        <details className="group" open={groups.seen === 0}>
          <Summary>{`Hidden from it: ${counted(hidden.lines.length + hidden.more, "thing")}`}</Summary>
          <div className="mt-3">
            <Hidden lines={hidden} />
          </div>
        </details>
      )}
    </section>
  );
}
