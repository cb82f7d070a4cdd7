import type { KnownConsent } from "@/lib/services/access/consents";
import { AgentName } from "../../../_components/shown/agent-name";
import { When } from "../../../_components/shown/when";
import { TakeBack } from "../../../_components/toasts/toasts";
import { categoryWords } from "../../../_components/words/category";
import { list } from "../../../_components/words/list";
import { purposeWord } from "../../../_components/words/purpose";
import { Arrive } from "./arrive";

interface DecidedProps {
  request: KnownConsent;
  now: Date;
}

interface DecidedPanelProps extends DecidedProps {
  /** The event of the decision, where it was made a moment ago and no toast offers to take it back. */
  undo: string | undefined;
}

/** Shows the outcome of a request, also to a visitor who follows its link later. */
export function Decided({ request, now, undo }: DecidedPanelProps) {
  const { id, agent, decidedAt, status } = request;
  return (
    <div
      id={id}
      tabIndex={-1}
      role="status"
      className="scroll-mt-6 rounded-box border border-accent/40 bg-accent-soft px-4 py-3 sm:px-6"
    >
      <Arrive at={id} />
      <h2 className="flex flex-wrap items-baseline gap-x-2 text-base">
        <span className="font-semibold">{status === "granted" ? "Granted." : "Denied."}</span>
        <AgentName agent={agent} className="font-medium" />
      </h2>
      <p className="mt-1">
        {status === "granted" ? <Grant request={request} now={now} /> : <Denial />}
        {decidedAt !== null && (
          <span className="text-muted">
            {" "}
            You decided <When at={decidedAt} now={now} />.
          </span>
        )}
      </p>
      {undo !== undefined && <TakeBack undo={{ kind: "access", id: undo }} />}
    </div>
  );
}

function Grant({ request, now }: DecidedProps) {
  const { scopes, grantedScopes, purposeType, grant } = request;
  const withheld = scopes.filter((scope) => !grantedScopes.includes(scope));
  const words = list(grantedScopes.map(categoryWords));
  const isOver = grant === null || !grant.enabled || (grant.expiresAt ?? now) < now;
  if (isOver) return <>It could read {words}; that grant is over.</>;
  return (
    <>
      It may read {words} for {purposeWord(purposeType).text.toLowerCase()}
      {grant.expiresAt === null ? (
        ", until you disconnect it"
      ) : (
        <>
          ; that ends <When at={grant.expiresAt} now={now} />
        </>
      )}
      .{withheld.length > 0 && ` You kept back ${list(withheld.map(categoryWords))}.`}
    </>
  );
}

function Denial() {
  return <>It learns nothing from this request. If it asks again, the request appears here.</>;
}
