import type { Metadata } from "next";
import { findConsent, listPendingConsents } from "@/lib/services/access/consents";
import { listConnectedAgents } from "@/lib/services/access/list-connected";
import {
  listReceipts,
  type ReceiptLine,
  type ReceiptState,
} from "@/lib/services/access/list-receipts";
import { Empty } from "../../_components/empty";
import { Notice } from "../../_components/notice";
import { profileContext, single } from "../profile";
import { Connected } from "./connected";
import { Receipts } from "./receipts";
import { Decided } from "./request/decided";
import { RequestCard, RequestRow } from "./request/request-card";
import { RequestId } from "./schemas";

export const metadata: Metadata = { title: "Access requests" };

const receiptsPerPage = 20;
const states = ["active", "expired", "revoked"] as const;

interface AccessPageProps {
  searchParams: Promise<Record<"request" | "receipts" | "before", string | string[] | undefined>>;
}

export default async function AccessPage({ searchParams }: AccessPageProps) {
  const { ctx, profile } = await profileContext();
  const query = await searchParams;
  const { did } = profile;
  const asked = RequestId.safeParse(single(query.request)).data;
  const state = states.find((one) => one === single(query.receipts));
  const after = placeIn(single(query.before));
  const [pending, known, connected, { receipts, hasMore }] = await Promise.all([
    listPendingConsents(ctx, did),
    asked === undefined ? null : findConsent(ctx, { did, requestId: asked }),
    listConnectedAgents(ctx, did),
    listReceipts(ctx, { did, state, after, limit: receiptsPerPage }),
  ]);
  const decided = known !== null && known.status !== "pending" ? known : null;
  const open =
    pending.find(({ id }) => id === asked) ?? (decided === null ? pending[0] : undefined);
  return (
    <div className="flex flex-col gap-10">
      <header>
        <h1 className="text-2xl font-semibold tracking-tight">Access requests</h1>
        <p className="mt-1 text-muted">
          Agents that want to know more than your policies show. Grant all, a part or nothing.
        </p>
      </header>
      <div className="flex flex-col gap-3">
        {query.request !== undefined && known === null && (
          <Notice tone="danger">
            The request you came for is not here: it is no request to this profile.
          </Notice>
        )}
        {decided !== null && <Decided request={decided} now={ctx.now} />}
        {pending.map((request) =>
          request === open ? (
            <RequestCard
              key={request.id}
              ctx={ctx}
              did={did}
              request={request}
              arrived={request.id === asked}
            />
          ) : (
            <RequestRow key={request.id} request={request} now={ctx.now} />
          ),
        )}
        {pending.length === 0 && decided === null && <Nothing />}
      </div>
      <Connected agents={connected} now={ctx.now} />
      <Receipts
        receipts={receipts}
        state={state}
        older={hasMore ? olderThan(receipts.at(-1), state) : null}
        now={ctx.now}
      />
    </div>
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

function olderThan(last: ReceiptLine | undefined, state: ReceiptState | undefined): string | null {
  if (last === undefined) return null;
  const query = new URLSearchParams({ before: `${last.grantedAt.toISOString()}~${last.id}` });
  if (state !== undefined) query.set("receipts", state);
  return `/dashboard/access?${query}#receipts`;
}

function placeIn(text: string | undefined): { grantedAt: Date; id: string } | undefined {
  const [instant = "", id = ""] = text?.split("~") ?? [];
  const grantedAt = new Date(instant);
  return Number.isNaN(grantedAt.getTime()) ? undefined : { grantedAt, id };
}
