"use client";

import { useEffect, useRef, useState } from "react";
import { useScope } from "../../../_components/forms/scope";
import type { InboxCard, Likeness } from "../review/card/card-data";

const atOnceMax = 5;
const aheadMin = 2;

/** What each card resembles: with the page for the first of them, later for the next few in the queue. */
export function useLikenesses(queue: readonly InboxCard[], at: string | undefined) {
  const [found, setFound] = useState<Record<string, Likeness>>({});
  const requested = useRef(new Set<string>());
  const scope = useScope();
  const place = queue.findIndex(({ id }) => id === at);
  const isOpen = ({ id, likeness }: InboxCard) => likeness === undefined && found[id] === undefined;
  const ahead = place === -1 ? [] : queue.slice(place, place + atOnceMax);
  const missing = ahead.slice(0, aheadMin + 1).some(isOpen) ? ahead.filter(isOpen) : [];
  const open = missing.map(({ id }) => id).join(" ");
  useEffect(() => {
    const ids = open.split(" ").filter((id) => id !== "" && !requested.current.has(id));
    if (scope === null || ids.length === 0) return;
    for (const id of ids) requested.current.add(id);
    // A failure leaves the card as it is: it can be decided without this.
    compare(scope, ids).then(
      (more) => setFound((before) => ({ ...before, ...more })),
      () => ids.forEach((id) => void requested.current.delete(id)),
    );
  }, [scope, open]);
  return ({ id, likeness }: InboxCard) => likeness ?? found[id];
}

async function compare(did: string, ids: string[]): Promise<Record<string, Likeness>> {
  const query = new URLSearchParams([["profile", did], ...ids.map((id) => ["id", id])]);
  const response = await fetch(`/api/dashboard/matches?${query}`);
  if (!response.ok) throw new Error(`matches: ${response.status}`);
  const { data }: { data: Record<string, Likeness> } = await response.json();
  return data;
}
