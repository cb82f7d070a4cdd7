import type { KnownConsent } from "@/lib/services/access/consents";
import { AgentName } from "../../../_components/shown/agent-name";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";
import { TakeBack } from "../../../_components/toasts/toasts";
import type { ReaderClock } from "../../../_components/words/time";
import { Arrive } from "./arrive";
import { decidedWords } from "./words/request-words";

interface DecidedProps {
  request: KnownConsent;
  clock: ReaderClock;
  /** The event of the decision, where it was made a moment ago and no toast offers to take it back. */
  undo: string | undefined;
}

/** Shows the outcome of a request, also to a visitor who follows its link later. */
export function Decided({ request, clock, undo }: DecidedProps) {
  const { id, agent, decidedAt, status } = request;
  return (
    <div
      id={id}
      tabIndex={-1}
      role="status"
      className="scroll-mt-6 rounded-box border border-line bg-sunken px-4 py-3 rail:px-6"
    >
      <Arrive at={id} />
      <h2 className="flex flex-wrap items-baseline gap-x-2 text-base">
        <span className="font-semibold">{status === "granted" ? "Granted." : "Denied."}</span>
        <AgentName agent={agent} className="font-medium" />
      </h2>
      <p className="mt-1">
        <InertText text={decidedWords(request, clock)} />
        {decidedAt !== null && (
          <span className="text-muted">
            {" "}
            You decided <When at={decidedAt} now={clock.now} />.
          </span>
        )}
      </p>
      {undo !== undefined && <TakeBack undo={{ kind: "access", id: undo }} />}
    </div>
  );
}
