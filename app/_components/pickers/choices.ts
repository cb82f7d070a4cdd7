import { isSensitive } from "@/lib/protocol/scope";
import type { Option } from "../forms/fields/options";
import { agentWords, type NamedAgent } from "../shown/agent-name";
import { categoryIcon } from "../shown/category-icon";
import { categoryTitle, categoryWords } from "../words/category";
import type { ListChoice } from "./list-picker";

// What the pickers offer, made on the server.

/** Agents for a select: each with its name and whether it is verified. */
export function agentChoices(agents: readonly NamedAgent[]): Option[] {
  return agents.map((agent) => [
    agent.did,
    `${agentWords(agent)} (${agent.verified ? "verified" : "not verified"})`,
  ]);
}

interface Known {
  category: string;
  items: number;
}

/** Categories by title, after "everything" where it is among them. */
export function categoryChoices(
  known: readonly Known[],
  more: readonly string[] = [],
): ListChoice[] {
  const counts = new Map(known.map(({ category, items }) => [category, items]));
  const all = new Set([...counts.keys(), ...more]);
  return [...all].map((scope) => choiceOf(scope, counts.get(scope))).sort(byTitle);
}

function choiceOf(scope: string, count: number | undefined): ListChoice {
  const isAll = scope === "prof:*";
  return {
    value: scope,
    words: isAll ? "everything, sensitive too" : categoryWords(scope),
    title: categoryTitle(scope),
    note: isAll ? "Sensitive categories too" : undefined,
    icon: categoryIcon(scope),
    count,
    isSensitive: !isAll && isSensitive(scope),
  };
}

function byTitle(one: ListChoice, other: ListChoice): number {
  const isAll = ({ value }: ListChoice) => Number(value === "prof:*");
  return isAll(other) - isAll(one) || one.title.localeCompare(other.title, "en");
}
