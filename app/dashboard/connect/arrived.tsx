import type { ReactNode } from "react";
import type { Arrival } from "@/lib/services/connect/arrival";
import { Icon } from "../../_components/icon";
import { agentLabel } from "../../_components/shown/agent-name";
import { Identicon } from "../../_components/shown/identicon";
import { InertText } from "../../_components/shown/inert-text";
import { Clock } from "../../_components/shown/when";
import { TextLink } from "../../_components/text-link";
import { itemsWords } from "../activity/sentence/items";
import { agentHref } from "../agents/agent-href";

/** Who just came by the address, and how far: the page is asked for again with each step. */
export function Arrived({ arrival }: { arrival: Arrival | null }) {
  const read = arrival?.firstRead ?? null;
  return (
    <aside
      aria-labelledby="at-the-gate"
      className="flex flex-col border-wall bg-theirs px-4 py-5 max-full:border-t-4 full:border-l-4 full:px-7 full:py-6"
    >
      <h2 id="at-the-gate" className="text-lead font-semibold">
        At the gate
      </h2>
      <p className="text-small text-theirs-muted">This page listens while it is open.</p>
      <div aria-live="polite" className="mt-4">
        {arrival !== null && (
          <p className="mb-4 flex flex-col items-center gap-3 text-center text-lead font-semibold">
            <Identicon did={arrival.agent.did} className="size-18" />
            <span>
              <InertText text={agentLabel(arrival.agent)} /> is connected
            </span>
          </p>
        )}
        <ol className="divide-y divide-theirs-line border-y border-theirs-line">
          <Step at={arrival?.connectedAt ?? null} isNext={arrival === null}>
            {arrival === null ? "Waits for a program that opens the address" : "You let it in"}
          </Step>
          <Step at={read?.at ?? null} isNext={arrival !== null && read === null}>
            {read === null ? (
              "Its first read"
            ) : (
              <>It read {itemsWords(read.items) || "nothing yet"}</>
            )}
          </Step>
        </ol>
        {arrival !== null && (
          <p className="mt-4">
            <TextLink href={agentHref(arrival.agent.did)}>
              What it can see, and how to end it
            </TextLink>
          </p>
        )}
      </div>
      <p className="mt-auto pt-6 text-small text-theirs-muted">
        Nothing for two minutes?{" "}
        <TextLink href="/docs/help#connect">See what usually stops it</TextLink>
      </p>
    </aside>
  );
}

interface StepProps {
  at: Date | null;
  isNext: boolean;
  children: ReactNode;
}

function Step({ at, isNext, children }: StepProps) {
  return (
    <li className="flex items-center gap-3 py-2.5">
      {at === null ? (
        <span
          aria-hidden="true"
          className={`size-5 shrink-0 rounded-full border-2 border-dashed border-theirs-muted ${isNext ? "" : "opacity-50"}`}
        />
      ) : (
        <span className="text-open">
          <Icon icon="check" className="size-5" />
        </span>
      )}
      <span
        className={`flex-1 ${isNext ? "font-semibold" : at === null ? "text-theirs-muted" : ""}`}
      >
        {children}
      </span>
      {at !== null && (
        <span className="text-small text-theirs-muted">
          <Clock at={at} />
        </span>
      )}
    </li>
  );
}
