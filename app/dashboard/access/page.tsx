import type { Metadata } from "next";
import Link from "next/link";
import type { Query } from "@/lib/http/session/address/search-params";
import { profileContext } from "@/lib/http/session/page";
import {
  findConsent,
  listPendingConsents,
  type PendingConsent,
} from "@/lib/services/access/consents";
import { listReceipts } from "@/lib/services/receipts/list-receipts";
import { Pages } from "../../_components/lists/pages";
import { PageHeader } from "../../_components/shell/page-header";
import { readerZone } from "../../_components/shell/reader-zone";
import { AgentName, agentWords } from "../../_components/shown/agent-name";
import { When } from "../../_components/shown/when";
import { Empty } from "../../_components/states/empty";
import { Notice } from "../../_components/states/notice";
import { categoryWords } from "../../_components/words/category";
import { list } from "../../_components/words/list";
import { Receipts } from "./receipts";
import { Decided } from "./request/decided";
import { RequestPanes } from "./request/request-panes";
import { accessAddress, requestHref } from "./schemas";

export const metadata: Metadata = { title: "Access requests" };

const requestsPerPage = 4;
const receiptsPerPage = 5;

export default async function AccessPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const query = await searchParams;
  const address = accessAddress.read(query);
  const { request: requestId, from, before } = address;
  const { did } = profile;
  const [waiting, known, { receipts, hasMore }] = await Promise.all([
    listPendingConsents(ctx, did, { after: from, limit: requestsPerPage + 1 }),
    requestId === undefined ? null : findConsent(ctx, { did, requestId }),
    listReceipts(ctx, {
      ...{ did, state: address.receipts, limit: receiptsPerPage },
      after: before && { grantedAt: before.at, id: before.id },
    }),
  ]);
  const pending = waiting.slice(0, requestsPerPage);
  const isDecided = known !== null && known.status !== "pending";
  const open = isDecided ? undefined : (known ?? pending[0]);
  const others = pending.filter(({ id }) => id !== open?.id);
  const last = receipts.at(-1);
  const lists = { from, receipts: address.receipts, before };
  const end = waiting.length > requestsPerPage ? pending.at(-1) : undefined;
  const later = end && pointAt(end.requestedAt, end.id);
  return (
    <div className="flex flex-col gap-8">
      {query.request !== undefined && known === null && (
        <Notice tone="info">
          The request of this address is not one of this profile. What waits here is shown below.
        </Notice>
      )}
      {open !== undefined && (
        <RequestPanes
          {...{ ctx, did, request: open, arrived: open.id === requestId }}
          place={
            from === undefined && waiting.length === pending.length ? placeIn(pending, open) : null
          }
        />
      )}
      <div className="flex flex-col gap-3">
        {open === undefined && <Heading />}
        {isDecided && (
          <Decided
            request={known}
            undo={address.undo}
            clock={{ now: ctx.now, zone: await readerZone() }}
          />
        )}
        {pending.length === 0 && !isDecided && open === undefined && <Nothing />}
        <Others requests={others} now={ctx.now} />
        <Pages
          words={{ first: "Oldest requests", next: "Later requests" }}
          newest={from === undefined ? null : accessAddress.href({ ...lists, from: undefined })}
          older={later === undefined ? null : accessAddress.href({ ...lists, from: later })}
        />
      </div>
      <Receipts
        receipts={receipts}
        state={address.receipts}
        older={
          hasMore && last
            ? `${accessAddress.href({ ...lists, before: pointAt(last.grantedAt, last.id) })}#receipts`
            : null
        }
        now={ctx.now}
      />
    </div>
  );
}

function pointAt(at: Date, id: string) {
  return { at, id, tier: 0 };
}

function placeIn(pending: PendingConsent[], open: PendingConsent): string | null {
  const at = pending.findIndex(({ id }) => id === open.id);
  return at === -1 ? null : `${at + 1} of ${pending.length}`;
}

function Heading() {
  return (
    <PageHeader isPlace title="Access requests">
      Agents that want to know more than{" "}
      <Link href="/dashboard/access/policies" className="link">
        your rules
      </Link>{" "}
      show. Grant all, a part or nothing.
    </PageHeader>
  );
}

function Others({ requests, now }: { requests: PendingConsent[]; now: Date }) {
  if (requests.length === 0) return null;
  return (
    <section aria-labelledby="waiting" className="flex flex-col gap-3">
      <h2 id="waiting" className="text-lead font-semibold">
        Also waiting
      </h2>
      {requests.map((request) => (
        <RequestRow key={request.id} request={request} now={now} />
      ))}
    </section>
  );
}

/** A request that waits while another one is open. */
function RequestRow({ request, now }: { request: PendingConsent; now: Date }) {
  const { id, agent, scopes, requestedAt } = request;
  return (
    <article
      id={id}
      className="relative flex flex-wrap items-center justify-between gap-x-6 gap-y-1 box px-4 py-3 hover:bg-sunken"
    >
      <h3 className="min-w-0 text-base">
        <AgentName agent={agent} tile="size-6" />
        <span className="block text-small font-normal text-muted">
          {list(scopes.map(categoryWords))}
        </span>
      </h3>
      <p className="flex items-baseline gap-4 text-muted">
        <When at={requestedAt} now={now} />
        <Link
          prefetch={false}
          href={requestHref(id)}
          className="font-semibold text-ink after:absolute after:inset-0"
        >
          Open<span className="sr-only"> the request of {agentWords(agent)}</span>
        </Link>
      </p>
    </article>
  );
}

function Nothing() {
  return (
    <Empty title="No agent is waiting for an answer">
      When an agent asks for something that no rule of yours shows, the request waits here: what it
      wants, what for, and exactly what it would see. Until you answer, it sees nothing of it.
    </Empty>
  );
}
