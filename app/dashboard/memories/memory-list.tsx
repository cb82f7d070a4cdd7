"use client";

import Link from "next/link";
import { unstable_rethrow } from "next/navigation";
import { type ReactNode, startTransition, useActionState, useOptimistic, useState } from "react";
import { Button, ButtonLink } from "../../_components/button";
import { unreachable, untouched } from "../../_components/forms/form-state";
import { OfProfile } from "../../_components/forms/scope";
import { Notice } from "../../_components/notice";
import { TakeBack, useToaster } from "../../_components/toasts/toasts";
import { shelveAction } from "./actions";
import type { ShelveForm } from "./schemas";
import { shelveWords } from "./shelve-words";

type How = ShelveForm["how"];

export interface Card {
  id: string;
  updatedAt: string;
  /** The available actions; the most severe is last. */
  hows: readonly How[];
  /** Names it where it cannot be seen: its beginning. */
  label: string;
  /** Null while its form is open, and where it cannot be edited. */
  editHref: string | null;
  /** Rendered by the server. */
  body: ReactNode;
  panel: ReactNode;
}

/** Memories as cards. What is archived or deleted leaves at once, and the next one is where one is. */
export function MemoryList({ cards }: { cards: Card[] }) {
  const [posted, dispatch] = useActionState(shelveAction, untouched);
  const { gone, refusals, shelve } = useShelving();
  function send(card: Card, form: FormData) {
    const here = cards.filter(({ id }) => !gone.has(id));
    const place = here.indexOf(card);
    const next = here[place + 1] ?? here[place - 1];
    const target = next === undefined ? "memories-count" : next.id;
    shelve(card.id, form);
    document.getElementById(target)?.focus();
  }
  return (
    <>
      <Posted state={posted} />
      <ol className="flex flex-col gap-3">
        {cards.map((card) => (
          <li key={card.id} hidden={gone.has(card.id)}>
            <article
              id={card.id}
              tabIndex={-1}
              aria-label={card.label}
              className="rounded-box border border-line bg-surface p-4 shadow-raised sm:px-5"
            >
              <div className="sm:flex sm:items-end sm:gap-4">
                <div className="min-w-0 flex-1">{card.body}</div>
                {card.panel === null && (
                  <Actions card={card} dispatch={dispatch} send={(form) => send(card, form)} />
                )}
              </div>
              {refusals[card.id] !== undefined && (
                <p role="alert" className="mt-3 text-danger">
                  {refusals[card.id]}
                </p>
              )}
              {card.panel}
            </article>
          </li>
        ))}
      </ol>
    </>
  );
}

interface ActionsProps {
  card: Card;
  dispatch: (form: FormData) => void;
  send: (form: FormData) => void;
}

function Actions({ card: { id, updatedAt, hows, editHref }, dispatch, send }: ActionsProps) {
  return (
    <div className="mt-2 -ml-3 flex flex-wrap items-center sm:mt-0 sm:-mr-3 sm:-mb-2">
      {editHref !== null && (
        <ButtonLink look="quiet" href={editHref} scroll={false} prefetch={false}>
          Edit
        </ButtonLink>
      )}
      {hows.map((how) => (
        <form
          key={how}
          action={dispatch}
          onSubmit={(event) => {
            event.preventDefault();
            send(new FormData(event.currentTarget));
          }}
        >
          <OfProfile />
          <input type="hidden" name="memoryId" value={id} />
          <input type="hidden" name="seen" value={updatedAt} />
          <input type="hidden" name="how" value={how} />
          <Button type="submit" look="quiet">
            {shelveWords[how]}
          </Button>
        </form>
      ))}
      <Link
        href={`/dashboard/memories/${id}`}
        prefetch={false}
        className="inline-flex min-h-10 items-center rounded-box px-3 font-medium text-muted hover:bg-sunken hover:text-ink"
      >
        History
      </Link>
    </div>
  );
}

type Result = Awaited<ReturnType<typeof shelveAction>>;

function useShelving() {
  const toaster = useToaster();
  const [refusals, setRefusals] = useState<Record<string, string>>({});
  const [gone, leave] = useOptimistic<ReadonlySet<string>, string>(
    new Set(),
    (before, id) => new Set([...before, id]),
  );
  function shelve(id: string, form: FormData) {
    startTransition(async () => {
      leave(id);
      const result: Result = await shelveAction(untouched, form).catch((error: unknown) => {
        unstable_rethrow(error);
        return unreachable;
      });
      if (result.ok) toaster?.show({ message: result.message ?? "", undo: result.undo });
      const { [id]: _, ...others } = refusals;
      setRefusals(result.ok ? others : { ...others, [id]: result.message ?? "" });
    });
  }
  return { gone, refusals, shelve };
}

// Shows the result of a form posted without scripts, above the list that the memory has left.
function Posted({ state: { ok, message, undo } }: { state: Result }) {
  if (message === null) return null;
  return (
    <Notice tone={ok ? "info" : "danger"}>
      {message}
      {undo !== undefined && <TakeBack undo={undo} />}
    </Notice>
  );
}
