import type { FoundRow } from "../../_components/command/rows";
import { adminPlaces } from "../../admin/places";
import { memoriesPage } from "../memories/search";
import { placesWith } from "../places";
import { inboxSearch } from "../proposals/search";

const main: FoundRow[] = placesWith(null)
  .flat()
  .map(({ href, label, icon }) => ({ href, icon, text: label }));

const others: FoundRow[] = [
  { href: inboxSearch.href({ tab: "decided" }), icon: "check", text: "Decided proposals" },
  { href: memoriesPage.href({ state: "archived" }), icon: "archive", text: "Archived memories" },
  { href: memoriesPage.href({ state: "deleted" }), icon: "trash", text: "Deleted memories" },
  { href: "/dashboard/settings/values", icon: "sliders-horizontal", text: "Named values" },
  { href: "/dashboard/settings/keys", icon: "key", text: "Signing keys" },
  { href: "/dashboard/settings/profiles", icon: "user-circle", text: "Profiles" },
  {
    href: "/dashboard/settings/account",
    icon: "user-circle",
    text: "Account, password and sessions",
  },
  { href: "/dashboard/settings/delete", icon: "trash", text: "Delete profile or account" },
  { href: "/docs", icon: "book-open", text: "API reference" },
];

const admin: FoundRow[] = adminPlaces(0)
  .flat()
  .filter(({ href }) => href.startsWith("/admin"))
  .map(({ href, label, icon }) => ({ href, icon, text: label, note: "Admin" }));

const acts: FoundRow[] = [
  {
    href: "/dashboard/connect",
    icon: "plugs-connected",
    text: "Connect an agent",
    note: "Claude, ChatGPT, Cursor, a program by MCP",
  },
  { href: memoriesPage.href({ add: "1" }), icon: "plus", text: "Add a memory" },
  { href: "/dashboard/access/policies/new", icon: "signpost", text: "New rule" },
  { href: "/dashboard/agents/register", icon: "robot", text: "Register an agent" },
  { href: "/dashboard/connections/issue", icon: "ticket", text: "Issue a token" },
  {
    href: "/dashboard/settings/export",
    icon: "download-simple",
    text: "Export or import a profile",
  },
  { href: "/dashboard/activity", icon: "shield-check", text: "Verify the log" },
  { href: "/dashboard", icon: "power", text: "Everything off, now" },
];

/** The pages whose name has all words; the main ones where there are none. */
export function placesNamed(words: readonly string[], isAdmin: boolean): FoundRow[] {
  if (words.length === 0) return main;
  return [...main, ...others, ...(isAdmin ? admin : [])].filter(({ text, note = "" }) =>
    hasAll(`${note} ${text}`, words),
  );
}

export function actsNamed(words: readonly string[]): FoundRow[] {
  return acts.filter(({ text, note = "" }) => hasAll(`${text} ${note}`, words));
}

export function hasAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word.toLowerCase()));
}
