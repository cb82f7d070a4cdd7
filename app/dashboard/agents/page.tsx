import type { Metadata } from "next";
import Link from "next/link";
import { engine } from "@/lib/engine/engine";
import { parseCursor } from "@/lib/http/session/cursor";
import { profileContext } from "@/lib/http/session/page";
import {
  connectionStates,
  type KnownAgent,
  type KnownPlace,
  listKnownAgents,
} from "@/lib/services/agents/known/list-known";
import { ButtonLink } from "../../_components/button";
import { Empty } from "../../_components/empty";
import { Pages } from "../../_components/lists/pages";
import { gatewayUrl } from "../../docs/_parts/gateway-url";
import { firstParam } from "../query";
import { AgentRow } from "./agent-row";
import { agentsHref, Filters, type Narrowed } from "./filters";
import { FirstAgent } from "./first-agent";

export const metadata: Metadata = { title: "Agents" };

const perPage = 20;

type Query = Record<"standing" | "search" | "before", string | string[] | undefined>;

export default async function AgentsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const query = await searchParams;
  const narrowed: Narrowed = {
    standing: connectionStates.find((one) => one === firstParam(query.standing)),
    search: firstParam(query.search)?.trim().slice(0, 144) || undefined,
  };
  const place = parseCursor(firstParam(query.before));
  const after = place && { at: place.at, did: place.id };
  const input = { did: profile.did, ...narrowed, after, limit: perPage };
  const { agents, next } = await listKnownAgents(ctx, input);
  const isNarrowed = narrowed.standing !== undefined || narrowed.search !== undefined;
  const isFirst = agents.length === 0 && !isNarrowed && after === undefined;
  return (
    <div className="flex flex-col gap-6">
      <Heading />
      {!isFirst && <Filters narrowed={narrowed} />}
      {isFirst && (
        <Empty title="Connect your first agent">
          No agent has come for this profile yet. In three steps one does:
          <FirstAgent
            did={profile.did}
            gateway={await gatewayUrl()}
            namespace={engine().settings.values().PROF_NAMESPACE}
          />
        </Empty>
      )}
      {agents.length === 0 && !isFirst && <Nothing />}
      {agents.length > 0 && <List agents={agents} now={ctx.now} />}
      <Pages
        newest={after === undefined ? null : agentsHref(narrowed)}
        older={next === null ? null : agentsHref(narrowed, textOf(next))}
      />
    </div>
  );
}

function Heading() {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        <h1 className="text-2xl font-semibold tracking-tight">Agents</h1>
        <p className="mt-1 text-muted">
          Who has been here, who holds access of its own, and what each may do now.
        </p>
      </div>
      <ButtonLink href="/dashboard/agents/register" look="secondary">
        Register an agent
      </ButtonLink>
    </header>
  );
}

function List({ agents, now }: { agents: KnownAgent[]; now: Date }) {
  return (
    <ul className="flex flex-col divide-y divide-line overflow-clip rounded-box border border-line bg-surface shadow-raised">
      {agents.map((known) => (
        <li key={known.agent.did}>
          <AgentRow known={known} now={now} />
        </li>
      ))}
    </ul>
  );
}

function Nothing() {
  return (
    <Empty title="No agent here matches">
      <Link href="/dashboard/agents" className="text-accent underline underline-offset-4">
        Show all
      </Link>{" "}
      instead.
    </Empty>
  );
}

function textOf({ at, did }: KnownPlace): string {
  return `${at.toISOString()}~${did}`;
}
