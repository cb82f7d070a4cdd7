import type { Metadata } from "next";
import Link from "next/link";
import {
  searchParams as params,
  type Query,
  words,
} from "@/lib/http/session/address/search-params";
import { profileContext } from "@/lib/http/session/page";
import { searchMax } from "@/lib/services/memories/browse";
import { RowWords } from "../../_components/command/rows";
import { FilterBar } from "../../_components/lists/filter-bar";
import { PageHeader } from "../../_components/shell/page-header";
import { Empty } from "../../_components/states/empty";
import { findGroups } from "./found";

export const metadata: Metadata = { title: "Search" };

const searchPage = params("/dashboard/search", { q: words(searchMax) });

/** The search as a page of its own, which needs no scripts. */
export default async function SearchPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, who, profile } = await profileContext();
  const { q = "" } = searchPage.read(await searchParams);
  const groups = await findGroups({ ctx, who, profile }, { words: q, only: "all" });
  return (
    <div className="flex flex-col gap-5">
      <PageHeader title="Search">Pages, what waits for you, agents, memories and rules.</PageHeader>
      <FilterBar
        action={searchPage.path}
        filters={[
          { kind: "search", name: "q", label: "Search or go to", value: q, max: searchMax },
        ]}
        clear={q === "" ? undefined : searchPage.path}
      />
      {groups.length === 0 && (
        <Empty title="Nothing was found">Try other words, or fewer of them.</Empty>
      )}
      {groups.map(({ name, rows }) => (
        <section key={name} aria-label={name}>
          <h2 className="mb-1.5 font-semibold">{name}</h2>
          <ul className="divide-y divide-line box">
            {rows.map((row) => (
              <li key={row.href}>
                <Link
                  href={row.href}
                  prefetch={false}
                  className="flex min-h-11 items-center gap-3 px-3 hover:bg-sunken"
                >
                  <RowWords row={row} words={q} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
