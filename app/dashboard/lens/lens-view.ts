import { type Category, isSensitive } from "@/lib/protocol/scope";
import type { Rule } from "@/lib/rules/decide";
import type { SeenItem } from "@/lib/rules/effect/seen";
import type { Policy } from "@/lib/rules/facts";
import type { Part } from "@/lib/rules/parts/parts";
import type { Lens, SeenMemories } from "@/lib/services/access/sight/lens";
import type { AgentCondition } from "@/lib/services/agents/known/list-known";
import { categoryTitle } from "../../_components/words/category";
import { counted, fittingCount, grouped, list } from "../../_components/words/list";
import { policySentence } from "../policy-sentence";

/** What an agent gets, by category. */
export interface LensGroups {
  /** Items of all categories: what the pages of the API add up to. */
  seen: number;
  groups: LensGroup[];
  /** How many categories there are beside. */
  more: number;
}

export interface LensGroup {
  category: Category;
  title: string;
  sensitive: boolean;
  items: { id: string; name: string | null; text: string }[];
  /** How many there are in all. */
  memories: number;
  values: number;
  /** How many items there are besides those shown. */
  more: number;
}

export interface HiddenLines {
  lines: HiddenLine[];
  /** How many lines there are beside. */
  more: number;
}

export interface HiddenLine {
  category: Category;
  title: string;
  what: string;
  why: string;
}

const itemsMax = 24;
const textMax = 280;
/** In characters of one list of categories, with what their markup takes; the page of memories has all of them. */
const listedMax = 2_000;
const markupOf = 60;
const linesMax = 8;

/** Groups what is seen: every value and the newest memories, with all memories counted. */
export function lensGroups({ items, memories }: Pick<Lens, "items" | "memories">): LensGroups {
  const counts = new Map(memories.map(({ category, count }) => [category, count]));
  const all = [...grouped(items, ({ category }) => category)].map(
    ([category, group]): LensGroup => {
      const shown = group.slice(0, itemsMax);
      const total = counts.get(category) ?? 0;
      const values = valuesIn(group);
      return {
        category,
        title: categoryTitle(category),
        sensitive: isSensitive(category),
        items: shown.map(({ id, name, value }) => ({ id, name, text: valueText(value) })),
        memories: total,
        values,
        more: values + total - shown.length,
      };
    },
  );
  const groups = all.slice(0, fittingCount(all, { of: sizeOf, max: listedMax }));
  return { seen: countOf({ items, memories }), groups, more: all.length - groups.length };
}

interface Sight {
  items: readonly SeenItem[];
  memories: readonly Pick<SeenMemories, "count">[];
}

/** Counts everything that the agent gets, as the pages of the API do. */
export function countOf({ items, memories }: Sight): number {
  return memories.reduce((sum, { count }) => sum + count, valuesIn(items));
}

/** "12 items, in the very words that it gets." An agent that is not active gets nothing. */
export function lensWords(seen: number, state: AgentCondition): string {
  const items = counted(seen, "item");
  if (state !== "active") {
    return `Nothing now.${seen === 0 ? "" : ` It would get ${items}, in these very words.`}`;
  }
  return seen === 0
    ? "Nothing at all: everything that you keep here is hidden from it."
    : `${items}, in the very words that it gets.`;
}

function valuesIn(items: readonly SeenItem[]): number {
  return items.filter(({ kind }) => kind !== "memory").length;
}

function sizeOf({ title, items }: LensGroup): number {
  return items.reduce((sum, { text }) => sum + markupOf + text.length, markupOf + title.length);
}

/** In the words that the agent gets, up to a length. */
export function valueText(value: unknown, max = textMax): string {
  const isList = Array.isArray(value) && value.every((one) => typeof one !== "object");
  const text =
    typeof value === "string" ? value : isList ? value.join(", ") : JSON.stringify(value);
  const characters = Array.from(text.slice(0, 2 * max + 1));
  return characters.length <= max ? text : `${characters.slice(0, max).join("")}…`;
}

/** What stays hidden, a line for each category and rule. */
export function hiddenLines(
  parts: readonly Part[],
  { policies, zone }: { policies: readonly Policy[]; zone: string },
): HiddenLines {
  const bits = parts.flatMap((part) => {
    const { rule, policyId } = part.decision.reason;
    const policy = policies.find(({ id }) => id === policyId);
    return namesIn(part).map((name) => ({
      ...part,
      name,
      why:
        policy?.origin === "quarantine"
          ? "The agent is in quarantine."
          : whyWords(rule, policy && policySentence(policy, zone)),
    }));
  });
  const all = [...grouped(bits, ({ category, why }) => JSON.stringify([category, why])).values()];
  const lines = all.slice(0, linesMax).flatMap((group) =>
    group.slice(0, 1).map(({ category, why }) => ({
      ...{ category, title: categoryTitle(category), why },
      what: list(group.map(({ name }) => name)),
    })),
  );
  return { lines, more: all.length - lines.length };
}

/** Counts the memories and values in these parts. */
export function hiddenCounts(parts: readonly Part[]): { memories: number; values: number } {
  const counts = { memories: 0, values: 0 };
  for (const { kind, items } of parts) counts[kind === "memory" ? "memories" : "values"] += items;
  return counts;
}

function namesIn({ kind, names, items }: Part): string[] {
  if (kind === "memory") return [counted(items, "memory", "memories")];
  return names.map((path) => {
    const [, ...below] = path.split(".");
    if (kind === "named_value" || below.length === 0) return path.replaceAll(".", " › ");
    return below.join(" › ");
  });
}

function whyWords(rule: Rule, sentence = ""): string {
  switch (rule) {
    case "deny":
      return `Your rule: ${sentence}`;
    case "ceiling":
      return "An admin of this gateway keeps this agent from it.";
    case "needs_verification":
      return `Your rule is for verified agents only: ${sentence}`;
    case "needs_purpose":
      return `Your rule has conditions that the agent has not met: ${sentence}`;
    default:
      return "No rule opens it: the agent has to ask you.";
  }
}
