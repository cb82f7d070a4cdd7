"use client";

import { useState } from "react";

interface Listed {
  id: string;
}

interface Arranging<T> {
  shown: readonly T[];
  fresh: readonly T[];
  /** Every card that was shown before, also what was decided since. */
  known: ReadonlySet<string>;
  /** The card that its reader looks at: it stays, whatever became of it elsewhere. */
  at: string | undefined;
}

/** Shows what is known, and what follows the last of it: that moves nothing. What comes before it waits. */
export function arranged<T extends Listed>({ shown, fresh, known, at }: Arranging<T>) {
  const last = fresh.findLastIndex(({ id }) => known.has(id));
  const next = fresh.filter(({ id }, place) => place > last || known.has(id));
  const late = fresh.length - next.length;
  const place = shown.findIndex(({ id }) => id === at);
  const looked = shown[place];
  if (looked !== undefined && !next.some(({ id }) => id === at)) next.splice(place, 0, looked);
  return { shown: next, late };
}

/** The cards to show, how many more have come, and how to see those too. A new `view` shows all of it. */
export function useArrivals<T extends Listed>(
  fresh: readonly T[],
  { view, at }: { view: string; at: string | undefined },
) {
  const all = () => ({ fresh, view, shown: [...fresh], late: 0, known: idsOf(fresh) });
  const [kept, setKept] = useState(all);
  let state = kept;
  if (kept.fresh !== fresh || kept.view !== view) {
    const next = arranged({ ...kept, fresh, at });
    const known = new Set([...kept.known, ...idsOf(next.shown)]);
    state = kept.view === view ? { fresh, view, ...next, known } : all();
    setKept(state);
  }
  return { shown: state.shown, late: state.late, showLate: () => setKept(all()) };
}

function idsOf(cards: readonly Listed[]): Set<string> {
  return new Set(cards.map(({ id }) => id));
}
