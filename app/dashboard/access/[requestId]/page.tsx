import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import type { Query } from "@/lib/http/session/address/search-params";
import { profileContext } from "@/lib/http/session/page";
import type { SeenItem } from "@/lib/rules/effect/seen";
import { findConsent } from "@/lib/services/access/consents";
import { lookThrough } from "@/lib/services/access/sight/preview";
import { pageBytesMax } from "../../../_components/lists/page-size";
import { Pages } from "../../../_components/lists/pages";
import { PageHeader } from "../../../_components/shell/page-header";
import { AgentName } from "../../../_components/shown/agent-name";
import { InertText } from "../../../_components/shown/inert-text";
import { LongText } from "../../../_components/shown/long-text";
import { When } from "../../../_components/shown/when";
import { categoryTitle } from "../../../_components/words/category";
import { valueText } from "../../lens/lens-view";
import { lookAddress, RequestId, requestHref } from "../schemas";

export const metadata: Metadata = { title: "What an agent would see" };

const size = { limit: 50, bytesMax: pageBytesMax };

interface Props {
  params: Promise<{ requestId: string }>;
  searchParams: Promise<Query>;
}

/** All that a scope of a request would open, page by page. */
export default async function LookPage({ params, searchParams: query }: Props) {
  const { ctx, profile } = await profileContext();
  const { did } = profile;
  const requestId = RequestId.safeParse((await params).requestId).data;
  const request = requestId === undefined ? null : await findConsent(ctx, { did, requestId });
  if (request === null) notFound();
  // What a decided request would open is not what it opened.
  if (request.status !== "pending") redirect(requestHref(request.id));
  const address = lookAddress(request.id);
  const { from, scope: named } = address.read(await query);
  const scope = request.scopes.find((one) => one === named) ?? request.scopes[0];
  if (scope === undefined) notFound();
  const { items, total, opens } = await lookThrough(ctx, {
    did,
    request,
    scope,
    offset: from,
    size,
  });
  const next = from + items.length;
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        above={{ href: requestHref(request.id), name: "The request" }}
        title={categoryTitle(scope)}
      >
        What <AgentName agent={request.agent} className="font-medium text-ink" /> would see if you
        open it: {total.toLocaleString("en")} in all{opens && ", and what is added later"}.
      </PageHeader>
      {items.length > 0 && (
        <ol start={from + 1} className="divide-y divide-theirs-line theirs">
          {items.map((item) => (
            <Item key={item.id} item={item} scope={scope} now={ctx.now} />
          ))}
        </ol>
      )}
      <Pages
        words={{ first: "First", next: "Next" }}
        newest={from === 0 ? null : address.href({ scope })}
        older={next < total && items.length > 0 ? address.href({ scope, from: next }) : null}
      />
    </div>
  );
}

interface ItemProps {
  item: SeenItem;
  scope: string;
  now: Date;
}

function Item({ item: { category, name, value, createdAt }, scope, now }: ItemProps) {
  const isElsewhere = category !== scope;
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-4 py-2.5">
      <div className="min-w-0 flex-1 basis-80">
        {name !== null && (
          <p className="text-small text-theirs-muted">
            <InertText text={name} />
          </p>
        )}
        <LongText text={valueText(value, Number.POSITIVE_INFINITY)} />
      </div>
      <p className="flex gap-3 text-small text-theirs-muted">
        {isElsewhere && <span className="wrap-anywhere">{categoryTitle(category)}</span>}
        {createdAt !== undefined && <When at={new Date(createdAt)} now={now} />}
      </p>
    </li>
  );
}
