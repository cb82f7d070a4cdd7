import type { Metadata } from "next";
import { profileContext } from "@/lib/http/session/page";
import { type Audience, audienceOf } from "@/lib/services/access/audience";
import { browseMemories, countMax, type MemoriesFound } from "@/lib/services/memories/browse";
import { listMemoryFilters } from "@/lib/services/memories/browse-filters";
import type { ShownMemory } from "@/lib/services/memories/shown";
import { ButtonLink } from "../../_components/button";
import type { Choice } from "../../_components/forms/select-field";
import { pageBytesMax } from "../../_components/lists/page-size";
import { Pages } from "../../_components/lists/pages";
import { counted } from "../../_components/words/list";
import { categoryChoices, howsOf, labelOf } from "./cards";
import { AddPanel, EditPanel } from "./edit/panel";
import { EmptyState } from "./empty-state";
import { hrefOf, isNarrowed, type MemoryFilter, parseMemoryFilter, type Query } from "./filter";
import { Filters, States } from "./filters";
import { MemoryBody } from "./memory-body";
import { type Card, MemoryList } from "./memory-list";

export const metadata: Metadata = { title: "Memories" };

const perPage = 20;

export default async function MemoriesPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const looked = parseMemoryFilter(await searchParams);
  const { did } = profile;
  const [found, filters] = await Promise.all([
    browseMemories(ctx, { did, ...looked, limit: perPage, bytesMax: pageBytesMax }),
    listMemoryFilters(ctx, did),
  ]);
  const shown = found.memories.map(({ category }) => category);
  const audiences = await audienceOf(ctx, { did, categories: shown });
  const edited = found.memories.filter(({ id }) => id === looked.edit);
  const choices = categoryChoices(
    filters,
    edited.map(({ category }) => category),
  );
  const closed = hrefOf({ ...looked, edit: undefined });
  const hasAny = filters.categories.length > 0;
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <h1 className="text-2xl font-semibold tracking-tight">Memories</h1>
          <p className="mt-1 text-muted">
            What your profile remembers about you: what you approved, wrote down or imported.
          </p>
        </div>
        <ButtonLink id="add-memory" href={hrefOf({ ...looked, edit: "new" })} scroll={false}>
          Add a memory
        </ButtonLink>
      </header>
      {looked.edit === "new" && <AddPanel categories={choices} closed={closed} />}
      {hasAny && (
        <div className="flex flex-col gap-3">
          <Filters looked={looked} filters={filters} />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <States looked={looked} />
            <p id="memories-count" role="status" tabIndex={-1} className="text-xs text-muted">
              {countWords(found, looked)}
            </p>
          </div>
        </div>
      )}
      {found.memories.length === 0 && <EmptyState looked={looked} did={did} />}
      <MemoryList
        cards={found.memories.map((memory) =>
          cardOf(memory, { audiences, choices, looked, now: ctx.now }),
        )}
      />
      <Pages
        newest={looked.after === undefined ? null : hrefOf({ ...looked, after: undefined })}
        older={
          found.next === null ? null : hrefOf({ ...looked, after: found.next, edit: undefined })
        }
        words={{ first: "First page", next: "Next page" }}
      />
    </div>
  );
}

function countWords({ count, isNear }: MemoriesFound, looked: MemoryFilter): string {
  if (isNear) return "Nothing has exactly this. These are spelled alike:";
  const words =
    count >= countMax
      ? `${countMax.toLocaleString("en")} memories or more`
      : counted(count, "memory", "memories");
  return isNarrowed(looked) ? `${words} found` : words;
}

interface Around {
  audiences: Map<string, Audience>;
  choices: Choice[];
  looked: MemoryFilter;
  now: Date;
}

function cardOf(memory: ShownMemory, { audiences, choices, looked, now }: Around): Card {
  const { id, category, updatedAt } = memory;
  const isEditable = looked.state !== "deleted";
  const isOpen = isEditable && looked.edit === id;
  const closed = hrefOf({ ...looked, edit: undefined });
  return {
    id,
    updatedAt: updatedAt.toISOString(),
    hows: howsOf[looked.state],
    label: labelOf(memory),
    editHref: isEditable ? hrefOf({ ...looked, edit: id }) : null,
    body: <MemoryBody memory={memory} audience={audiences.get(category)} now={now} />,
    panel: isOpen ? <EditPanel memory={memory} categories={choices} closed={closed} /> : null,
  };
}
