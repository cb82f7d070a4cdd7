import type { Metadata } from "next";
import { z } from "zod";
import {
  param,
  place,
  type Query,
  searchParams,
  words,
} from "@/lib/http/session/address/search-params";
import { profileContext } from "@/lib/http/session/page";
import { reachOf } from "@/lib/services/access/sight/reach";
import {
  type ConnectionState,
  connectionStates,
  listProfileAgents,
} from "@/lib/services/agents/known/list-known";
import { ButtonLink, inReach } from "../../_components/button";
import { Icon } from "../../_components/icon";
import { FilterBar } from "../../_components/lists/filter-bar";
import { Pages } from "../../_components/lists/pages";
import { selectFilter } from "../../_components/lists/select-filter";
import { PageHeader } from "../../_components/shell/page-header";
import { readerZone } from "../../_components/shell/reader-zone";
import { Empty } from "../../_components/states/empty";
import { TextLink } from "../../_components/text-link";
import { knownCategories } from "../../_components/words/category";
import { dashboardContext } from "../context";
import { FirstSteps } from "../overview/first-steps";
import { AgentList } from "./agent-list";

export const metadata: Metadata = { title: "Agents" };

const perPage = 10;

const agentsParams = searchParams("/dashboard/agents", {
  search: words(144),
  standing: param(z.enum(connectionStates)),
  before: place,
});
type AgentsView = ReturnType<typeof agentsParams.read>;

export default async function AgentsPage(props: { searchParams: Promise<Query> }) {
  const { ctx, who, profile } = await profileContext();
  const { did } = profile;
  const view = agentsParams.read(await props.searchParams);
  const { standing, search, before } = view;
  const after = before && { at: before.at, did: before.id };
  const { agents, next } = await listProfileAgents(ctx, {
    ...{ did, standing, search, after, limit: perPage },
  });
  const isFiltered = standing !== undefined || search !== undefined;
  const isFirst = agents.length === 0 && !isFiltered && after === undefined;
  const reach = await reachOf(ctx, {
    ...{ did, agents: agents.map(({ agent }) => agent.did), categories: knownCategories },
  });
  const clock = { now: ctx.now, zone: await readerZone() };
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 max-rail:contents">
        <PageHeader isPlace title="Agents">
          Who has been here, what each can read now, and when it was last seen.
        </PageHeader>
        <Acts />
      </div>
      {!isFirst && <Filters view={view} isFiltered={isFiltered} />}
      {isFirst && (
        <Empty title="Connect your first agent">
          <FirstSteps
            did={did}
            memories={(await dashboardContext()).counts?.memories ?? 0}
            isAdmin={who.role === "admin"}
          />
        </Empty>
      )}
      {agents.length === 0 && !isFirst && <Nothing />}
      {agents.length > 0 && <AgentList agents={agents} reach={reach} clock={clock} />}
      <Pages
        newest={before === undefined ? null : agentsParams.href({ standing, search })}
        older={
          next === null
            ? null
            : agentsParams.href({ ...view, before: { at: next.at, id: next.did, tier: 0 } })
        }
      />
    </div>
  );
}

function Acts() {
  return (
    <div className="flex flex-wrap gap-2 max-rail:contents">
      <ButtonLink href="/dashboard/agents/register" look="secondary">
        Register an agent
      </ButtonLink>
      <ButtonLink href="/dashboard/connect" className={inReach}>
        <Icon icon="plus" className="size-4" />
        Connect an agent
      </ButtonLink>
    </div>
  );
}

const labels: Record<ConnectionState, string> = {
  connected: "With access of its own",
  seen: "Only seen here",
  disconnected: "Removed or shut out",
};

function Filters({ view, isFiltered }: { view: AgentsView; isFiltered: boolean }) {
  return (
    <FilterBar
      action={agentsParams.path}
      filters={[
        {
          ...{ kind: "search", name: "search", max: 144, value: view.search },
          label: "Name, who runs it, or identifier",
        },
        selectFilter("standing", "Which agents", view.standing, { "": "All agents", ...labels }),
      ]}
      clear={isFiltered ? agentsParams.path : undefined}
    />
  );
}

function Nothing() {
  return (
    <Empty title="No agent here matches">
      <TextLink href={agentsParams.path}>Show all</TextLink> instead.
    </Empty>
  );
}
