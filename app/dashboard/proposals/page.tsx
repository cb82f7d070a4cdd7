import type { Metadata } from "next";
import { cookies } from "next/headers";
import Link from "next/link";
import { Category } from "@/lib/protocol/scope";
import {
  type InboxItem,
  type InboxPage,
  type InboxPlace,
  inboxTabs,
  listInbox,
} from "@/lib/services/proposals/inbox";
import { listInboxFilters } from "@/lib/services/proposals/inbox-filters";
import { Empty } from "../../_components/empty";
import { agentLabel } from "../../_components/shown/agent-name";
import { visibleText } from "../../_components/words/inert";
import { profileContext, single } from "../profile";
import { Decided } from "./decided";
import { Filters, inboxHref, type Narrowed, Tabs } from "./filters";
import { CardBody } from "./review/card-body";
import { Inbox } from "./review/inbox";
import { keysCookie } from "./review/keys-cookie";

export const metadata: Metadata = { title: "Inbox" };

const perPage = 20;

type Query = Record<"tab" | "agent" | "category" | "before", string | string[] | undefined>;

export default async function InboxPageOf({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const query = await searchParams;
  const narrowed = narrowedBy(query);
  const { tab, agent: agentDid, category } = narrowed;
  const after = placeIn(single(query.before));
  const { did } = profile;
  const [page, filters, cookie] = await Promise.all([
    listInbox(ctx, { did, tab, agentDid, category, after, limit: perPage }),
    listInboxFilters(ctx, did),
    cookies(),
  ]);
  const hasAny = filters.categories.length > 0;
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
      {page.items.length === 0 && <Nothing narrowed={narrowed} did={did} hasAny={hasAny} />}
      {tab === "pending" ? (
        <Inbox
          cards={page.items.map((item) => cardOf(item, ctx.now))}
          keysOn={cookie.get(keysCookie)?.value !== "off"}
        />
      ) : (
        page.items.length > 0 && <Decided items={page.items} ownDid={did} now={ctx.now} />
      )}
      <Pages narrowed={narrowed} page={page} isFirst={after === undefined} />
    </div>
  );
}

function cardOf(item: InboxItem, now: Date) {
  const { id, content, agent } = item;
  const label = `Proposal of ${visibleText(agentLabel(agent))}`;
  return { id, content, label, body: <CardBody item={item} now={now} /> };
}

function narrowedBy(query: Query): Narrowed {
  return {
    tab: inboxTabs.find((tab) => tab === single(query.tab)) ?? "pending",
    agent: single(query.agent)?.slice(0, 200),
    category: Category.safeParse(single(query.category)).data,
  };
}

function placeIn(text: string | undefined): InboxPlace | undefined {
  const [instant = "", id = ""] = text?.split("~") ?? [];
  const at = new Date(instant);
  return Number.isNaN(at.getTime()) ? undefined : { at, id };
}

interface PagesProps {
  narrowed: Narrowed;
  page: InboxPage;
  isFirst: boolean;
}

function Pages({ narrowed, page: { next }, isFirst }: PagesProps) {
  if (next === null && isFirst) return null;
  const link = "font-medium text-accent underline underline-offset-4";
  return (
    <nav aria-label="Pages" className="flex gap-6">
      {!isFirst && (
        <Link href={inboxHref(narrowed)} className={link}>
          Newest
        </Link>
      )}
      {next !== null && (
        <Link href={inboxHref(narrowed, `${next.at.toISOString()}~${next.id}`)} className={link}>
          Older
        </Link>
      )}
    </nav>
  );
}

interface NothingProps {
  narrowed: Narrowed;
  did: string;
  hasAny: boolean;
}

function Nothing({ narrowed: { tab, agent, category }, did, hasAny }: NothingProps) {
  if (agent !== undefined || category !== undefined) {
    return (
      <Empty title="Nothing here matches">
        <Link href={inboxHref({ tab })} className="text-accent underline underline-offset-4">
          Show all
        </Link>{" "}
        instead.
      </Empty>
    );
  }
  if (tab === "decided") {
    return (
      <Empty title="You have not decided anything yet">
        What you approve or reject is kept here, with when and why. So is what ran out unanswered.
      </Empty>
    );
  }
  return (
    <Empty title={hasAny ? "All answered" : "No agent has proposed anything yet"}>
      {hasAny
        ? "New proposals appear here; one that you leave alone expires after 7 days, and nothing is remembered."
        : "An agent that learns something about you proposes it here, with its reason. Give one your identifier to begin: "}
      {!hasAny && <code className="font-mono text-xs break-all text-ink">{did}</code>}
    </Empty>
  );
}
