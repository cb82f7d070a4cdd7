import { z } from "zod";
import { choice, param, searchParams, words } from "@/lib/http/session/address/search-params";
import { Category } from "@/lib/protocol/scope";
import {
  type InboxPlace,
  inboxOrders,
  inboxTabs,
  outcomes,
  searchLengthMax,
} from "@/lib/services/proposals/inbox";
import { groupings } from "./review/groups";
import { ProposalId } from "./schemas";

/** What the address of the inbox says: which list, and without scripts which card and which of its panels. */
export const inboxSearch = searchParams("/dashboard/proposals", {
  tab: choice(inboxTabs, "pending"),
  group: choice(groupings, "agent"),
  agent: param(z.string().max(200)),
  category: param(Category),
  q: words(searchLengthMax),
  outcome: param(z.enum(outcomes)),
  order: choice(inboxOrders.pending, "newest"),
  before: param(z.string().max(100)),
  card: param(ProposalId),
  ask: param(z.enum(["keep", "replace", "edit", "reject"])),
});
export type InboxSearch = ReturnType<typeof inboxSearch.read>;

export function isFiltered({ agent, category, q, outcome, order }: InboxSearch): boolean {
  return (agent ?? category ?? q ?? outcome) !== undefined || order !== "newest";
}

export function textOf({ at, id }: InboxPlace): string {
  return `${at}~${id}`;
}

export function placeIn(text: string | undefined): InboxPlace | undefined {
  const [at = "", id = ""] = text?.split("~") ?? [];
  return text === undefined ? undefined : { at, id };
}
