import type { Metadata } from "next";
import type { Query } from "@/lib/http/session/address/search-params";
import { profileContext } from "@/lib/http/session/page";
import { audienceOf } from "@/lib/services/access/sight/audience";
import { browseMemories } from "@/lib/services/memories/browse";
import { listMemoryFilters } from "@/lib/services/memories/browse-filters";
import { ButtonLink, inReach } from "../../_components/button";
import { categoryOptions } from "../../_components/forms/fields/category-options";
import { Icon } from "../../_components/icon";
import { pageBytesMax } from "../../_components/lists/page-size";
import { Pages } from "../../_components/lists/pages";
import { PageHeader } from "../../_components/shell/page-header";
import { KeepPlace } from "../keep-place";
import { AddPanel } from "./edit/panel";
import { EmptyState } from "./empty-state";
import { Filters } from "./list/filters";
import { MemoryList } from "./list/memory-list";
import { Row } from "./list/row";
import { Summary } from "./list/summary";
import { memoriesPage } from "./search";

export const metadata: Metadata = { title: "Memories" };

const perPage = 20;

export default async function MemoriesPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const view = memoriesPage.read(await searchParams);
  const { did } = profile;
  const browsing = { did, ...view, search: view.q, limit: perPage, bytesMax: pageBytesMax };
  const [found, filters] = await Promise.all([
    browseMemories(ctx, browsing),
    listMemoryFilters(ctx, did),
  ]);
  const { memories, next } = found;
  const categories = memories.map(({ category }) => category);
  const audiences = await audienceOf(ctx, { did, categories });
  const choices = categoryOptions(filters.categories);
  const href = memoriesPage.href;
  return (
    // On a phone the last lines can be scrolled out from under the button that floats.
    <div className="flex flex-col gap-4 max-rail:pb-14">
      <KeepPlace />
      <Header add={href({ ...view, add: "1" })} />
      {view.add !== undefined && (
        <AddPanel categories={choices} closed={href({ ...view, add: undefined })} />
      )}
      {filters.categories.length > 0 && <Filters view={view} filters={filters} />}
      {found.isNear && <p>Nothing has exactly this. These are spelled alike:</p>}
      <MemoryList
        state={view.state}
        categories={choices}
        rows={memories.map((memory) => ({
          id: memory.id,
          row: (
            <Row
              did={did}
              memory={memory}
              audience={audiences.get(memory.category)}
              now={ctx.now}
            />
          ),
        }))}
      />
      {memories.length === 0 && <EmptyState view={view} did={did} filters={filters} />}
      {filters.categories.length > 0 && <Summary view={view} found={found} filters={filters} />}
      <Pages
        newest={view.after === undefined ? null : href({ ...view, after: undefined })}
        older={next === null ? null : href({ ...view, after: next, add: undefined })}
        words={{ first: "First page", next: "Next page" }}
      />
    </div>
  );
}

function Header({ add }: { add: string }) {
  return (
    <div className="flex items-start justify-between gap-4 max-rail:contents">
      <PageHeader isPlace title="Memories">
        What is remembered about you: what you approved, wrote down or imported.
      </PageHeader>
      <div className="flex flex-none gap-2">
        <ButtonLink href="/dashboard/memories/import" look="secondary">
          Import
        </ButtonLink>
        <ButtonLink id="add-memory" href={add} scroll={false} className={inReach}>
          <Icon icon="plus" className="size-4" />
          Add a memory
        </ButtonLink>
      </div>
    </div>
  );
}
