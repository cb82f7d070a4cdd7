import { type Category, covers, isSensitive } from "@/lib/protocol/scope";
import { type Effect, isEmpty, type Share } from "@/lib/rules/effect/effect";
import type { Imagined } from "@/lib/rules/effect/imagined-agents";
import type { Affected, Compared, PolicyEffect } from "@/lib/services/policies/effect";
import type { Opened } from "@/lib/services/policies/opened";
import type { IconName } from "../../../../_components/icon";
import { agentLabel } from "../../../../_components/shown/agent-name";
import { categoryIcon } from "../../../../_components/shown/category-icon";
import { categoryTitle } from "../../../../_components/words/category";
import { counted, fittingCount, list } from "../../../../_components/words/list";
import { purposeWords } from "../../../../_components/words/purpose";
import { heldWords } from "../../request/words/grant-words";

/** The effect of a change in words, for the browser. */
export interface EffectView {
  atOnce: Lines;
  onceAsked: { when: string; lines: Lines } | null;
  broad: BroadView | null;
}

export interface Lines {
  /** How many agents of today gain and lose. */
  gaining: number;
  losing: number;
  /** How many of those that gain are not verified. */
  unverified: number;
  lines: EffectLine[];
  /** How many agents there are beside. */
  more: number;
  /** How many agents were left out of the comparison. */
  uncompared: number;
}

export interface EffectLine {
  key: string;
  /** An agent by its name, or words for many. */
  who: { did: string; name: string; verified: boolean } | string;
  gains: string | null;
  loses: string | null;
  /** The items gained less those lost, as "+12". */
  count: string;
}

/** A rule that opens everything, or what is sensitive, to many agents. */
export interface BroadView {
  /** What the owner types before it is saved. */
  words: string;
  /** Memories and values in sensitive categories that it opens. */
  sensitive: number;
  rows: BroadRow[];
  /** How many categories there are beside. */
  more: number;
}

export interface BroadRow extends Opened {
  title: string;
  icon: IconName;
  isSensitive: boolean;
}

const linesMax = 12;
/** In characters: names of some hundred categories. */
const namesMax = 3_000;
const rowsMax = 12_000;

export function effectView(
  { atOnce, onceAsked, opens }: PolicyEffect,
  words: string | null = null,
): EffectView {
  const broad = words === null ? null : broadOf(opens, words);
  const isBroad = broad !== null;
  return {
    atOnce: linesOf(atOnce, isBroad),
    onceAsked: onceAsked && {
      when: whenAsked(onceAsked.purpose),
      lines: linesOf(onceAsked, isBroad),
    },
    broad,
  };
}

function broadOf(opens: PolicyEffect["opens"], words: string): BroadView {
  const all = opens
    .map((one) => ({
      ...one,
      title: categoryTitle(one.category),
      icon: categoryIcon(one.category),
      isSensitive: isSensitive(one.category),
    }))
    .sort((one, other) => one.title.localeCompare(other.title, "en"));
  const rows = all.slice(0, fittingCount(all, { of: ({ title }) => title.length, max: rowsMax }));
  const sensitive = all.reduce(
    (sum, one) => sum + (one.isSensitive && !one.isClosed ? one.items : 0),
    0,
  );
  return { words, sensitive, rows, more: all.length - rows.length };
}

function whenAsked(purpose: string | null): string {
  return purpose === null
    ? "Once an agent asks for access and says how long it keeps what it reads"
    : `Once an agent asks for access for ${purposeWords(purpose)}`;
}

function linesOf({ affected: all, uncompared }: Compared, isBroad: boolean): Lines {
  const affected = all.filter(({ effect }) => !isEmpty(effect.gains) || !isEmpty(effect.loses));
  const known = affected.filter(({ agent }) => !("imagined" in agent));
  const lines = affected.slice(0, linesMax).map((one) => lineOf(one, isBroad));
  const gaining = known.filter(({ effect }) => !isEmpty(effect.gains));
  return {
    gaining: gaining.length,
    unverified: gaining.filter(({ agent }) => !agent.verified).length,
    losing: known.filter(({ effect }) => !isEmpty(effect.loses)).length,
    ...{ lines, more: affected.length - lines.length, uncompared },
  };
}

function lineOf({ agent, effect }: Affected, isBroad: boolean): EffectLine {
  return {
    key: agent.did,
    who:
      "imagined" in agent
        ? strangers[agent.imagined]
        : { did: agent.did, name: agentLabel(agent), verified: agent.verified },
    gains: shareWords(effect.gains, gaining, isBroad),
    loses: shareWords(effect.loses, losing),
    count: countOf(effect),
  };
}

function countOf({ gains, loses }: Effect): string {
  const signed = (sign: string, { memories, values }: Share) =>
    memories + values === 0 ? "" : `${sign}${(memories + values).toLocaleString("en")}`;
  return [signed("+", gains), signed("−", loses)].filter(Boolean).join(" ");
}

const strangers: Record<Imagined["imagined"], string> = {
  verified: "Every verified agent, and every one that comes later",
  other: "Every other agent, and every one that comes later",
  fitting: "Every agent that fits, and every one that comes later",
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
function shareWords(share: Share, verbs: Verbs, isBroad = false): string | null {
  const { memories, values, categories, later, proposes } = share;
  const isHeld = memories + values > 0;
  // The frame of a broad rule names them.
  const where = isBroad ? counted(categories.length, "category", "categories") : titles(categories);
  const shownLines = [
    isHeld && `${verbs.now} ${heldWords(share)} in ${where}`,
    later.length > 0 && `${verbs.later} ${comes(later, isHeld)}`,
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

/** Every category by name; one names all below it. */
function titles(categories: readonly Category[]): string {
  if (categories.includes("prof:*")) return "any category that no rule names";
  const topmost = categories.filter(
    (one) => !categories.some((other) => other !== one && covers(other, one)),
  );
  return list(topmost.map(categoryTitle), namesMax);
}
