"use client";

import { type RefObject, useEffect, useState } from "react";

export interface Picks {
  count: number;
  isAll: boolean;
  recount: () => void;
  toggle: (id: string) => void;
  pickAll: (isPicked: boolean) => void;
}

/** How many checkboxes are ticked. The page holds them itself, so that they work before scripts do. */
export function usePicks(list: RefObject<HTMLElement | null>, changing: unknown[]): Picks {
  const [{ count, all }, setCounts] = useState({ count: 0, all: 0 });
  const boxes = () =>
    Array.from(list.current?.querySelectorAll<HTMLInputElement>("[data-pick]:enabled") ?? []);
  function recount() {
    const found = boxes();
    const ticked = found.filter(({ checked }) => checked).length;
    setCounts((before) =>
      before.count === ticked && before.all === found.length
        ? before
        : { count: ticked, all: found.length },
    );
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: these say when cards come and go.
  useEffect(recount, changing);
  return {
    count,
    isAll: count > 0 && count === all,
    recount,
    toggle: (id) =>
      boxes()
        .find(({ dataset }) => dataset.pick === id)
        ?.click(),
    pickAll(isPicked) {
      for (const box of boxes()) box.checked = isPicked;
      recount();
    },
  };
}
