import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/app/_components/shell/page-header";
import { adminContext } from "@/lib/http/session/admin";
import { parseCursor } from "@/lib/http/session/cursor";
import { type AgentLine, listAgents } from "@/lib/services/admin/agents/list-agents";
import { ButtonLink } from "../../_components/button";
import { Empty } from "../../_components/empty";
import { Pages } from "../../_components/lists/pages";
import { Segments } from "../../_components/lists/segments";
import { AgentName } from "../../_components/shown/agent-name";
import { InertText } from "../../_components/shown/inert-text";
import { When } from "../../_components/shown/when";
import { firstParam, placeText, withQuery } from "../query";
import { Search } from "../search";
import { stateWords } from "./state-words";

export const metadata: Metadata = { title: "Agents" };

const perPage = 40;
const path = "/admin/agents";
const states = ["pending", "active", "suspended"] as const;

type Query = Record<"search" | "state" | "before", string | string[] | undefined>;

export default async function AgentsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx } = await adminContext();
  const query = await searchParams;
  const search = firstParam(query.search);
  const state = states.find((one) => one === firstParam(query.state));
  const before = parseCursor(firstParam(query.before));
  const isStart = search === undefined && state === undefined && before === undefined;
  const [waiting, { agents, next }] = await Promise.all([
    isStart ? listAgents(ctx, { state: "pending", limit: perPage }) : null,
    listAgents(ctx, {
      search,
      state,
      after: before && { createdAt: before.at, did: before.id },
      limit: perPage,
    }),
  ]);
  return (
    <div className="flex flex-col gap-8">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <PageHeader title="Agents">
          Who may call this gateway at all. What each of them sees is for the owners to say.
        </PageHeader>
        <ButtonLink href="/admin/agents/register" look="secondary">
          Register an agent
        </ButtonLink>
      </div>
      {waiting !== null && waiting.agents.length > 0 && (
        <section aria-labelledby="waiting" className="flex flex-col gap-3">
          <h2 id="waiting" className="text-base font-semibold">
            Waiting for you
          </h2>
          <List agents={waiting.agents} now={ctx.now} />
        </section>
      )}
      <section aria-labelledby="all" className="flex flex-col gap-3">
        <h2 id="all" className="text-base font-semibold">
          {state === undefined ? "All agents" : stateWords[state]}
        </h2>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Search action={path} label="Name or DID" search={search ?? ""} />
          <Segments
            label="Which agents"
            choices={[undefined, ...states].map((one) => ({
              href: withQuery(path, { search, state: one }),
              text: one === undefined ? "All" : stateWords[one],
              isCurrent: one === state,
            }))}
          />
        </div>
        {agents.length === 0 ? (
          <Empty title="No agent here">
            Agents register themselves, or users and admins do it for them.
          </Empty>
        ) : (
          <List agents={agents} now={ctx.now} />
        )}
        <Pages
          newest={before === undefined ? null : withQuery(path, { search, state })}
          older={
            next === null
              ? null
              : withQuery(path, { search, state, before: placeText(next.createdAt, next.did) })
          }
        />
      </section>
    </div>
  );
}

function List({ agents, now }: { agents: AgentLine[]; now: Date }) {
  return (
    <ul className="flex flex-col divide-y divide-line rounded-box border border-line bg-surface shadow-raised">
      {agents.map((agent) => (
        <li key={agent.did} className="relative px-4 py-3 hover:bg-sunken sm:px-6">
          <h3 className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
            <Link
              href={`${path}/${encodeURIComponent(agent.did)}`}
              prefetch={false}
              className="min-w-0 after:absolute after:inset-0"
            >
              <AgentName agent={agent} />
            </Link>
            <span className={agent.state === "active" ? "text-muted" : "font-medium text-danger"}>
              {stateWords[agent.state]}
            </span>
          </h3>
          <p className="font-mono text-xs break-all text-muted">{agent.did}</p>
          <p className="text-muted">
            {agent.operator !== null && (
              <>
                <InertText text={agent.operator} /> ·{" "}
              </>
            )}
            registered <When at={agent.createdAt} now={now} /> ·{" "}
            {agent.lastSeenAt === null ? (
              "never seen"
            ) : (
              <>
                seen <When at={agent.lastSeenAt} now={now} />
              </>
            )}
          </p>
        </li>
      ))}
    </ul>
  );
}
