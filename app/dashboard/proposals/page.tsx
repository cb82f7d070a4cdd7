import type { Metadata } from "next";
import { cookies } from "next/headers";
import type { Query } from "@/lib/http/session/address/search-params";
import { profileContext } from "@/lib/http/session/page";
import { listInbox } from "@/lib/services/proposals/inbox";
import { listInboxFilters } from "@/lib/services/proposals/inbox-filters";
import { pageBytesMax } from "../../_components/lists/page-size";
import { Pages } from "../../_components/lists/pages";
import { Decided } from "./list/decided";
import { EmptyState } from "./list/empty-state";
import { pendingOf } from "./list/pending";
import { BesideHead, QueueHead } from "./list/queue-head";
import { Inbox } from "./review/inbox";
import { keysCookie } from "./review/keys/keys-cookie";
import { type InboxSearch, inboxSearch, placeIn, textOf } from "./search";

export const metadata: Metadata = { title: "Inbox" };

// The queue holds no more at once, and as many again as are decided.
const queueSize = { limit: 100, bytesMax: pageBytesMax };
const pageSize = { limit: 20, bytesMax: pageBytesMax };

export default async function InboxPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const { did } = profile;
  const search = inboxSearch.read(await searchParams);
  const { tab, agent: agentDid, category, q, outcome, order } = search;
  const isPending = tab === "pending";
  const input = { did, tab, agentDid, category, search: q, order };
  const [page, filters, cookie] = await Promise.all([
    isPending
      ? listInbox(ctx, { ...input, ...queueSize })
      : listInbox(ctx, { ...input, ...pageSize, outcome, after: placeIn(search.before) }),
    listInboxFilters(ctx, did),
    cookies(),
  ]);
  const head = <QueueHead search={search} counts={page} filters={filters} />;
  const hasAny = filters.categories.length > 0;
  const empty = <EmptyState search={search} did={did} hasAny={hasAny} />;
  if (isPending) {
    const keysOn = cookie.get(keysCookie)?.value !== "off";
    const pending = await pendingOf(ctx, { did, search, page, own: filters.own });
    return <Inbox {...pending} {...{ keysOn, head, empty }} />;
  }
  return (
    <BesideHead head={head}>
      {page.items.length === 0 ? empty : <Decided items={page.items} ownDid={did} now={ctx.now} />}
      <DecidedPages search={search} next={page.next === null ? null : textOf(page.next)} />
    </BesideHead>
  );
}

function DecidedPages({ search, next }: { search: InboxSearch; next: string | null }) {
  const newest = search.before === undefined ? null : { ...search, before: undefined };
  return (
    <Pages
      newest={newest && inboxSearch.href(newest)}
      older={next === null ? null : inboxSearch.href({ ...search, before: next })}
      words={search.order === "newest" ? undefined : { first: "First page", next: "Next page" }}
    />
  );
}
