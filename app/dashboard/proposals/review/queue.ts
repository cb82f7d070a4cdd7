"use client";

import { useRef, useState } from "react";
import { unreachable, untouched } from "../../../_components/forms/form-state";
import { useToaster } from "../../../_components/toasts/toasts";
import { type Reviewed, reviewAction, reviewManyAction } from "../actions";
import { pickPrefix } from "../bulk/pick-prefix";
import type { CardState } from "./card-actions";

/** The outcome of a card since the page was opened. */
export type Mark =
  | { kind: "sending" }
  | { kind: "done"; message: string }
  | { kind: "refused"; state: CardState }
  /** It was decided, and that was taken back. */
  | { kind: "reopened" };

type Marks = Record<string, Mark>;

/** Decisions one after the other, each with its result at its own card. */
export function useDecisions() {
  const [marks, setMarks] = useState<Marks>({});
  const [announcement, setAnnouncement] = useState("");
  const sent = useRef(new Set<string>());
  const toaster = useToaster();

  function mark(more: Marks) {
    for (const [id, { kind }] of Object.entries(more)) {
      if (kind === "sending") sent.current.add(id);
      else sent.current.delete(id);
    }
    setMarks((before) => ({ ...before, ...more }));
  }
  function show({ message, undo }: Pick<Result, "message" | "undo">) {
    const ids = undo?.id.split(",") ?? [];
    const undone = () => mark(each(ids, { kind: "reopened" }));
    if (message !== null) toaster?.show({ message, undo, undone });
  }
  function refuse(ids: string[], result: Result) {
    const state = refusalOf(result);
    mark(each(ids, { kind: "refused", state }));
    setAnnouncement(state.message ?? "");
  }
  async function decide(form: FormData) {
    const id = String(form.get("proposalId"));
    if (sent.current.has(id)) return;
    mark({ [id]: { kind: "sending" } });
    setAnnouncement("");
    const result = await reviewAction(untouched, form).catch(() => unreachable);
    if (!result.ok) return refuse([id], result);
    mark({ [id]: { kind: "done", message: result.message ?? "" } });
    show(result);
  }
  async function decideMany(form: FormData) {
    const ids = pickedIn(form).filter((id) => !sent.current.has(id));
    if (ids.length === 0) return;
    mark(each(ids, { kind: "sending" }));
    setAnnouncement("");
    const result = await reviewManyAction(untouched, form).catch(() => unreachable);
    if (!result.ok || result.shown === undefined) return refuse(ids, result);
    const left = (message: string): Mark => ({
      kind: "refused",
      state: { message, issues: {}, values: {} },
    });
    const became = Object.entries(result.shown.became).map(
      ([id, { isDone, message }]): [string, Mark] => [
        id,
        isDone ? { kind: "done", message } : left(message),
      ],
    );
    mark(Object.fromEntries(became));
    show(result);
  }
  return { marks, announcement, decide, decideMany };
}

function pickedIn(form: FormData): string[] {
  return [...form.keys()].flatMap((name) =>
    name.startsWith(pickPrefix) ? [name.slice(pickPrefix.length)] : [],
  );
}

function each(ids: string[], mark: Mark): Marks {
  return Object.fromEntries(ids.map((id) => [id, mark]));
}

interface Result extends CardState {
  shown?: Reviewed | object;
  undo?: { kind: string; id: string };
}

/** An issue with the proposal itself, rather than a field of the form, is the message. */
export function refusalOf({ message, issues, values }: Result): CardState {
  const own = issues["path.proposalId"] ?? issues.proposalId ?? issues.replaces;
  return { message: own ?? message, issues, values };
}
