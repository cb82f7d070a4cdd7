"use client";

import { type RefObject, useEffect, useRef, useState } from "react";

export interface Listed {
  id: string;
}

interface Arranging<T extends Listed> {
  shown: T[];
  fresh: T[];
  /** Decided on here, or taken back: it stays where it is. */
  isHeld: (id: string) => boolean;
  /** The user works in the list, so nothing may move. */
  isBusy: boolean;
}

interface Arranged<T> {
  next: T[];
  /** Proposals that arrived and are not shown yet. */
  late: T[];
}

/** Returns the next list. Never moves what is under the pointer or has the focus. */
export function arranged<T extends Listed>({ shown, fresh, ...how }: Arranging<T>): Arranged<T> {
  const { isHeld, isBusy } = how;
  const listed = new Set(fresh.map(({ id }) => id));
  const known = new Set(shown.map(({ id }) => id));
  const staying = shown.filter(({ id }) => isBusy || listed.has(id) || isHeld(id));
  if (!isBusy) return { next: between(fresh, staying), late: [] };
  const last = fresh.findLastIndex(({ id }) => known.has(id));
  const isNew = ({ id }: T) => !known.has(id);
  // As they are: what is new about one could make it grow, and push what stands below.
  const next = [...staying, ...fresh.slice(last + 1)];
  return { next, late: fresh.slice(0, last + 1).filter(isNew) };
}

// Merges new proposals in their order, and keeps each remaining one after its predecessor.
function between<T extends Listed>(fresh: T[], staying: T[]): T[] {
  const next = [...fresh];
  staying.forEach((one, place) => {
    if (next.some(({ id }) => id === one.id)) return;
    const above = staying[place - 1];
    next.splice(next.findIndex(({ id }) => id === above?.id) + 1, 0, one);
  });
  return next;
}

/** The cards to show, how many more have come, and how to see those too. */
export function useArrivals<T extends Listed>(
  fresh: T[],
  { list, isHeld }: { list: RefObject<HTMLElement | null>; isHeld: (id: string) => boolean },
) {
  const [state, setState] = useState<Arranged<T>>({ next: fresh, late: [] });
  const holds = useRef(isHeld);
  useEffect(() => {
    holds.current = isHeld;
  });
  useEffect(() => {
    const isBusy = isWorkedIn(list.current);
    setState(({ next: shown }) => arranged({ shown, fresh, isHeld: holds.current, isBusy }));
  }, [fresh, list]);
  const showLate = () =>
    setState(({ next: shown }) => arranged({ shown, fresh, isHeld, isBusy: false }));
  return { shown: state.next, late: state.late.length, showLate };
}

function isWorkedIn(list: HTMLElement | null): boolean {
  if (list === null) return false;
  return (
    list.matches(":hover, :focus-within") || list.querySelector("[data-pick]:checked") !== null
  );
}
