import type { ReactNode } from "react";
import type { SeenItem } from "@/lib/rules/effect/seen";
import { type LookQuery, lookThrough } from "@/lib/services/access/sight/preview";
import type { Ctx } from "@/lib/services/context";
import { pageBytesMax } from "../../_components/lists/page-size";
import { Pages } from "../../_components/lists/pages";
import { PageHeader } from "../../_components/shell/page-header";
import { InertText } from "../../_components/shown/inert-text";
import { LongText } from "../../_components/shown/long-text";
import { When } from "../../_components/shown/when";
import { categoryTitle } from "../../_components/words/category";
import type { lookAddress } from "../access/schemas";
import { valueText } from "./lens-view";

const size = { limit: 50, bytesMax: pageBytesMax };

interface LookProps {
  ctx: Ctx;
  query: Omit<LookQuery, "size">;
  address: ReturnType<typeof lookAddress>;
  above: { href: string; name: string };
  /** What the number is of. */
  words: (total: string, opens: boolean) => ReactNode;
}

/** One page of all that an agent sees of a scope, or would see, in the words that it gets. */
export async function Look({ ctx, query, address, above, words }: LookProps) {
  const { scope, offset } = query;
  const { items, total, opens } = await lookThrough(ctx, { ...query, size });
  const next = offset + items.length;
  return (
    <div className="flex flex-col gap-6">
      <PageHeader above={above} title={categoryTitle(scope)}>
        {words(total.toLocaleString("en"), opens)}
      </PageHeader>
      {items.length > 0 && (
        <ol start={offset + 1} className="divide-y divide-theirs-line theirs">
          {items.map((item) => (
            <Item key={item.id} item={item} scope={scope} now={ctx.now} />
          ))}
        </ol>
      )}
      <Pages
        words={{ first: "First", next: "Next" }}
        newest={offset === 0 ? null : address.href({ scope })}
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
