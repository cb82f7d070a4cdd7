import { isSensitive } from "@/lib/protocol/scope";
import {
  type ConnectionChoice,
  type ConsentChoice,
  connectionChoices,
  connectionExpiresAt,
  consentChoices,
  consentExpiresAt,
} from "@/lib/rules/access";
import type { PendingConsent } from "@/lib/services/access/consents";
import type { NamedAgent } from "@/lib/services/access/named-agent";
import { previewRequest, type RequestPreview } from "@/lib/services/access/sight/preview";
import { reachOf } from "@/lib/services/access/sight/reach";
import type { Ctx } from "@/lib/services/context";
import { findInquirySubject } from "@/lib/services/requests/inquiry";
import { Icon } from "../../../_components/icon";
import { readerZone } from "../../../_components/shell/reader-zone";
import { AgentName, agentLabel, RunBy } from "../../../_components/shown/agent-name";
import { categoryIcon } from "../../../_components/shown/category-icon";
import { Identicon } from "../../../_components/shown/identicon";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";
import { categoryTitle } from "../../../_components/words/category";
import { type ReaderClock, untilWords } from "../../../_components/words/time";
import { InquiryBeside } from "../../ask/inquiry-beside";
import { accessAddress } from "../schemas";
import { Arrive } from "./arrive";
import type { Switch } from "./choices";
import { HasAlready } from "./has-already";
import { PartBody } from "./part";
import { Purpose } from "./purpose";
import { RequestForm } from "./request-form";
import { shownParts } from "./shown-parts";
import type { Choice } from "./words/lasting-words";
import { asksWords, restWords } from "./words/request-words";

interface RequestPanesProps {
  ctx: Ctx;
  did: string;
  request: PendingConsent;
  /** "1 of 2", where it is among those that wait. */
  place: string | null;
  /** Set if the user followed a link to this request. */
  arrived: boolean;
}

/** An open request: on the agent's side who asks for what and why, on the owner's what granting it would show. */
export async function RequestPanes({ ctx, did, request, place, arrived }: RequestPanesProps) {
  const { id, agent, agentDid } = request;
  const { now } = ctx;
  const [subject, preview, reach, zone] = await Promise.all([
    findInquirySubject(ctx, { did, id }),
    previewRequest(ctx, { did, request }),
    reachOf(ctx, { did, agents: [agentDid] }),
    readerZone(),
  ]);
  const clock = { now, zone };
  const titleId = `${id}-title`;
  return (
    <article
      id={id}
      tabIndex={-1}
      aria-labelledby={titleId}
      className="-mx-4 -mt-4 grid scroll-mt-0 wrap-anywhere grid-cols-1 border-b border-line rail:-mx-8 rail:-mt-6 rail:min-h-dvh rail:grid-cols-[340px_minmax(0,1fr)] rail:grid-rows-[auto_1fr_auto] full:grid-cols-[404px_minmax(0,1fr)]"
    >
      {arrived && <Arrive at={id} />}
      <section aria-label="What it asks" className="bg-theirs px-4 pt-4 rail:px-7 rail:pt-5.5">
        <p className="text-small text-theirs-muted">
          Request{place !== null && ` ${place}`} · asked <When at={request.requestedAt} now={now} />
          {request.timesAsked > 1 && `, ${request.timesAsked.toLocaleString("en")} times so far`}
        </p>
        <Title id={titleId} request={request} />
        <Purpose request={request} />
        <InquiryBeside id={id} inquiry={subject?.inquiry ?? null} />
        <HasAlready categories={reach.agents[0]?.categories} clock={clock} />
        <Connected until={request.connectedUntil} clock={clock} />
      </section>
      <RequestForm
        key={id}
        requestId={id}
        clock={clock}
        choices={choicesFrom(now)}
        switches={switchesFor({ lookPath: `${accessAddress.path}/${id}`, preview, clock })}
        head={<Head agent={agent} />}
        rest={<Rest preview={preview} again={refusedFor} />}
      />
    </article>
  );
}

