import type { OwnProfile } from "@/lib/http/session/page";
import { isSensitive } from "@/lib/protocol/scope";
import type { SessionUser } from "@/lib/services/accounts/sessions";
import type { Ctx } from "@/lib/services/context";
import { type Found, searchMemories, searchProfile } from "@/lib/services/search/search-profile";
import type { FoundGroup, FoundRow } from "../../_components/command/rows";
import type { Sought } from "../../_components/command/use-palette";
import { readerZone } from "../../_components/shell/reader-zone";
import { agentLabel } from "../../_components/shown/agent-name";
import { categoryIcon } from "../../_components/shown/category-icon";
import { categoryTitle, categoryWords, knownCategories } from "../../_components/words/category";
import { list } from "../../_components/words/list";
import { ruleHref } from "../access/policies/schemas";
import { requestHref } from "../access/schemas";
import { activityHref, agentHref } from "../agents/agent-href";
import { memoriesPage } from "../memories/search";
import { policySentence } from "../policy-sentence";
import { inboxSearch } from "../proposals/search";
import { actsNamed, hasAll, placesNamed } from "./places";

interface Searcher {
  ctx: Ctx;
  who: SessionUser;
  profile: OwnProfile;
}

const eachMax = 4;
const memoriesMax = 20;
const textMax = 160;

/** Everything that has these words; without words, where one can go, and what waits. */
export async function findGroups(
  { ctx, who, profile: { did } }: Searcher,
  sought: Sought,
): Promise<FoundGroup[]> {
  const search = sought.words.trim();
  const words = search.split(/\s+/).filter(Boolean);
  const query = { did, search: search === "" ? undefined : search, limit: eachMax };
  if (sought.only === "memories") {
    const memories = await searchMemories(ctx, { ...query, limit: memoriesMax });
    return filled({ "Go to": categoriesNamed(words), Memories: memories.map(memoryRow) });
  }
  const [found, zone] = await Promise.all([searchProfile(ctx, query), readerZone()]);
  const { memories, agents } = found;
  return filled({
    "Go to": [...placesNamed(words, who.role === "admin"), ...categoriesNamed(words)],
    "Waits for you": waitingRows(found, words),
    Agents: agents.map(({ agent: { did: agentDid, name } }) => ({
      ...{ href: agentHref(agentDid), icon: "robot", did: agentDid },
      ...{ text: agentLabel({ did: agentDid, name }) },
    })),
    Memories: memories.map(memoryRow),
    Rules: ruleRows(found, words, zone),
    Do: [...agents.slice(0, 1).flatMap(({ agent }) => actsOn(agent)), ...actsNamed(words)],
  });
}

function actsOn({ did, name }: Found["agents"][number]["agent"]): FoundRow[] {
  const label = agentLabel({ did, name });
  return [
    { href: `${agentHref(did)}#see-as`, icon: "eye", text: `See as ${label}` },
    { href: inboxSearch.href({ agent: did }), icon: "tray", text: `What ${label} proposes` },
    { href: activityHref(did), icon: "pulse", text: `What ${label} did` },
  ];
}

function filled(groups: Record<string, FoundRow[]>): FoundGroup[] {
  return Object.entries(groups).flatMap(([name, rows]) =>
    rows.length > 0 ? [{ name, rows }] : [],
  );
}

function categoriesNamed(words: readonly string[]): FoundRow[] {
  if (words.length === 0) return [];
  const named = knownCategories.filter((category) =>
    hasAll(`memories in ${categoryWords(category)}`, words),
  );
  return named.map((category) => ({
    href: memoriesPage.href({ category }),
    icon: categoryIcon(category),
    text: `Memories in ${categoryWords(category)}`,
  }));
}

function waitingRows({ proposals, requests }: Found, words: readonly string[]): FoundRow[] {
  const asking = requests.map(({ id, agent, scopes }) => ({
    href: requestHref(id),
    icon: "hand" as const,
    did: agent.did,
    text: `${agentLabel(agent)} asks to know ${list(scopes.map(categoryWords))}`,
    note: "Access requests",
  }));
  return [
    ...proposals.map(({ id, agent, content, category }) => ({
      href: inboxSearch.href({ card: id }),
      icon: "tray" as const,
      did: agent.did,
      text: content.slice(0, textMax),
      note: isSensitive(category) ? "Inbox · sensitive" : "Inbox",
    })),
    ...asking.filter(({ text }) => hasAll(text, words)).slice(0, eachMax),
  ];
}

function ruleRows({ policies }: Found, words: readonly string[], zone: string): FoundRow[] {
  const rows = policies.map((policy) => ({
    href: ruleHref(policy.id),
    icon: "signpost" as const,
    text: policySentence(policy, zone),
  }));
  return rows.filter(({ text }) => hasAll(text, words)).slice(0, eachMax);
}

function memoryRow({ id, content, category }: Found["memories"][number]): FoundRow {
  return {
    href: `/dashboard/memories/${id}`,
    icon: "stack",
    text: content.slice(0, textMax),
    note: categoryTitle(category),
  };
}
