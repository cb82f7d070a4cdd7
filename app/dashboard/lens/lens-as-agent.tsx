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
    <section id="see-as" aria-label={title} className="scroll-mt-6">
      <h2 className="mb-1.5 text-lead font-semibold">
        {title}{" "}
        <span className="text-base font-normal text-muted">{lensWords(groups.seen, state)}</span>
      </h2>
      <div className="theirs flex flex-col gap-5 p-4 sm:p-5">
        {groups.seen > 0 && <h3 className="sr-only">By category</h3>}
        <Groups groups={groups} hrefOf={(scope) => seesAddress(agentDid).href({ scope })} />
        {hidden.lines.length > 0 && (
          <details className="group" open={groups.seen === 0}>
            <Summary>{`Hidden from it: ${counted(hidden.lines.length + hidden.more, "thing")}`}</Summary>
            <div className="mt-3">
              <Hidden lines={hidden} />
            </div>
          </details>
        )}
      </div>
    </section>
  );
}
