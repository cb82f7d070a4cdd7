"use client";

import { type ReactNode, useActionState, useEffect, useRef, useState } from "react";
import { InertText } from "../../../_components/shown/inert-text";
import { reviewAction } from "../actions";
import { CardActions, type CardState } from "./card-actions";
import { KeyHelp } from "./key-help";
import { useKeys } from "./keys";
import { type Mark, refusalOf, useDecisions, useKept } from "./queue";

export interface InboxCard {
  id: string;
  content: string;
  label: string;
  /** Rendered by the server. */
  body: ReactNode;
}

interface InboxProps {
  cards: InboxCard[];
  keysOn: boolean;
}

const untouched = { ok: true, message: null, issues: {}, values: {} };

export function Inbox({ cards, keysOn }: InboxProps) {
  const [posted, dispatch] = useActionState(reviewAction, untouched);
  const { marks, told, decide } = useDecisions();
  const kept = useKept(cards, (id) => marks[id] !== undefined);
  const list = useRef<HTMLOListElement>(null);
  const [current, setCurrent] = useState<string | null>(null);
  const [isOn, setOn] = useState(keysOn);
  const open = kept.filter(({ id }) => !isSettled(marks[id])).map(({ id }) => id);
  const at = open.includes(current ?? "") ? current : (open[0] ?? null);

  function go(id: string | undefined) {
    if (id === undefined) return;
    setCurrent(id);
    const card = cardIn(list.current, id);
    card?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: "nearest" });
  }
  function step(by: 1 | -1) {
    const here = document.activeElement === cardIn(list.current, at ?? "") || current !== null;
    go(here ? open[open.indexOf(at ?? "") + by] : open[0]);
  }
  function decideAndGoOn(form: FormData) {
    const place = open.indexOf(String(form.get("proposalId")));
    decide(form);
    go(open[place + 1] ?? open[place - 1]);
  }
  function press(verdict: "approve") {
    const form = cardIn(list.current, at ?? "")?.querySelector(`form[data-verdict=${verdict}]`);
    if (form instanceof HTMLFormElement) form.requestSubmit();
  }
  function unfold(panel: "edit" | "reject") {
    const details = cardIn(list.current, at ?? "")?.querySelector(`details[data-panel=${panel}]`);
    if (!(details instanceof HTMLDetailsElement)) return;
    details.open = true;
    details.querySelector<HTMLElement>("textarea, input:not([type=hidden])")?.focus();
  }
  useKeys(
    {
      j: () => step(1),
      k: () => step(-1),
      a: () => press("approve"),
      e: () => unfold("edit"),
      r: () => unfold("reject"),
      "?": () => document.getElementById("key-help")?.togglePopover(),
    },
    isOn,
  );
  useOpenedPanel(list, posted.values.proposalId);
  return (
    <>
      <p role="status" className="sr-only">
        {told}
      </p>
      <Posted state={posted} />
      <KeyHelp isOn={isOn} turn={setOn} />
      <ol ref={list} className="flex flex-col gap-4">
        {kept.map((card) => (
          <li key={card.id}>
            <Card
              card={card}
              mark={marks[card.id]}
              isCurrent={isOn && card.id === at}
              posted={posted.values.proposalId === card.id ? refusalOf(posted) : null}
              arrive={() => setCurrent(card.id)}
              dispatch={dispatch}
              decide={decideAndGoOn}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

interface CardProps {
  card: InboxCard;
  mark: Mark | undefined;
  isCurrent: boolean;
  posted: CardState | null;
  arrive: () => void;
  dispatch: (form: FormData) => void;
  decide: (form: FormData) => void;
}

function Card({ card, mark, isCurrent, posted, arrive, ...send }: CardProps) {
  if (mark?.kind === "done") return <Settled card={card} message={mark.message} />;
  const isSending = mark?.kind === "sending";
  return (
    <article
      id={card.id}
      tabIndex={-1}
      aria-label={card.label}
      aria-current={isCurrent ? "true" : undefined}
      aria-busy={isSending}
      onFocus={arrive}
      className="rounded-box border border-line bg-surface p-4 shadow-raised aria-busy:opacity-60 aria-[current=true]:border-accent sm:p-6"
    >
      {card.body}
      <CardActions
        id={card.id}
        content={card.content}
        state={mark?.kind === "refused" ? mark.state : posted}
        isSending={isSending}
        {...send}
      />
    </article>
  );
}

function Settled({ card, message }: { card: InboxCard; message: string }) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-3 rounded-box border border-dashed border-edge/60 px-4 py-2 sm:px-6">
      <span className="font-medium">{message}</span>
      <span className="min-w-0 flex-1 basis-60 truncate text-muted">
        <InertText text={card.content.slice(0, 160)} />
      </span>
    </p>
  );
}

// Only what was posted before scripts ran is told here; with scripts each card tells its own.
function Posted({ state: { ok, message, values } }: { state: CardState & { ok: boolean } }) {
  if (message === null || values.proposalId !== undefined) return null;
  return (
    <p
      role={ok ? "status" : "alert"}
      className="rounded-box border border-accent/40 bg-accent-soft px-4 py-3"
    >
      {message}
    </p>
  );
}

// A refused form that was posted before scripts ran is where its reader should be.
function useOpenedPanel(list: { current: HTMLElement | null }, id: string | undefined) {
  useEffect(() => {
    if (id !== undefined) cardIn(list.current, id)?.scrollIntoView({ block: "nearest" });
  }, [list, id]);
}

function cardIn(list: HTMLElement | null, id: string): HTMLElement | null {
  return (
    Array.from(list?.querySelectorAll<HTMLElement>("article") ?? []).find(
      (card) => card.id === id,
    ) ?? null
  );
}

function isSettled(mark: Mark | undefined): boolean {
  return mark?.kind === "sending" || mark?.kind === "done";
}
