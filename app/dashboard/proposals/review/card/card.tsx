"use client";

import type { FormEvent } from "react";
import { OfProfile } from "../../../../_components/forms/scope";
import { sentBy } from "../../../../_components/forms/use-submission";
import { Icon } from "../../../../_components/icon";
import { Menu, MenuWords, menuItem } from "../../../../_components/menu";
import { InertText } from "../../../../_components/shown/inert-text";
import { askHref } from "../../../ask/ask-href";
import { InquiryLines } from "../../../ask/inquiry-lines";
import type { InboxWork } from "../use-inbox";
import { Acts } from "./acts";
import type { InboxCard, ShownAgent } from "./card-data";
import { Claim } from "./claim";
import { Panel } from "./panel";
import { Threshold } from "./threshold";
import { type CardWork, useCard } from "./use-card";

/** One proposal, in a frame that never moves: above the threshold its agent's words, below it what is yours. */
export function Card({ inbox, card }: { inbox: InboxWork; card: InboxCard }) {
  const work = useCard(inbox, card);
  const { mode, isAsked } = work;
  function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    inbox.decide(sentBy(event), work.label);
  }
  return (
    <article
      ref={work.article}
      id={card.id}
      tabIndex={-1}
      data-seen={work.isSeen ? "" : undefined}
      data-long={work.isLong ? "" : undefined}
      aria-labelledby={`claim-${card.id}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || mode === "read") return;
        work.open(mode === "save" ? "edit" : "read");
      }}
      className={`flex min-h-0 flex-1 flex-col overflow-clip border-y bg-surface outline-none focus-visible:shadow-none rail:rounded-box rail:border rail:shadow-rest ${isAsked ? "border-sensitive ring-1 ring-sensitive" : "border-line"}`}
    >
      <div className="flex min-h-0 flex-1 flex-col bg-theirs px-4 pt-3.5 pb-6 rail:px-7 rail:py-5 forced-colors:border">
        <Who agent={inbox.known.agents[card.agent]} askHref={askHref(card.id)} />
        <Claim work={work} />
        <Why work={work} />
      </div>
      {/* As high as all of it from the first part that the browser paints. */}
      <form
        action={inbox.dispatch}
        onSubmit={send}
        className="flex min-h-72 flex-none flex-col rail:min-h-59.5"
      >
        <OfProfile />
        <input type="hidden" name="proposalId" value={card.id} />
        <Threshold work={work} />
        <Panel work={work} />
        <Acts work={work} />
      </form>
      <form id={work.askForm} action="/dashboard/proposals" hidden>
        {[...inbox.address, ["card", card.id] as const].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
      </form>
    </article>
  );
}

function Who({ agent, askHref }: { agent: ShownAgent | undefined; askHref: string }) {
  if (agent === undefined) return null;
  const { name, tile, who, wants, href, proposals } = agent;
  return (
    <div className="flex flex-none items-center gap-3">
      <span className="size-10 flex-none">{tile}</span>
      <div className="min-w-0 flex-1">
        {who}
        <p className="text-small text-theirs-muted">{wants}</p>
      </div>
      <Menu label={`More about ${name}`}>
        {agent.isImport !== true && (
          <a href={askHref} className={menuItem}>
            <MenuWords icon="question">Ask it why</MenuWords>
          </a>
        )}
        {href !== null && (
          <a href={href} className={menuItem}>
            <MenuWords icon="robot">What it may do</MenuWords>
          </a>
        )}
        <a href={proposals} className={menuItem}>
          <MenuWords icon="tray">All that it proposes</MenuWords>
        </a>
      </Menu>
    </div>
  );
}

// A day is as precise as an instant has to be here.
const claimedWords = (claimed: string) => claimed.replace(/^(\d{4}-\d\d-\d\d)T.*/, "$1");

function Why({ work: { card, mode } }: { work: CardWork }) {
  const { context, inquiry, imported } = card;
  const hasWords = context !== null && context !== "";
  const claimed = imported?.claimed ?? null;
  if (!hasWords && inquiry === null && claimed === null) return null;
  return (
    <blockquote
      className={`${mode === "edit" ? "max-rail:hidden" : ""} mt-2 grid max-h-22 min-h-5.5 shrink-999 rail:min-h-11 grid-cols-[20px_1fr] gap-2.5 overflow-y-auto text-theirs-muted`}
    >
      <Icon icon="quotes-fill" />
      <div>
        {hasWords && (
          <p>
            <b className="font-medium text-ink">
              {imported === null ? "Why, in its words." : "There it was under:"}
            </b>{" "}
            <InertText
              text={context}
              lines
              marks={card.flags.filter((flag) => flag.in === "context")}
            />
          </p>
        )}
        {claimed !== null && (
          <p>
            <b className="font-medium text-ink">Saved there, it says:</b>{" "}
            <InertText text={claimedWords(claimed)} />
          </p>
        )}
        {inquiry !== null && <InquiryLines inquiry={inquiry} />}
      </div>
    </blockquote>
  );
}
