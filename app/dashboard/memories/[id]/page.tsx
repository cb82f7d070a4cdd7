import type { Metadata } from "next";
import { cache } from "react";
import { missing } from "@/lib/http/page-failure";
import { oneOf, type Query } from "@/lib/http/session/address/search-params";
import { profileContext } from "@/lib/http/session/page";
import { audienceOf } from "@/lib/services/access/sight/audience";
import { listMemoryFilters } from "@/lib/services/memories/browse-filters";
import { restorableDays } from "@/lib/services/memories/purge";
import { type MemoryRead, readMemory } from "@/lib/services/memories/read";
import { type ShownMemory, stateOf } from "@/lib/services/memories/shown";
import { ButtonLink } from "../../../_components/button";
import { Card } from "../../../_components/card";
import { categoryOptions } from "../../../_components/forms/fields/category-options";
import { Form, SubmitButton } from "../../../_components/forms/form";
import { pageBytesMax } from "../../../_components/lists/page-size";
import { Pages } from "../../../_components/lists/pages";
import { PageHeader, UpLink } from "../../../_components/shell/page-header";
import { AgentName } from "../../../_components/shown/agent-name";
import { InertText } from "../../../_components/shown/inert-text";
import { Empty } from "../../../_components/states/empty";
import { TextLink } from "../../../_components/text-link";
import { DiffView } from "../../proposals/review/diff/diff-view";
import { changeAction } from "../actions";
import { beginningOf } from "../beginning";
import { EditPanel } from "../edit/panel";
import { Approver, MemoryBody } from "../memory-body";
import { RevisionId } from "../schemas";
import { changeNames, changesOf } from "../words";
import { History } from "./history";

const perPage = 20;

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<Query>;
}

// Once for the page and its title.
const read = cache(async (memoryId: string, after: string | undefined) => {
  const { ctx, profile } = await profileContext();
  const { did } = profile;
  return readMemory(ctx, { did, memoryId, after, limit: perPage, bytesMax: pageBytesMax });
});

async function readShown({ params, searchParams }: Props) {
  const { id } = await params;
  const query = await searchParams;
  const after = RevisionId.safeParse(oneOf(query.after)).data;
  return { found: await read(id, after), after, edit: oneOf(query.edit) };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { found } = await readShown(props);
  return { title: found === null ? notFound : beginningOf(found.memory.content) };
}

export default async function MemoryPage(props: Props) {
  const { found, after, edit } = await readShown(props);
  if (found === null) return missing(<NotFound />);
  const { ctx, profile } = await profileContext();
  const { memory, history, next } = found;
  const { category } = memory;
  const audiences = await audienceOf(ctx, { did: profile.did, categories: [category] });
  const here = `/dashboard/memories/${memory.id}`;
  const isEditing = edit !== undefined && stateOf(memory) !== "deleted";
  return (
    <div className="flex flex-col gap-6">
      <UpLink href="/dashboard/memories">Memories</UpLink>
      <section
        id={memory.id}
        tabIndex={-1}
        aria-label="What is remembered"
        className="box p-5 sm:p-6"
      >
        <MemoryBody memory={memory} audience={audiences.get(category)} now={ctx.now} />
        {isEditing ? <Editing memory={memory} edit={edit} /> : <Acts memory={memory} />}
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

const notFound = "No such memory";

function NotFound() {
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={notFound} />
      <Empty title="It is not in this profile">
        It may belong to another profile of yours, or it was deleted more than {restorableDays} days
        ago. <TextLink href="/dashboard/memories">All memories</TextLink>
      </Empty>
    </div>
  );
}

async function Editing({ memory, edit }: { memory: ShownMemory; edit: string }) {
  const { ctx, profile } = await profileContext();
  const { categories } = await listMemoryFilters(ctx, profile.did);
  return (
    <EditPanel
      memory={memory}
      categories={categoryOptions(categories, [memory.category])}
      closed={`/dashboard/memories/${memory.id}`}
      focus={edit === "category" ? "category" : "content"}
    />
  );
}

function Acts({ memory }: { memory: ShownMemory }) {
  const { id, updatedAt } = memory;
  const state = stateOf(memory);
  return (
    <div className="mt-4 flex flex-wrap items-start gap-2 border-t border-line pt-4">
      {state !== "deleted" && (
        <ButtonLink
          look="secondary"
          href={`/dashboard/memories/${id}?edit=text`}
          scroll={false}
          prefetch={false}
        >
          Edit
        </ButtonLink>
      )}
      <Form action={changeAction} className="flex flex-wrap gap-2">
        {changesOf[state].map((how) => (
          <SubmitButton
            key={how}
            look={how === "delete" ? "danger" : "secondary"}
            name="how"
            value={`${how} ${id} ${updatedAt.toISOString()}`}
          >
            {changeNames[how].text}
          </SubmitButton>
        ))}
      </Form>
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
        <AgentName agent={agent} /> proposed it and <Approver memory={memory} /> approved it
        {approved === proposed ? "." : " with changes:"}
      </p>
      {approved !== proposed && (
        <div className="mt-3">
          <DiffView before={proposed} after={approved} title="Changed from the proposal" />
        </div>
      )}
      {context !== null && context !== "" && (
        <div className="theirs mt-3 px-4 py-3">
          <span className="text-small text-theirs-muted">Why, in its words</span>
          <blockquote className="overflow-clip">
            <InertText text={context} lines />
          </blockquote>
        </div>
      )}
    </Card>
  );
}
