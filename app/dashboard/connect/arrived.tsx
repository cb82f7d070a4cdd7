import type { ReactNode } from "react";
import type { Arrival } from "@/lib/services/connect/arrival";
import { Icon } from "../../_components/icon";
import { agentLabel } from "../../_components/shown/agent-name";
import { Identicon } from "../../_components/shown/identicon";
import { InertText } from "../../_components/shown/inert-text";
import { Clock, When } from "../../_components/shown/when";
import { TextLink } from "../../_components/text-link";
import { itemsWords } from "../activity/sentence/items";
import { agentHref } from "../agents/agent-href";
import { SinceOpened } from "./since-opened";

/** Who came by the address since the page was opened, and how far: the page is asked for again with each step. */
export function Arrived({ arrival, now }: { arrival: Arrival | null; now: Date }) {
  return (
    <aside
      aria-labelledby="at-the-gate"
      className="flex flex-col border-wall bg-theirs px-4 py-3 max-full:border-y-4 rail:px-8 full:col-start-2 full:row-span-2 full:row-start-1 full:border-l-4 full:px-7 full:py-6"
    >
      <h2 id="at-the-gate" className="text-lead font-semibold">
        At the gate
      </h2>
      <p className="text-small text-theirs-muted max-full:hidden">
        This page listens while it is open.
      </p>
      <div aria-live="polite" className="mt-1 full:mt-4">
        <SinceOpened
          now={now}
          at={arrival?.connectedAt ?? null}
          before={<Waits earlier={arrival} now={now} />}
          after={arrival !== null && <Connected arrival={arrival} />}
        />
      </div>
      <p className="mt-auto pt-2 text-small text-theirs-muted full:pt-6">
        Nothing for two minutes?{" "}
        <TextLink href="/docs/help#connect">See what usually stops it</TextLink>
      </p>
    </aside>
  );
}

const steps = "divide-y divide-theirs-line full:border-y border-theirs-line";

function Waits({ earlier, now }: { earlier: Arrival | null; now: Date }) {
  return (
    <>
      <ol className={steps}>
        <Step at={null} isNext>
          Waits until you let a program in
        </Step>
        <Step at={null} className="max-full:hidden">
          Its first read
        </Step>
      </ol>
      <p className="mt-2 text-small text-theirs-muted full:mt-4">
        Closed the page that a program opened? Start again in the program.
      </p>
      {earlier !== null && (
        <p className="mt-2 text-small text-theirs-muted">
          Connected <When at={earlier.connectedAt} now={now} />:{" "}
          <TextLink href={agentHref(earlier.agent.did)}>
            <InertText text={agentLabel(earlier.agent)} />
          </TextLink>
          {earlier.firstRead !== null && `. It read ${readWords(earlier.firstRead)}`}.
        </p>
      )}
    </>
  );
}

function Connected({ arrival: { agent, connectedAt, firstRead } }: { arrival: Arrival }) {
  return (
    <>
      <p className="mb-4 flex items-center gap-3 text-lead font-semibold full:flex-col full:text-center">
        <Identicon did={agent.did} className="size-11 full:size-18" />
        <span>
          <InertText text={agentLabel(agent)} /> is connected
        </span>
      </p>
      <ol className={steps}>
        <Step at={connectedAt}>You let it in</Step>
        <Step at={firstRead?.at ?? null} isNext={firstRead === null}>
          {firstRead === null ? "Its first read" : `It read ${readWords(firstRead)}`}
        </Step>
      </ol>
      <p className="mt-2 full:mt-4">
        <TextLink href={agentHref(agent.did)}>What it can see, and how to end it</TextLink>
      </p>
    </>
  );
}

function readWords({ items }: NonNullable<Arrival["firstRead"]>): string {
  return itemsWords(items) || "nothing yet";
}

interface StepProps {
  at: Date | null;
  isNext?: boolean;
  className?: string;
  children: ReactNode;
}

function Step({ at, isNext = false, className = "", children }: StepProps) {
  return (
    <li className={`flex items-center gap-3 py-2.5 ${className}`}>
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
