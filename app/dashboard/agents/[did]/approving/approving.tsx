import type { AgentDossier } from "@/lib/services/agents/known/find-known";
import type { Ctx } from "@/lib/services/context";
import { listApprovable } from "@/lib/services/proposals/rules/approvable";
import { type ApproveRule, listApproving } from "@/lib/services/proposals/rules/approve-rules";
import { AskOnceMore } from "../../../../_components/forms/ask-once-more";
import { Form, SubmitButton } from "../../../../_components/forms/form";
import { agentWords } from "../../../../_components/shown/agent-name";
import { When } from "../../../../_components/shown/when";
import { categoryTitle, categoryWords } from "../../../../_components/words/category";
import { counted, list } from "../../../../_components/words/list";
import { type ReaderClock, untilWords } from "../../../../_components/words/time";
import { endApprovingAction, undoApprovingAction } from "./actions";
import { Approvals } from "./approvals";
import { StartForm } from "./start-form";

interface ApprovingProps {
  ctx: Ctx;
  did: string;
  dossier: AgentDossier;
  clock: ReaderClock;
}

/** What the gateway approves of the agent by itself, and a form for that where it approves nothing. */
export async function Approving({ ctx, did, dossier, clock }: ApprovingProps) {
  const whose = { did, agentDid: dossier.agent.did };
  const [rules, kinds] = await Promise.all([listApproving(ctx, whose), listApprovable(ctx, whose)]);
  const current = rules.find(({ end }) => end === null);
  const past = rules.filter(({ end, approved }) => end !== null && approved.length > 0);
  const { state, blockedBy, quarantinedAt } = dossier;
  const isLetIn = state === "active" && blockedBy === null && quarantinedAt === null;
  const mayStart = current === undefined && isLetIn && kinds.length > 0;
  if (current === undefined && past.length === 0 && !mayStart) return null;
  const offered = kinds.filter(({ isOffered }) => isOffered).map(({ category }) => category);
  return (
    <section aria-labelledby="approving" className="flex flex-col gap-3">
      <h2 id="approving" className="text-lead font-semibold">
        Approved without you
      </h2>
      {current !== undefined && <Rule rule={current} isHeld={!isLetIn} clock={clock} />}
      {mayStart && (
        <>
          {offered.length > 0 && (
            <p>
              You approved the last ten proposals of {agentWords(dossier.agent)} about{" "}
              {list(offered.map(categoryWords))} as they were. The gateway can approve such ones for
              a while, if you want that.
            </p>
          )}
          <StartForm
            agentDid={dossier.agent.did}
            kinds={kinds.map(({ category }) => ({ category, title: categoryTitle(category) }))}
            isOpen={offered.length > 0}
          />
        </>
      )}
      {past.map((rule) => (
        <Rule key={rule.id} rule={rule} clock={clock} />
      ))}
    </section>
  );
}

interface RuleProps {
  rule: ApproveRule;
  /** The agent is kept out: nothing of it is approved. */
  isHeld?: boolean;
  clock: ReaderClock;
}

function Rule({ rule, isHeld = false, clock }: RuleProps) {
  const { id, approved, end } = rule;
  return (
    <div className="box p-4">
      <p>
        {end === null ? "Approves" : "Approved"} what it {end === null ? "proposes" : "proposed"}{" "}
        about {list(rule.categories.map(categoryWords))}
        {rule.confidenceMin > 0 && `, if it is at least ${percent(rule.confidenceMin)} sure`}
        {end === null && `, ${untilWords(rule.expiresAt, clock)}`}: {rule.uses.toLocaleString("en")}{" "}
        of at most {counted(rule.usesMax, "proposal")}.{" "}
        {end !== null && <Ended rule={rule} now={clock.now} />}
      </p>
      {end === null && (
        <p className="text-small text-muted">
          What is flagged, proposed in a sensitive category, like something that you have or like
          something that you rejected still waits for you.
          {isHeld && " Nothing of it is approved while it is kept out."}
        </p>
      )}
      <Approvals approved={approved} now={clock.now} />
      <div className="mt-3 flex flex-wrap gap-3">
        {end === null && (
          <Form action={endApprovingAction} className="">
            <input type="hidden" name="ruleId" value={id} />
            <SubmitButton look="secondary">End it</SubmitButton>
          </Form>
        )}
        {approved.some(({ memoryId }) => memoryId !== null) && (
          <AskOnceMore act={end === null ? "End it and undo all" : "Undo all"}>
            <p>
              Memories that you did not change since are gone. Proposals that have not expired wait
              again.
            </p>
            <Form action={undoApprovingAction} className="">
              <input type="hidden" name="ruleId" value={id} />
              <SubmitButton look="danger">Undo what it approved</SubmitButton>
            </Form>
          </AskOnceMore>
        )}
      </div>
    </div>
  );
}

function Ended({ rule: { end, endedAt, expiresAt }, now }: { rule: ApproveRule; now: Date }) {
  if (end === "used_up") return "It was used up, and has ended.";
  return (
    <>
      It {end === "owner" ? "was ended" : "ended"} <When at={endedAt ?? expiresAt} now={now} />.
    </>
  );
}

function percent(part: number): string {
  return `${Math.round(part * 100)} %`;
}
