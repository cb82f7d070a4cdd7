import type { Metadata } from "next";
import { cookies } from "next/headers";
import { profileContext } from "@/lib/http/session/page";
import { type Audience, audienceOf } from "@/lib/services/access/audience";
import type { Ctx } from "@/lib/services/context";
import { type InboxItem, listInbox } from "@/lib/services/proposals/inbox";
import { listInboxFilters } from "@/lib/services/proposals/inbox-filters";
import { findResembling } from "@/lib/services/proposals/resembling";
import { pageBytesMax } from "../../_components/lists/page-size";
import { Pages } from "../../_components/lists/pages";
import { agentLabel } from "../../_components/shown/agent-name";
import { visibleText } from "../../_components/words/inert";
import { firstParam } from "../query";
import { Decided } from "./list/decided";
import { EmptyState } from "./list/empty-state";
import { inboxHref, narrowedBy, placeIn, type Query, textOf } from "./list/filter";
import { Filters } from "./list/filters";
import { Tabs } from "./list/tabs";
import { type MatchView, matchViews } from "./matches/match-view";
import type { InboxCard } from "./review/card";
import { CardBody } from "./review/card-body";
import { Inbox } from "./review/inbox";
import { keysCookie } from "./review/keys-cookie";

export const metadata: Metadata = { title: "Inbox" };

const perPage = 20;
// As many as are in sight at once; the others are compared when they come near.
const comparedAtOnce = 3;

export default async function InboxPageOf({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const query = await searchParams;
  const narrowed = narrowedBy(query);
  const { tab, agent: agentDid, only: proposalId, ...rest } = narrowed;
  const before = firstParam(query.before);
  const { did } = profile;
  const input = {
    did,
    tab,
    agentDid,
    proposalId,
    ...rest,
    after: placeIn(before),
    limit: perPage,
    bytesMax: pageBytesMax,
  };
  const [page, filters, cookie] = await Promise.all([
    listInbox(ctx, input),
    listInboxFilters(ctx, did),
    cookies(),
  ]);
  const cards = tab === "pending" ? await cardsOf(ctx, { did, items: page.items }) : [];
  const hasAny = filters.categories.length > 0;
  const isByAge = narrowed.order === undefined;
  return (
    <div className="flex flex-col gap-6">
      <header>
        <h1 className="text-2xl font-semibold tracking-tight">Inbox</h1>
        <p className="mt-1 text-muted">
          What agents want remembered about you. Nothing becomes part of your profile before you
          approve it.
        </p>
      </header>
      <Tabs narrowed={narrowed} counts={page} />
      {hasAny && <Filters narrowed={narrowed} filters={filters} />}
      {page.items.length === 0 && <EmptyState narrowed={narrowed} did={did} hasAny={hasAny} />}
      {tab === "pending" ? (
        <Inbox
          key={inboxHref(narrowed, before)}
          cards={cards}
          keysOn={cookie.get(keysCookie)?.value !== "off"}
        />
      ) : (
        page.items.length > 0 && <Decided items={page.items} ownDid={did} now={ctx.now} />
      )}
      <Pages
        newest={before === undefined ? null : inboxHref(narrowed)}
        older={page.next === null ? null : inboxHref(narrowed, textOf(page.next))}
        words={isByAge ? undefined : { first: "First page", next: "Next page" }}
      />
    </div>
  );
}

async function cardsOf(ctx: Ctx, { did, items }: { did: string; items: InboxItem[] }) {
  if (items.length === 0) return [];
  const proposalIds = items.slice(0, comparedAtOnce).map(({ id }) => id);
  const [resembling, audiences] = await Promise.all([
    findResembling(ctx, { did, proposalIds }),
    audienceOf(ctx, { did, categories: items.map(({ category }) => category) }),
  ]);
  return items.map((item) =>
    cardOf(item, {
      now: ctx.now,
      audience: audiences.get(item.category),
      matches: proposalIds.includes(item.id) ? matchViews(resembling.get(item.id) ?? []) : null,
    }),
  );
}

interface Known {
  now: Date;
  audience: Audience | undefined;
  matches: MatchView[] | null;
}

function cardOf(item: InboxItem, { now, audience, matches }: Known): InboxCard {
  const { id, content, agent } = item;
  const label = `Proposal of ${visibleText(agentLabel(agent))}`;
  const body = <CardBody item={item} audience={audience} now={now} />;
  return { id, content, label, body, matches };
}
