import { type Category, covers } from "@/lib/protocol/scope";
import { isEmpty, type Share } from "@/lib/rules/effect/effect";
import type { Imagined } from "@/lib/rules/effect/imagined-agents";
import type { Compared, PolicyEffect } from "@/lib/services/policies/effect";
import type { NamedAgent } from "../../../../_components/shown/agent-name";
import { categoryTitle } from "../../../../_components/words/category";
import { counted, list } from "../../../../_components/words/list";
import { purposeWord } from "../../../../_components/words/purpose";

/** The effect of a change in words, for the browser. */
export interface EffectView {
  atOnce: Lines;
  onceAsked: { when: string; lines: Lines } | null;
}

export interface Lines {
  lines: EffectLine[];
  /** How many agents there are beside. */
  more: number;
  /** How many agents were left out of the comparison. */
  uncompared: number;
}

export interface EffectLine {
  key: string;
  who: NamedAgent | string;
  gains: string | null;
  loses: string | null;
}

const linesMax = 12;
const namesMax = 5;

export function effectView({ atOnce, onceAsked }: PolicyEffect): EffectView {
  return {
    atOnce: linesOf(atOnce),
    onceAsked: onceAsked && {
      when: whenAsked(onceAsked.purpose),
      lines: linesOf(onceAsked),
    },
  };
}

export function whenAsked(purpose: string | null): string {
  return purpose === null
    ? "Once an agent asks for access and says how long it keeps what it reads"
    : `Once an agent asks for access for ${purposeWord(purpose).text.toLowerCase()}`;
}

function linesOf({ affected: all, uncompared }: Compared): Lines {
  const affected = all.filter(({ effect }) => !isEmpty(effect.gains) || !isEmpty(effect.loses));
  const lines = affected.slice(0, linesMax).map(
    ({ agent, effect }): EffectLine => ({
      key: agent.did,
      who: "imagined" in agent ? strangers[agent.imagined] : agent,
      gains: shareWords(effect.gains, gaining),
      loses: shareWords(effect.loses, losing),
    }),
  );
  return { lines, more: affected.length - lines.length, uncompared };
}

const strangers: Record<Imagined["imagined"], string> = {
  verified: "Any verified agent",
  other: "Any other agent",
  fitting: "Any agent that fits",
};

interface Verbs {
  now: string;
  later: string;
  propose: string;
}

const gaining: Verbs = { now: "gains", later: "will read", propose: "may propose memories in" };
const losing: Verbs = {
  now: "loses",
  later: "will not read",
  propose: "may no longer propose memories in",
};

/** "gains 12 memories and 1 value in Preferences and Interests; may propose memories in Music" */
function shareWords(share: Share, verbs: Verbs): string | null {
  const { memories, values, categories, later, proposes } = share;
  const counts = [
    memories > 0 && counted(memories, "memory", "memories"),
    values > 0 && counted(values, "value"),
  ].filter((count) => count !== false);
  const shownLines = [
    counts.length > 0 && `${verbs.now} ${list(counts)} in ${titles(categories)}`,
    later.length > 0 && `${verbs.later} ${comes(later, counts.length > 0)}`,
    proposes.length > 0 && `${verbs.propose} ${titles(proposes)}`,
  ].filter((part) => part !== false);
  return shownLines.length === 0 ? null : shownLines.join("; ");
}

function comes(later: readonly Category[], isMore: boolean): string {
  const where = later.includes("prof:*")
    ? isMore
      ? "any other category"
      : "any category"
    : titles(later);
  return `what comes to ${where} later`;
}

function titles(categories: readonly Category[]): string {
  if (categories.includes("prof:*")) return "any category that no rule names";
  const topmost = categories.filter(
    (one) => !categories.some((other) => other !== one && covers(other, one)),
  );
  const named = topmost.slice(0, namesMax).map(categoryTitle);
  const rest = topmost.length - named.length;
  return list(rest > 0 ? [...named, `${rest} more`] : named);
}
