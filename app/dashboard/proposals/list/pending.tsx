import { parseDid } from "@/lib/protocol/did";
import { isSensitive } from "@/lib/protocol/scope";
import { nameFlags } from "@/lib/rules/guard/name-flags";
import { withoutSecrets } from "@/lib/rules/guard/without-secrets";
import { type Audience, audienceOf } from "@/lib/services/access/sight/audience";
import type { Ctx } from "@/lib/services/context";
import { type InboxPage, listInbox } from "@/lib/services/proposals/inbox";
import type { InboxItem } from "@/lib/services/proposals/inbox-item";
import { findResembling, type Resemblance } from "@/lib/services/proposals/resembling";
import { AgentName, agentWords, type NamedAgent } from "../../../_components/shown/agent-name";
import { categoryIcon } from "../../../_components/shown/category-icon";
import { Identicon } from "../../../_components/shown/identicon";
import { categoryTitle, categoryWords, knownCategories } from "../../../_components/words/category";
import { flagKindsOf } from "../../../_components/words/flag";
import { agentHref } from "../../agents/agent-href";
import { AudienceButton } from "../../audience/audience-button";
import { audienceShort, audienceWords, nobody } from "../../audience/audience-words";
import { likenessOf } from "../matches/likeness";
import type { InboxCard, Likeness, ShownAgent, ShownCategory } from "../review/card/card-data";
import type { InboxProps } from "../review/use-inbox";
import { type InboxSearch, inboxSearch } from "../search";

// The one in sight: comparing takes longest of all. The others are compared when they come near.
const comparedAtOnce = 1;
const ownCategoriesMax = 40;
const lineMax = 160;

interface PendingInput {
  did: string;
  search: InboxSearch;
  page: InboxPage;
  /** Where the profile keeps something. */
  own: readonly string[];
}

/** What the queue and its cards are drawn from. */
export async function pendingOf(ctx: Ctx, { did, search, page, own }: PendingInput) {
  const items = await withNamed(ctx, { did, search, page });
  const { card = null, ask = "read", before: _, ...list } = search;
  const place = items.findIndex(({ id }) => id === card);
  const near = items.slice(Math.max(0, place)).slice(0, comparedAtOnce);
  const categories = [
    ...new Set([
      ...items.map(({ category }) => category),
      ...knownCategories,
      ...own.slice(0, ownCategoriesMax),
    ]),
  ];
  const [resembling, audiences] = await Promise.all([
    near.length === 0
      ? new Map<string, Resemblance>()
      : findResembling(ctx, { did, proposalIds: near.map(({ id }) => id) }),
    items.length === 0 ? new Map() : audienceOf(ctx, { did, categories }),
  ]);
  return {
    cards: items.map((item) => cardOf(item, resembling.get(item.id))),
    known: {
      now: ctx.now,
      agents: Object.fromEntries(
        items.map(({ agent, imported }) => [
          agent.did,
          imported === null ? agentShown(agent, did) : importShown(agent),
        ]),
      ),
      categories: categoriesShown(categories, audiences),
    },
    pending: page.pending,
    counts: page.groups,
    takenBack: page.takenBack,
    by: search.group,
    view: inboxSearch.href(list),
    address: [...new URL(inboxSearch.href(list), "http://inbox").searchParams],
    start: { card: place === -1 ? null : card, mode: ask },
  } satisfies Partial<InboxProps>;
}

/** The proposal that the address names is first where the page would not have it, if the filters let it through. */
async function withNamed(ctx: Ctx, { did, search, page }: Omit<PendingInput, "own">) {
  const { card, agent: agentDid, category, q } = search;
  if (card === undefined || page.items.some(({ id }) => id === card)) return page.items;
  const named = { did, tab: "pending" as const, proposalId: card, limit: 1 };
  const { items } = await listInbox(ctx, { ...named, agentDid, category, search: q });
  return [...items, ...page.items];
}

function cardOf(item: InboxItem, resemblance: Resemblance | undefined): InboxCard {
  const { id, content, context, category, confidence, proposedAt, expiresAt, agent } = item;
  const { inquiry, flags, imported } = item;
  const kind = category.split(".")[0] ?? category;
  const compared = resemblance && likenessOf(resemblance);
  const likeness = item.isRead ? (equalityOf(item) ?? compared) : ({ kind: "unread" } as const);
  const isMasked = flags.some(({ kind }) => kind === "secret");
  const line = isMasked ? withoutSecrets(content).slice(0, lineMax) : undefined;
  const about = { proposedAt, expiresAt, inquiry, likeness, flags, line, imported };
  return { id, content, context, agent: agent.did, category, kind, confidence, ...about };
}

function equalityOf({ same, rejectedAt }: InboxItem): Likeness | undefined {
  if (same !== null) {
    return { kind: "same", memoryId: same.id, title: categoryTitle(same.category) };
  }
  return rejectedAt === null ? undefined : { kind: "rejected", at: rejectedAt.toISOString() };
}

function agentShown(agent: NamedAgent, owner: string): ShownAgent {
  const { did } = agent;
  const isOwner = did === owner;
  return {
    name: isOwner ? "You" : agentWords(agent),
    tile: <Identicon did={did} className="size-full" />,
    who: isOwner ? (
      <span title={did}>
        <b className="font-semibold">You</b>, with a key of yours
      </span>
    ) : (
      <AgentName agent={agent} />
    ),
    wants: isOwner ? "want to remember about yourself" : "wants to remember about you",
    href: parseDid(did)?.kind === "user" ? null : agentHref(did),
    proposals: inboxSearch.href({ agent: did }),
    nameFlags: flagKindsOf(nameFlags(agent.name ?? "")),
  };
}

function importShown(agent: NamedAgent): ShownAgent {
  const { did } = agent;
  const name = agentWords(agent);
  return {
    ...{
      name,
      wants: "You imported this. Whether it is true, only you know.",
      href: null,
      nameFlags: [],
      isImport: true,
    },
    tile: <Identicon did={did} className="size-full" />,
    who: <b className="font-semibold">{name}</b>,
    proposals: inboxSearch.href({ agent: did }),
  };
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

function categoriesShown(categories: readonly string[], audiences: Map<string, Audience>) {
  // Equal audiences are one element, which goes to the browser once.
  const drawn = new Map<string, Pick<ShownCategory, "readers" | "audience">>();
  const shown = categories.map((category): [string, ShownCategory] => {
    const audience = audiences.get(category) ?? nobody;
    const key = JSON.stringify(audience);
    const words = capital(audienceWords(audience));
    const readers = drawn.get(key) ?? {
      readers: words,
      audience: <AudienceButton {...{ audience, words, short: audienceShort(audience) }} />,
    };
    drawn.set(key, readers);
    const sensitive = isSensitive(category) ? categoryWords(category) : null;
    const title = categoryTitle(category);
    return [category, { title, icon: categoryIcon(category), sensitive, ...readers }];
  });
  return Object.fromEntries(shown.sort(([, a], [, b]) => a.title.localeCompare(b.title, "en")));
}
