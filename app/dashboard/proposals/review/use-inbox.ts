"use client";

import { type ReactNode, useActionState, useCallback, useState } from "react";
import { untouched } from "../../../_components/forms/form-state";
import { reviewAction } from "../actions";
import { useLikenesses } from "../matches/use-likenesses";
import { useArrivals } from "./arrivals";
import type { InboxCard, Known, Mode } from "./card/card-data";
import { type Grouping, groupsOf } from "./groups";
import { useDecisions } from "./use-decisions";
import { useStable } from "./use-stable";
import { useStage } from "./use-stage";

export interface InboxProps {
  cards: InboxCard[];
  known: Known;
  /** How many wait, those too that are not among the cards. */
  pending: number;
  /** The same by agent and by kind. */
  counts: Record<string, number>;
  /** Proposals that their agents took back: only the card that is shown stays, without its acts. */
  takenBack: readonly string[];
  by: Grouping;
  /** Changes with the filters. */
  view: string;
  /** The list that a panel without scripts comes back to, as fields of its address. */
  address: readonly (readonly [string, string])[];
  start: { card: string | null; mode: Mode };
  keysOn: boolean;
  /** The head of the queue, and what is shown where nothing waits. */
  head: ReactNode;
  empty: ReactNode;
}

/** The state of the inbox: what waits in which order, the card that is shown, and what was decided. */
export function useInbox(props: InboxProps) {
  const { cards, pending } = props;
  const [posted, dispatch] = useActionState(reviewAction, untouched);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const onSeen = useCallback((id: string) => setSeen((before) => new Set(before).add(id)), []);
  const decisions = useDecisions();
  const { groups, order, place, late, showLate, setCurrent } = useQueue(props, decisions.gone);
  const card = order[place];
  const isTakenBack = card !== undefined && props.takenBack.includes(card.id);
  const likenessOf = useLikenesses(order, card?.id);
  const stage = useStage(card?.id);
  const refused = order.find(({ id }) => decisions.failure?.ids.includes(id));

  const { take } = stage;
  const go = useCallback(
    (id: string | undefined) => {
      if (id === undefined) return;
      setCurrent(id);
      take();
    },
    [setCurrent, take],
  );
  function decide(form: FormData, claim: string) {
    if (card === undefined) return;
    decisions.decideOne(form, { id: card.id, claim });
    go((order[place + 1] ?? order[place - 1])?.id);
    take();
  }
  const decideGroup = useStable((...decision: Parameters<typeof decisions.decideMany>) => {
    decisions.decideMany(...decision);
    take();
  });
  return {
    ...{ ...props, ...decisions, posted, dispatch, seen, onSeen, groups, card, place },
    ...{ late, showLate, likenessOf, stage, go, decide, decideGroup, isTakenBack },
    total: order.length + late + pending - cards.length - (isTakenBack ? 1 : 0),
    /** How many wait that are not listed yet. */
    beyond: pending - cards.length,
    next: () => go(order[place + 1]?.id),
    back: () => go(order[place - 1]?.id),
    /** Leaves the card, also where it is the only one. */
    leave: () => {
      setCurrent((order[place + 1] ?? order[place - 1])?.id);
      take();
    },
    undo: () => void decisions.undo().then(go),
    /** Shows the card that was not decided; null where it does not wait any more. */
    showRefused: refused === undefined ? null : () => go(refused.id),
  };
}

export type InboxWork = ReturnType<typeof useInbox>;

/** The cards in their groups and in their order, and where in it the current one is. */
function useQueue({ cards, by, view, start, takenBack }: InboxProps, gone: ReadonlySet<string>) {
  const [current, setCurrent] = useState(start.card ?? groupsOf(cards, by)[0]?.cards[0]?.id);
  const { shown, late, showLate } = useArrivals(cards, { view, at: current });
  const isShown = (id: string) => id === current || !takenBack.includes(id);
  const waiting = shown.filter(({ id }) => !gone.has(id) && isShown(id));
  const groups = groupsOf(waiting, by);
  const order = groups.flatMap((group) => group.cards);
  const found = order.findIndex(({ id }) => id === current);
  return { groups, order, place: Math.max(0, found), late, showLate, setCurrent };
}