function Connected({ until, clock }: { until: Date | null; clock: ReaderClock }) {
  if (until === null) return null;
  return (
    <p className="mb-3.5 text-small text-theirs-muted">
      It is connected {untilWords(until, clock)}. What you grant ends then at the latest.
    </p>
  );
}

const refusedFor = "For 30 days it cannot ask again for what you leave closed.";

interface RestProps {
  preview: RequestPreview;
  /** What becomes of what is left closed. */
  again?: string;
}

export function Rest({ preview: { rest, restCounts }, again = "" }: RestProps) {
  return (
    <p className="part flex flex-1 gap-2 pt-3.5 pb-6 text-small text-muted">
      <Icon icon="lock-simple-fill" className="mt-0.5 size-4 shrink-0" />
      {`${restWords(restCounts, rest)} ${again}`}
    </p>
  );
}

export function Head({ agent }: { agent: NamedAgent }) {
  return (
    <div className="part flex flex-wrap items-baseline gap-x-2.5 pt-4 pb-3 rail:pt-5">
      <h2 className="text-lead font-semibold">
        What <InertText text={agentLabel(agent)} /> would see
      </h2>
      <p className="ml-auto text-small text-muted max-rail:hidden">
        Your data, in the very words it would get
      </p>
    </div>
  );
}

function Title({ id, request: { agent, scopes } }: { id: string; request: PendingConsent }) {
  const { did, operator, suspended } = agent;
  return (
    <header className="mt-3">
      <div className="flex items-center gap-3">
        <Identicon did={did} className="size-12" />
        <div className="min-w-0">
          <AgentName agent={agent} className="text-lead font-bold" />
          {operator !== null && (
            <p className="text-small text-theirs-muted">
              <RunBy agent={agent} />
            </p>
          )}
        </div>
      </div>
      <h1 id={id} className="mt-3.5 mb-3 text-title font-semibold tracking-tight wrap-anywhere">
        <span className="sr-only">
          <InertText text={agentLabel(agent)} />{" "}
        </span>
        {asksWords(scopes)}
      </h1>
      {suspended && (
        <p className="mb-3 font-medium">
          An admin has suspended this agent: it reads nothing while that lasts.
        </p>
      )}
    </header>
  );
}

interface Switching {
  lookPath: string;
  preview: RequestPreview;
  clock: ReaderClock;
}

export function switchesFor({ lookPath, preview, clock }: Switching): Switch[] {
  return shownParts(preview, clock.zone).map((part) => {
    const { scope, memories, values, opens, isLocked, within } = part.preview;
    return {
      ...{ scope, memories, values, opens, isLocked, within },
      title: categoryTitle(scope),
      icon: categoryIcon(scope),
      sensitive: isSensitive(scope),
      body: <PartBody lookPath={lookPath} part={part} now={clock.now} />,
    };
  });
}

/** For how long an owner may grant, shortest first. */
const lengths: Record<ConsentChoice | ConnectionChoice, Omit<Choice, "value" | "until">> = {
  once: { title: "Once", note: "for 15 minutes, then it asks again", grant: "once" },
  "1d": { title: "1 day", note: null, grant: "for 1 day" },
  "7d": { title: "1 week", note: null, grant: "for 1 week" },
  "30d": { title: "30 days", note: null, grant: "for 30 days" },
  "1y": { title: "1 year", note: null, grant: "for 1 year" },
  until_revoked: { title: "Until I end it", note: null, grant: "until I end it" },
};

function choicesFrom(now: Date): Choice[] {
  return consentChoices.map((value) => {
    return { value, ...lengths[value], until: consentExpiresAt(value, now) };
  });
}

/** For how long a client may be connected. */
export function connectionChoicesFrom(now: Date): Choice[] {
  return connectionChoices.map((value) => {
    return { value, ...lengths[value], until: connectionExpiresAt(value, now) };
  });
}
