import type { ReactNode } from "react";
import { z } from "zod";
import { param, place, words } from "@/lib/http/session/address/search-params";
import { type Filter, FilterBar } from "../../_components/lists/filter-bar";
import { Pages } from "../../_components/lists/pages";
import { PageHeader } from "../../_components/shell/page-header";
import { Empty } from "../../_components/states/empty";
import { Notice } from "../../_components/states/notice";

export const perPage = 30;
const searchMax = 200;

/** What every list of an admin has in its address. */
export const listed = {
  search: words(searchMax),
  before: place,
  deleted: param(z.literal("1")),
};

type Listed = Partial<z.output<z.ZodObject<typeof listed>>>;

interface AdminListProps<Values extends Listed> {
  title: string;
  words: string;
  beside?: ReactNode;
  address: { path: string; href(values: Values): string };
  values: Values;
  search?: string;
  filters: readonly Filter[];
  /** The last row shown, where there are more. */
  next: { at: Date; id: string } | null;
  /** Said after something was deleted from the list. */
  gone?: string;
  none: string;
  children: readonly ReactNode[];
}

/** One of the long lists of an admin: filtered by its address, newest first. */
export function AdminList<Values extends Listed>({
  address: { path, href },
  values,
  next,
  ...list
}: AdminListProps<Values>) {
  const first = href({ ...values, before: undefined, deleted: undefined });
  const search = { kind: "search", name: "search", value: values.search, max: searchMax } as const;
  const filters =
    list.search === undefined ? list.filters : [{ ...search, label: list.search }, ...list.filters];
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <PageHeader title={list.title}>{list.words}</PageHeader>
        {list.beside}
      </div>
      {values.deleted !== undefined && <Notice tone="info">{list.gone}</Notice>}
      <FilterBar action={path} filters={filters} clear={first === path ? undefined : path} />
      {list.children.length === 0 ? (
        <Empty title="Nothing here">{list.none}</Empty>
      ) : (
        <ul className="flex flex-col divide-y divide-line box">{list.children}</ul>
      )}
      <Pages
        newest={values.before === undefined ? null : first}
        older={next && href({ ...values, deleted: undefined, before: { ...next, tier: 0 } })}
      />
    </div>
  );
}
