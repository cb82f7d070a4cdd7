import type { Metadata } from "next";
import Link from "next/link";
import { profileContext } from "@/lib/http/session/page";
import {
  findConsent,
  listPendingConsents,
  type PendingConsent,
} from "@/lib/services/access/consents";
import type { Ctx } from "@/lib/services/context";
import { listReceipts, type ReceiptLine } from "@/lib/services/receipts/list-receipts";
import { Empty } from "../../_components/empty";
import { Notice } from "../../_components/notice";
import { firstParam } from "../query";
import { accessHref, type Input, readQuery } from "./place";
import { Receipts } from "./receipts";
import { Decided } from "./request/decided";
import { RequestCard, RequestRow } from "./request/request-card";
import { EventId, RequestId } from "./schemas";

export const metadata: Metadata = { title: "Access requests" };

const requestsPerPage = 6;
const receiptsPerPage = 10;

type Query = Record<
  "request" | "undo" | "from" | "receipts" | "before",
  string | string[] | undefined
>;

export default async function AccessPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const query = await searchParams;
  const { did } = profile;
  const requestId = RequestId.safeParse(firstParam(query.request)).data;
  const input = readQuery(query);
  const { from, state } = input;
  const [waiting, known, { receipts, hasMore }] = await Promise.all([
    listPendingConsents(ctx, did, { after: from, limit: requestsPerPage + 1 }),
    requestId === undefined ? null : findConsent(ctx, { did, requestId }),
    listReceipts(ctx, { did, state, after: receiptPlace(input), limit: receiptsPerPage }),
  ]);
  const pending = waiting.slice(0, requestsPerPage);
  const isDecided = known !== null && known.status !== "pending";
  const undo = EventId.safeParse(firstParam(query.undo)).data;
  return (
    <div className="flex flex-col gap-10">
      <Heading />
      <div className="flex flex-col gap-3">
        {query.request !== undefined && known === null && (
          <Notice tone="danger">
            The request you came for is not here: it is no request to this profile.
          </Notice>
        )}
        {isDecided && <Decided request={known} undo={undo} now={ctx.now} />}
        <Requests
          ctx={ctx}
          did={did}
          pending={pending}
          open={isDecided ? undefined : (known ?? pending[0])}
          requestId={requestId}
        />
        {pending.length === 0 && !isDecided && <Nothing />}
        <MoreRequests
          query={input}
          last={waiting.length > requestsPerPage ? pending.at(-1) : undefined}
        />
      </div>
      <Receipts
        receipts={receipts}
        state={state}
        older={hasMore ? olderThan(receipts.at(-1), input) : null}
        now={ctx.now}
      />
    </div>
  );
}

function Heading() {
  return (
    <header>
      <h1 className="text-2xl font-semibold tracking-tight">Access requests</h1>
      <p className="mt-1 text-muted">
        Agents that want to know more than{" "}
        <Link
          href="/dashboard/access/policies"
          className="text-accent underline underline-offset-4"
        >
          your policies
        </Link>{" "}
        show. Grant all, a part or nothing. What you gave stands with each of{" "}
        <Link
          href="/dashboard/agents?standing=connected"
          className="text-accent underline underline-offset-4"
        >
          your agents
        </Link>
        .
      </p>
    </header>
  );
}

interface RequestsProps {
  ctx: Ctx;
  did: string;
  pending: PendingConsent[];
  /** The one that somebody came for, on whichever page it is; else the oldest. */
  open: PendingConsent | undefined;
  requestId: string | undefined;
}

function Requests({ ctx, did, pending, open, requestId }: RequestsProps) {
  const isHere = open === undefined || pending.some(({ id }) => id === open.id);
  return (isHere ? pending : [open, ...pending]).map((request) =>
    request.id === open?.id ? (
      <RequestCard
        key={request.id}
        ctx={ctx}
        did={did}
        request={request}
        arrived={request.id === requestId}
      />
    ) : (
      <RequestRow key={request.id} request={request} now={ctx.now} />
    ),
  );
}

function olderThan(last: ReceiptLine | undefined, input: Input): string | null {
  return last === undefined
    ? null
    : accessHref({ ...input, before: { at: last.grantedAt, id: last.id } });
}

function receiptPlace({ before }: Input) {
  return before === undefined ? undefined : { grantedAt: before.at, id: before.id };
}

function MoreRequests({ query, last }: { query: Input; last: PendingConsent | undefined }) {
  const link =
    "inline-flex min-h-10 items-center font-medium text-accent underline underline-offset-4";
  if (query.from === undefined && last === undefined) return null;
  return (
    <nav aria-label="Pages of requests" className="flex gap-6">
      {query.from !== undefined && (
        <Link href={accessHref({ ...query, from: undefined })} className={link}>
          Oldest requests
        </Link>
      )}
      {last !== undefined && (
        <Link
          href={accessHref({ ...query, from: { at: last.requestedAt, id: last.id } })}
          className={link}
        >
          Later requests
        </Link>
      )}
    </nav>
  );
}

function Nothing() {
  return (
    <Empty title="No agent is waiting for an answer">
      When an agent asks for something that no policy of yours shows, the request waits here: what
      it wants, what for, and exactly what it would see. Until you answer, it sees nothing of it.
    </Empty>
  );
}
