import type { Scope } from "@/lib/protocol/scope";
import type { TokenSight } from "@/lib/services/tokens/see-token";
import { categoryWords } from "../../../_components/words/category";
import { counted, list } from "../../../_components/words/list";
import { countOf, type LensGroups, lensGroups } from "../../lens/lens-view";

/** What a token would read, in words, for the browser. */
export interface TokenView {
  /** "12 items, and what is added while the token lives." */
  reads: string;
  groups: LensGroups;
  /** Whether issuing it lets the agent's own key read more. */
  widens: string | null;
  proposes: string | null;
  /** What the agent's own key reads besides. */
  besides: LensGroups;
}

interface Reach {
  scopes: readonly Scope[];
  mayPropose: boolean;
}

export function tokenView(
  { token, besides }: TokenSight,
  { scopes, mayPropose }: Reach,
): TokenView {
  const groups = lensGroups(token);
  const isNew = (one: { isNew: boolean }) => one.isNew;
  const added = { items: token.items.filter(isNew), memories: token.memories.filter(isNew) };
  return {
    reads: readsWords(groups.seen),
    groups,
    widens: widensWords(countOf(added), groups.seen),
    proposes: mayPropose
      ? `May propose memories in ${list(scopes.map(categoryWords))}, where no rule forbids it. Each waits for you.`
      : null,
    besides: lensGroups(besides),
  };
}

/** What a token reads, as a sentence. */
export function readsWords(count: number): string {
  return count === 0
    ? "Nothing of what is there now."
    : `${counted(count, "item")}, and what is added while the token lives.`;
}

/** Whether a token widens what the agent's own key reads; null where it reads nothing. */
export function widensWords(added: number, seen: number): string | null {
  if (seen === 0) return null;
  if (added === 0) return "The agent's own key reads all of this already.";
  const which = added === seen ? "this" : `${added.toLocaleString("en")} of these`;
  return `The agent's own key cannot read ${which} yet. While the token lives, it can.`;
}
