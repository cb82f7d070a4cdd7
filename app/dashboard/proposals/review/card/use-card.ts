"use client";

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { FormState } from "../../../../_components/forms/form-state";
import { visibleText } from "../../../../_components/words/inert";
import { useSight } from "../keys/sight";
import { messageOf } from "../use-decisions";
import type { InboxWork } from "../use-inbox";
import type { InboxCard, Mode } from "./card-data";
import { secondActOf } from "./second-act";

const questions: readonly Mode[] = ["keep", "replace", "save"];
const settleMs = 300;

/** The state of one card: its panel, what is typed in it, and whether it may be decided. */
export function useCard(inbox: InboxWork, card: InboxCard) {
  const { known, start, posted, refused, likenessOf, onSeen, isTakenBack, leave } = inbox;
  const { id, content } = card;
  // What was refused, or asked about without scripts, with what was typed.
  const answer = refused[id] ?? (posted.values.proposalId === id ? posted : null);
  const { values = {}, issues = {} } = answer ?? {};
  const [mode, setMode] = useState<Mode>(
    () => (answer && modeOf(answer)) ?? (start.card === id ? start.mode : "read"),
  );
  const [category, setCategory] = useState(values.category ?? card.category);
  const [text, setText] = useState(values.editedContent ?? visibleText(content));
  const article = useRef<HTMLElement>(null);
  const claim = useRef<HTMLDivElement>(null);
  const openedAt = useRef(0);
  const isSeen = useSight(claim);
  const isLong = useOverflow(claim);
  const isAsked = questions.includes(mode);
  useEffect(() => {
    if (isSeen) onSeen(id);
  }, [isSeen, id, onSeen]);
  useFocusIn(article, mode);
  function open(next: Mode) {
    openedAt.current = performance.now();
    setMode(next);
  }
  /** Whether a decision counts now. Of a claim that was not seen to its end, the next part is shown instead. */
  function isReady(): boolean {
    if (!isSeen) claim.current?.scrollBy({ top: claim.current.clientHeight * 0.8 });
    return isSeen && (!isAsked || performance.now() - openedAt.current >= settleMs);
  }
  const sensitiveIn = (one: string) => known.categories[one]?.sensitive ?? null;
  const withoutSecrets = leftOf(card);
  const sensitive = sensitiveIn(card.category) ?? sensitiveIn(category);
  return {
    ...{ card, known, issues, article, claim, isSeen, isLong, isReady, isAsked, mode, open },
    ...{ category, setCategory, text, setText, reason: values.reason, isTakenBack, leave },
    /** Who could read it in the category that is chosen. */
    audience: known.categories[category]?.audience,
    likeness: likenessOf(card),
    message: answer && messageOf(answer),
    label: visibleText(content).slice(0, labelMax),
    askForm: `ask-${id}`,
    sensitive,
    secondAct: secondActOf(card, { known, sensitive }),
    /** The claim without what looks like a password; null where nothing does. */
    withoutSecrets,
    removeSecrets: () => withoutSecrets !== null && setText(withoutSecrets),
    isEndUnseen: isLong && !isSeen,
  };
}

export type CardWork = ReturnType<typeof useCard>;

function leftOf({ content, flags }: InboxCard): string | null {
  const secrets = flags.filter((flag) => flag.kind === "secret" && flag.in === "content");
  if (secrets.length === 0) return null;
  const left = secrets.reduceRight(
    (text, { start, end }) => text.slice(0, start) + text.slice(end),
    content,
  );
  return visibleText(left).replace(/ {2,}/g, " ").trim() || null;
}

// As much of a claim as is heard before what a button does.
const labelMax = 150;

function modeOf({ ok, values }: FormState): Mode | null {
  if (values.editedContent !== undefined) {
    return ok && values.intent !== "preview" ? "save" : "edit";
  }
  if (ok && values.intent === "approve") return "keep";
  if (ok && values.intent === "replace") return "replace";
  return values.reason === undefined ? null : "reject";
}

/** Keeps the focus in the card when its panel changes: in the panel's field or question, else on the card. */
function useFocusIn(article: RefObject<HTMLElement | null>, mode: Mode): void {
  const before = useRef(mode);
  useLayoutEffect(() => {
    if (before.current === mode) return;
    before.current = mode;
    const target = article.current?.querySelector<HTMLElement>("[data-first]") ?? article.current;
    target?.focus({ preventScroll: true });
  }, [article, mode]);
}

/** Whether what is in the box is higher than the box; either may change alone. */
function useOverflow(box: RefObject<HTMLElement | null>): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const [outer, inner] = [box.current, box.current?.firstElementChild];
    if (outer === null || inner == null) return;
    const look = () => setOver(outer.scrollHeight > outer.clientHeight + 1);
    const observer = new ResizeObserver(look);
    for (const one of [outer, inner]) observer.observe(one);
    return () => observer.disconnect();
  }, [box]);
  return isOver;
}
