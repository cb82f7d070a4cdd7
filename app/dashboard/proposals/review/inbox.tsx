"use client";

import { useActionState, useEffect, useRef, useState } from "react";
import { TakeBack, useToaster } from "../../../_components/toasts/toasts";
import { reviewAction, reviewManyAction } from "../actions";
import { BulkBar } from "../bulk/bulk-bar";
import { usePicks } from "../bulk/picks";
import { useMatches } from "../matches/use-matches";
import { useArrivals } from "./arrivals";
import { Card, type InboxCard } from "./card";
import type { CardState } from "./card-actions";
import { KeyHelp } from "./key-help";
import { useKeys } from "./keys";
import { type Mark, refusalOf, useDecisions } from "./queue";

interface InboxProps {
  cards: InboxCard[];
  keysOn: boolean;
}

const untouched = { ok: true, message: null, issues: {}, values: {} };

export function Inbox({ cards, keysOn }: InboxProps) {
  const [posted, dispatch] = useActionState(reviewAction, untouched);
  const [postedMany, dispatchMany] = useActionState(reviewManyAction, untouched);
  const { marks, announcement, decide, decideMany } = useDecisions();
  const list = useRef<HTMLOListElement>(null);
  const { shown, late, showLate } = useArrivals(cards, {
    list,
    isHeld: (id) => marks[id] !== undefined,
  });
  const picks = usePicks(list, [shown, marks]);
  const open = shown.filter(({ id }) => !isSettled(marks[id])).map(({ id }) => id);
  const matchesOf = useMatches(
    list,
    shown.filter(({ id }) => open.includes(id)),
  );
  const work = useWork(list, open, keysOn, picks.toggle);
  useOpenedPanel(list, posted.values.proposalId);
  function decideAndGoOn(form: FormData) {
    const place = open.indexOf(String(form.get("proposalId")));
    void decide(form);
    work.goOn(open[place + 1] ?? open[place - 1]);
  }
  return (
    <div className="group/inbox flex flex-col gap-4">
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <Posted state={posted} />
      <Posted state={postedMany} />
      {shown.length > 0 && (
        <BulkBar
          picks={picks}
          dispatch={dispatchMany}
          decide={decideMany}
          late={late}
          showLate={showLate}
        >
          <KeyHelp isOn={keysOn} />
        </BulkBar>
      )}
      <ol ref={list} className="flex flex-col gap-4" onChange={picks.recount}>
        {shown.map((card) => (
          <li key={card.id}>
            <Card
              card={card}
              mark={marks[card.id]}
              matches={matchesOf(card)}
              isCurrent={work.isHeard && card.id === work.at}
              isHere={(id) => open.includes(id)}
              posted={posted.values.proposalId === card.id ? refusalOf(posted) : null}
              arrive={() => work.setCurrent(card.id)}
              dispatch={dispatch}
              decide={decideAndGoOn}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

type List = { current: HTMLElement | null };

/** Which card the keys mean, and what they do to it. */
function useWork(list: List, open: string[], isOn: boolean, toggle: (id: string) => void) {
  const [current, setCurrent] = useState<string | null>(null);
  const toaster = useToaster();
  const at = open.includes(current ?? "") ? current : (open[0] ?? null);
  const card = () => cardIn(list.current, at ?? "");
  function go(id: string | undefined) {
    if (id === undefined) return;
    setCurrent(id);
    const next = cardIn(list.current, id);
    next?.focus({ preventScroll: true });
    next?.scrollIntoView({ block: "nearest" });
  }
  // After the last one on the page, the first new one is next, unless its reader has gone elsewhere.
  const isWaiting = useRef(false);
  function goOn(id: string | undefined) {
    isWaiting.current = id === undefined;
    go(id);
  }
  const [first] = open;
  useEffect(() => {
    if (!isWaiting.current || first === undefined) return;
    isWaiting.current = false;
    if (isFocusFree()) cardIn(list.current, first)?.focus();
  }, [list, first]);
  function step(by: 1 | -1) {
    const isHere = document.activeElement === card() || current !== null;
    go(isHere ? open[open.indexOf(at ?? "") + by] : open[0]);
  }
  function press(verdict: "approve") {
    const form = card()?.querySelector(`form[data-verdict=${verdict}]`);
    if (form instanceof HTMLFormElement) form.requestSubmit();
  }
  function unfold(panel: "edit" | "reject") {
    const details = card()?.querySelector(`details[data-panel=${panel}]`);
    if (!(details instanceof HTMLDetailsElement)) return;
    details.open = true;
    details.querySelector<HTMLElement>("textarea, input:not([type=hidden])")?.focus();
  }
  const isHeard = useKeys(
    {
      j: () => step(1),
      k: () => step(-1),
      a: () => press("approve"),
      e: () => unfold("edit"),
      r: () => unfold("reject"),
      x: () => at !== null && toggle(at),
      u: () => toaster?.undoLatest(),
      "?": () => document.getElementById("key-help")?.togglePopover(),
    },
    isOn,
  );
  return { at, isHeard, goOn, setCurrent };
}

// Returns whether the focus is still free after the card that had it was decided.
function isFocusFree(): boolean {
  const { activeElement, body } = document;
  return activeElement === body || Boolean(activeElement?.closest("[aria-busy=true]"));
}

type PostedState = CardState & { ok: boolean; undo?: { kind: string; id: string } };

// Only what was posted before scripts ran is told here; with scripts each card tells its own.
function Posted({ state: { ok, message, values, undo } }: { state: PostedState }) {
  if (message === null || values.proposalId !== undefined) return null;
  return (
    <div
      role={ok ? "status" : "alert"}
      className="rounded-box border border-accent/40 bg-accent-soft px-4 py-3"
    >
      <p>{message}</p>
      {undo !== undefined && <TakeBack undo={undo} />}
    </div>
  );
}

// A refused form that was posted before scripts ran is where its reader should be.
function useOpenedPanel(list: List, id: string | undefined) {
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
