"use client";

import { type RefObject, useEffect, useRef, useState } from "react";
import { useScope } from "../../../_components/forms/scope";
import type { MatchView } from "./match-view";

interface Compared {
  id: string;
  matches: MatchView[] | null;
}

type Found = Record<string, MatchView[]>;

const aheadPx = 900;
const gatherMs = 60;
const atOnceMax = 5;

/** Loads what each card resembles: with the page for the first cards, later for those that come near. */
export function useMatches(list: RefObject<HTMLElement | null>, cards: Compared[]) {
  const [found, setFound] = useState<Found>({});
  const requested = useRef(new Set<string>());
  const scope = useScope();
  const missing = cards.filter(({ matches }) => matches === null).map(({ id }) => id);
  const open = missing.join(" ");
  useEffect(() => {
    if (scope === null || open === "") return;
    const wanted = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      const ids = [...wanted].slice(0, atOnceMax);
      if (ids.length === 0) return;
      for (const id of ids) wanted.delete(id);
      // A failure leaves the card as it is: it can be decided without this.
      askFor(scope, ids).then(
        (more) => setFound((before) => ({ ...before, ...more })),
        () => ids.forEach((id) => void requested.current.delete(id)),
      );
      if (wanted.size > 0) timer = setTimeout(ask, gatherMs);
    };
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { isIntersecting, target } of entries) {
          if (!isIntersecting || requested.current.has(target.id)) continue;
          requested.current.add(target.id);
          wanted.add(target.id);
        }
        clearTimeout(timer);
        timer = setTimeout(ask, gatherMs);
      },
      { rootMargin: `${aheadPx}px 0px` },
    );
    for (const id of open.split(" ")) {
      const card = list.current?.querySelector(`#${CSS.escape(id)}`);
      if (card) observer.observe(card);
    }
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      for (const id of wanted) requested.current.delete(id);
    };
  }, [list, scope, open]);
  return ({ id, matches }: Compared) => matches ?? found[id] ?? null;
}

async function askFor(did: string, ids: string[]): Promise<Found> {
  const query = new URLSearchParams([["profile", did], ...ids.map((id) => ["id", id])]);
  const response = await fetch(`/api/dashboard/matches?${query}`);
  if (!response.ok) throw new Error(`matches: ${response.status}`);
  const { data }: { data: Found } = await response.json();
  return data;
}
