"use client";

import { type KeyboardEvent, useEffect, useState } from "react";
import { useScope } from "../forms/scope";
import type { FoundGroup } from "./rows";

export interface Sought {
  words: string;
  only: "all" | "memories";
}

/** Asks the gateway; null where it gives no answer. */
export type Find = (did: string | null, sought: Sought) => Promise<FoundGroup[] | null>;

interface Answer extends Sought {
  groups: FoundGroup[];
  hasFailed: boolean;
}

const restMs = 120;
const nothing: Answer = { words: "", only: "all", groups: [], hasFailed: false };

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** The state of a search and its keys: arrows move, Enter goes, Tab looks at memories only. */
export function usePalette(find: Find, go: (href: string) => void) {
  const did = useScope();
  const [sought, setSought] = useState<Sought>({ words: "", only: "all" });
  const [active, setActive] = useState(0);
  // Whether Enter was pressed before the answer to what was typed.
  const [isHasty, setIsHasty] = useState(false);
  const found = useFound(find, { ...sought, words: sought.words.trim(), did });
  const rows = found.groups.flatMap((group) => group.rows);
  const chosen = rows[active];
  useEffect(() => {
    if (!isHasty || !found.isCurrent) return;
    setIsHasty(false);
    if (chosen !== undefined) go(chosen.href);
  }, [isHasty, found.isCurrent, chosen, go]);
  function seek(change: Partial<Sought>) {
    setSought({ ...sought, ...change });
    setActive(0);
    setIsHasty(false);
  }
  function press(event: KeyboardEvent) {
    const { key, shiftKey, nativeEvent } = event;
    const step = steps[key];
    const isTab = key === "Tab" && !shiftKey;
    if (nativeEvent.isComposing || !(isTab || step || key === "Enter")) return;
    event.preventDefault();
    if (isTab) seek({ only: sought.only === "all" ? "memories" : "all" });
    else if (step) setActive((active + step + rows.length) % Math.max(1, rows.length));
    else setIsHasty(true);
  }
  return { ...found, sought, rows, chosen, seek, press };
}

/** What was found last; `isCurrent` once that is what is sought now. */
function useFound(find: Find, { did, words, only }: Sought & { did: string | null }) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  useEffect(() => {
    let isSought = true;
    const ask = async () => {
      const groups = await find(did, { words, only }).catch(() => null);
      if (!isSought) return;
      setAnswer({ words, only, groups: groups ?? [], hasFailed: groups === null });
    };
    const timer = setTimeout(() => void ask(), words === "" ? 0 : restMs);
    return () => {
      isSought = false;
      clearTimeout(timer);
    };
  }, [find, did, words, only]);
  const { groups, hasFailed } = answer ?? nothing;
  const isCurrent = answer?.words === words && answer.only === only;
  return { groups, hasFailed, isCurrent };
}
