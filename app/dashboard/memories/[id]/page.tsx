import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { profileContext } from "@/lib/http/session/page";
import { audienceOf } from "@/lib/services/access/audience";
import { listMemoryFilters } from "@/lib/services/memories/browse-filters";
import { type MemoryRead, readMemory } from "@/lib/services/memories/read";
import { type ShownMemory, stateOf } from "@/lib/services/memories/shown";
import { ButtonLink } from "../../../_components/button";
import { Card } from "../../../_components/card";
import type { Choice } from "../../../_components/forms/select-field";
import { pageBytesMax } from "../../../_components/lists/page-size";
import { Pages } from "../../../_components/lists/pages";
import { PageHeader } from "../../../_components/shell/page-header";
import { AgentName } from "../../../_components/shown/agent-name";
import { InertText } from "../../../_components/shown/inert-text";
import { DiffView } from "../../proposals/review/diff-view";
import { firstParam } from "../../query";
import { categoryChoices, howsOf } from "../cards";
import { EditPanel } from "../edit/panel";
import { MemoryBody } from "../memory-body";
import { RevisionId } from "../schemas";
import { History } from "./history";
import { ShelveButtons } from "./shelve-buttons";

export const metadata: Metadata = { title: "Memory" };

const perPage = 20;

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ after?: string | string[]; edit?: string | string[] }>;
}

export default async function MemoryPage({ params, searchParams }: Props) {
  const { ctx, profile } = await profileContext();
  const { id: memoryId } = await params;
  const query = await searchParams;
  const after = RevisionId.safeParse(firstParam(query.after)).data;
  const { did } = profile;
  const [found, filters] = await Promise.all([
    readMemory(ctx, { did, memoryId, after, limit: perPage, bytesMax: pageBytesMax }),
    listMemoryFilters(ctx, did),
  ]);
  if (found === null) notFound();
  const { memory, history, next } = found;
  const { category } = memory;
  const audiences = await audienceOf(ctx, { did, categories: [category] });
  const here = `/dashboard/memories/${memory.id}`;
  return (
    <div className="flex flex-col gap-6">
      <PageHeader above={{ href: "/dashboard/memories", name: "Memories" }} title="Memory" />
      <section
        id={memory.id}
        tabIndex={-1}
        aria-label="What is remembered"
        className="rounded-box border border-line bg-surface p-5 shadow-raised sm:p-6"
      >
        <MemoryBody memory={memory} audience={audiences.get(category)} now={ctx.now} />
        <Forms
          memory={memory}
          choices={categoryChoices(filters, [category])}
          isEditing={firstParam(query.edit) !== undefined}
        />
      </section>
      <Proposed found={found} />
      <History memory={memory} entries={history} isNewest={after === undefined} now={ctx.now} />
      <Pages
        newest={after === undefined ? null : here}
        older={next === null ? null : `${here}?after=${next}`}
      />
    </div>
  );
}

interface FormsProps {
  memory: ShownMemory;
  choices: Choice[];
  isEditing: boolean;
}

function Forms({ memory, choices, isEditing }: FormsProps) {
  const state = stateOf(memory);
  const here = `/dashboard/memories/${memory.id}`;
  if (isEditing && state !== "deleted") {
    return <EditPanel memory={memory} categories={choices} closed={here} />;
  }
  return (
    <div className="mt-4 flex flex-wrap items-start gap-2 border-t border-line pt-4">
      {state !== "deleted" && (
        <ButtonLink look="secondary" href={`${here}?edit=1`} scroll={false} prefetch={false}>
          Edit
        </ButtonLink>
      )}
      <ShelveButtons
        memoryId={memory.id}
        seen={memory.updatedAt.toISOString()}
        hows={howsOf[state]}
      />
    </div>
  );
}

function Proposed({ found: { memory, origin, history, next } }: { found: MemoryRead }) {
  const { agent } = memory;
  if (origin === null || agent === null) return null;
  const { context, content: proposed } = origin;
  const approved = next === null ? (history.at(-1)?.before.content ?? memory.content) : proposed;
  return (
    <Card title="How it came here">
      <p>
        <AgentName agent={agent} /> proposed it and you approved it
        {approved === proposed ? "." : " with changes:"}
      </p>
      {approved !== proposed && (
        <div className="mt-3">
          <DiffView before={proposed} after={approved} />
        </div>
      )}
      {context !== null && context !== "" && (
        <div className="mt-3 text-muted">
          <span className="text-xs">Why, in its words</span>
          <blockquote className="overflow-clip border-l-2 border-edge/40 pl-3">
            <InertText text={context} lines />
          </blockquote>
        </div>
      )}
    </Card>
  );
}
