import { sumOf } from "@/lib/rules/effect/seen";
import type { CategoryReach } from "@/lib/services/access/sight/reach";
import type { AgentDossier } from "@/lib/services/agents/known/find-known";
import { ButtonLink } from "../../../_components/button";
import { CopyButton } from "../../../_components/copy-button";
import { Form, SubmitButton } from "../../../_components/forms/form";
import { Icon } from "../../../_components/icon";
import { UpLink } from "../../../_components/shell/page-header";
import { AgentName, agentLabel, agentWords, RunBy } from "../../../_components/shown/agent-name";
import { Identicon } from "../../../_components/shown/identicon";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";
import type { ReaderClock } from "../../../_components/words/time";
import { heldWords } from "../../access/request/words/grant-words";
import { liftAction } from "../actions";
import { openIn } from "../reach-words";
import { endsOf } from "./ends-of";
import { QuarantineAct, ShutOutNotes } from "./quarantine/acts";
import { RemoveAccess } from "./remove-access";

interface AgentHeaderProps {
  dossier: AgentDossier;
  categories: CategoryReach[];
  clock: ReaderClock;
}

/** Who the agent is, how much of that somebody has confirmed, and the act that ends its access. */
export function AgentHeader({ dossier, categories, clock }: AgentHeaderProps) {
  const { agent, description, stateReason } = dossier;
  const name = agentWords(agent);
  return (
    <header>
      <UpLink href="/dashboard/agents">All agents</UpLink>
      <div className="mt-1 flex flex-wrap items-start gap-x-4.5 gap-y-3 rail:items-center">
        <Identicon did={agent.did} className="size-13 rail:size-18" />
        <div className="min-w-0 flex-1 basis-64">
          <h1 className="text-title tracking-tight">
            <AgentName agent={agent} />
          </h1>
          <Facts dossier={dossier} now={clock.now} />
          <p className="flex items-center gap-1 text-small text-muted">
            <span className="wrap-anywhere">{agent.did}</span>
            <CopyButton text={agent.did} what="the identifier" />
          </p>
        </div>
        <ButtonLink href="#see-as" look="secondary" className="min-w-0">
          <Icon icon="eye" className="size-4" />
          <span className="min-w-0 wrap-anywhere whitespace-normal">See as {name}</span>
        </ButtonLink>
        <Act dossier={dossier} categories={categories} clock={clock} />
      </div>
      <ShutOutNotes dossier={dossier} now={clock.now} />
      {stateReason !== null && (
        <p className="mt-3">
          The reason given: <InertText text={stateReason} />
        </p>
      )}
      {description !== null && (
        <figure className="mt-3 theirs px-4 py-2.5 full:mr-82">
          <figcaption className="text-small text-theirs-muted">In its own words</figcaption>
          <blockquote className="mt-0.5">
            <InertText text={description} lines />
          </blockquote>
        </figure>
      )}
    </header>
  );
}

/** What ends its access, or lets it in again. */
function Act({ dossier, categories, clock }: AgentHeaderProps) {
  const { agent, blockedBy, proposals } = dossier;
  if (blockedBy !== null) {
    return (
      <Form action={liftAction} className="">
        <input type="hidden" name="policyId" value={blockedBy} />
        <SubmitButton look="secondary">Unblock</SubmitButton>
      </Form>
    );
  }
  const open = openIn(categories);
  return (
    <>
      <QuarantineAct dossier={dossier} />
      <RemoveAccess
        agent={{ did: agent.did, label: agentLabel(agent) }}
        ends={endsOf(dossier, clock)}
        reads={open.length === 0 ? null : heldWords(sumOf(open))}
        proposals={proposals.pending + proposals.held}
      />
    </>
  );
}

const registrants = {
  itself: "registered itself",
  you: "registered by you",
  a_user: "registered by somebody else with an account here",
  an_admin: "registered by an admin",
  client: "connects by this gateway's address",
};

function Facts({ dossier, now }: { dossier: AgentDossier; now: Date }) {
  const { agent, operator, registered, firstSeenAt, lastSeenAt } = dossier;
  return (
    <p className="text-muted first-letter:uppercase">
      {operator !== null && (
        <>
          <RunBy agent={{ ...agent, operator }} /> ·{" "}
        </>
      )}
      {registered !== null && <>{registrants[registered.by]} · </>}
      {firstSeenAt === null || lastSeenAt === null ? (
        "not seen here yet"
      ) : (
        <>
          first seen <When at={firstSeenAt} now={now} /> · last seen{" "}
          <When at={lastSeenAt} now={now} />
        </>
      )}
      {!agent.verified && ". Nobody has checked who it is; an admin of this gateway can."}
    </p>
  );
}
