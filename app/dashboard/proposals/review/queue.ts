"use client";

import { useRef, useState } from "react";
import { type Reviewed, reviewAction } from "../actions";
import type { CardState } from "./card-actions";

/** What became of a card since the page was opened. */
export type Mark =
  | { kind: "sending" }
  | { kind: "done"; message: string }
  | { kind: "refused"; state: CardState };

export interface Listed {
  id: string;
}

const untouched = { ok: true, message: null, issues: {}, values: {} };
const unreachable = "The gateway could not be reached, so nothing was decided. Try again.";

/** Decisions one after the other, each with its result at its own card. */
export function useDecisions() {
  const [marks, setMarks] = useState<Record<string, Mark>>({});
  const [told, setTold] = useState("");
  const sent = useRef(new Set<string>());
  function mark(id: string, one: Mark) {
    if (one.kind !== "sending") sent.current.delete(id);
    setMarks((before) => ({ ...before, [id]: one }));
    setTold(
      one.kind === "done" ? one.message : one.kind === "refused" ? (one.state.message ?? "") : "",
    );
  }
  function decide(form: FormData) {
    const id = String(form.get("proposalId"));
    if (sent.current.has(id)) return;
    sent.current.add(id);
    mark(id, { kind: "sending" });
    const settle = (result: Awaited<ReturnType<typeof reviewAction>>) =>
      mark(
        id,
        result.ok
          ? { kind: "done", message: result.message ?? "" }
          : { kind: "refused", state: refusalOf(result) },
      );
    const fail = () =>
      mark(id, { kind: "refused", state: { message: unreachable, issues: {}, values: {} } });
    reviewAction(untouched, form).then(settle, fail);
  }
  return { marks, told, decide };
}

type Result = CardState & { shown?: Reviewed };

/** An issue with the proposal itself, rather than a field of the form, is the message. */
export function refusalOf({ message, issues, values }: Result): CardState {
  return { message: issues["path.proposalId"] ?? issues.proposalId ?? message, issues, values };
}

/** What is listed now, with the cards that were decided on left in their places. */
export function useKept<T extends Listed>(fresh: T[], isDecided: (id: string) => boolean): T[] {
  const [before, setBefore] = useState({ fresh, kept: fresh });
  if (before.fresh === fresh) return before.kept;
  const kept = [...fresh];
  before.kept.forEach((item, place) => {
    if (!isDecided(item.id) || fresh.some(({ id }) => id === item.id)) return;
    const above = before.kept
      .slice(0, place)
      .findLast(({ id }) => kept.some((one) => one.id === id));
    kept.splice(kept.findIndex(({ id }) => id === above?.id) + 1, 0, item);
  });
  setBefore({ fresh, kept });
  return kept;
}
