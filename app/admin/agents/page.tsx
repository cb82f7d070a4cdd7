import type { Metadata } from "next";
import type { Query } from "@/lib/http/session/address/search-params";
import { adminContext } from "@/lib/http/session/admin";
import { type AgentLine, listAgents } from "@/lib/services/admin/agents/list-agents";
import { ButtonLink } from "../../_components/button";
import { LinkedRow } from "../../_components/lists/linked-row";
import { selectFilter } from "../../_components/lists/select-filter";
import { AgentName, RunBy } from "../../_components/shown/agent-name";
import { Identicon } from "../../_components/shown/identicon";
import { LastSeen } from "../../_components/shown/seen";
import { AdminList, perPage } from "../_parts/admin-list";
import { agentHref, agentsAddress, stateWords } from "./address";

export const metadata: Metadata = { title: "Agents" };

export default async function AgentsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx } = await adminContext();
  const values = agentsAddress.read(await searchParams);
  const { search, state, before } = values;
  const { agents, next } = await listAgents(ctx, {
    search,
    state,
    after: before && { createdAt: before.at, did: before.id },
    limit: perPage,
  });
  return (
    <AdminList
      title="Agents"
      words="Who may call this gateway at all. What each of them sees is for the owners to say."
      beside={
        <ButtonLink href="/admin/agents/register" look="secondary">
          Register an agent
        </ButtonLink>
      }
      address={agentsAddress}
      values={values}
      search="Name or DID"
      filters={[selectFilter("state", "State", state, { "": "Any state", ...stateWords })]}
      next={next && { at: next.createdAt, id: next.did }}
      gone="The agent is gone, with its keys. What it proposed stays with the owners."
      none="Agents register themselves, or users and admins do it for them."
    >
      {agents.map((agent) => (
        <AgentRow key={agent.did} agent={agent} now={ctx.now} />
      ))}
    </AdminList>
  );
}

function AgentRow({ agent, now }: { agent: AgentLine; now: Date }) {
  const { did, state, createdAt, lastSeenAt } = agent;
  return (
    <LinkedRow
      href={agentHref(did)}
      picture={<Identicon did={did} className="size-9" />}
      title={<AgentName agent={agent} />}
      state={
        state !== "active" && (
          <span className="text-small font-medium text-danger">{stateWords[state]}</span>
        )
      }
    >
      <RunBy agent={agent} /> · <LastSeen since={createdAt} lastSeenAt={lastSeenAt} now={now} /> ·{" "}
      <span className="font-mono">{did}</span>
    </LinkedRow>
  );
}
