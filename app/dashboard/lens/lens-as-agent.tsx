import type { Lens } from "@/lib/services/access/sight/lens";
import type { AgentCondition } from "@/lib/services/agents/known/list-known";
import { agentLabel, type NamedAgent } from "../../_components/shown/agent-name";
import { InertText } from "../../_components/shown/inert-text";
import { heldWords } from "../access/request/words/grant-words";
import { seesAddress } from "../agents/agent-href";
import { Groups, Hidden, Summary } from "./lens";
import { hiddenCounts, hiddenLines, lensGroups, lensWords } from "./lens-view";

interface LensAsAgentProps {
  agent: NamedAgent;
  lens: Lens;
  state: AgentCondition;
  zone: string;
}

/** What the agent gets now, or would if it were active: the answer itself, and which rule hides the rest. */
export function LensAsAgent({ agent, lens, state, zone }: LensAsAgentProps) {
  const groups = lensGroups(lens);
  const hidden = hiddenLines(lens.hidden, { policies: lens.policies, zone });
  return (
    <section id="see-as" aria-labelledby="gets" className="scroll-mt-6">
      <h2 id="gets" className="text-lead font-semibold">
        What <InertText text={agentLabel(agent)} />{" "}
        {state === "active" ? "gets now" : "would get if it were active"}
      </h2>
      <p className="mb-1.5 text-muted">{lensWords(groups.seen, state)}</p>
      <div className="theirs flex flex-col gap-5 p-4 sm:p-5">
        {groups.seen > 0 && <h3 className="sr-only">By category</h3>}
        <Groups groups={groups} hrefOf={(scope) => seesAddress(agent.did).href({ scope })} />
        {hidden.lines.length > 0 && (
          <details className="group" open={groups.seen === 0}>
            <Summary>{`Hidden from it: ${heldWords(hiddenCounts(lens.hidden))}`}</Summary>
            <div className="mt-3">
              <Hidden lines={hidden} />
            </div>
          </details>
        )}
      </div>
    </section>
  );
}
