import type { Metadata } from "next";
import { PageHeader } from "@/app/_components/shell/page-header";
import { adminContext, didInPath, orNoPage } from "@/lib/http/session/admin";
import { covers } from "@/lib/protocol/scope";
import { type AgentDetail, findAgent } from "@/lib/services/admin/agents/list-agents";
import { Card } from "../../../_components/card";
import { AgentName } from "../../../_components/shown/agent-name";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";
import { counted } from "../../../_components/words/list";
import { Keys } from "../keys/keys";
import { stateWords } from "../state-words";
import { Ceiling, Delete, Limits, Standing } from "./change";

export const metadata: Metadata = { title: "Agent" };

export default async function AgentPage({ params }: { params: Promise<{ did: string }> }) {
  const { ctx } = await adminContext();
  const detail = await orNoPage(findAgent(ctx, didInPath((await params).did)));
  const { agent } = detail;
  const { did, state, verified, ceiling, limits } = agent;
  return (
    <div className="flex flex-col gap-6">
      <PageHeader
        above={{ href: "/admin/agents", name: "Agents" }}
        title={<AgentName agent={agent} />}
      >
        <span className="block font-mono text-xs break-all">{did}</span>
        {stateWords[state]}
        {agent.stateReason !== null && (
          <>
            {": "}
            <InertText text={agent.stateReason} />
          </>
        )}
      </PageHeader>
      <Card title="What it says of itself">
        <Said detail={detail} now={ctx.now} />
      </Card>
      <Card title="What it did">
        <Counts detail={detail} now={ctx.now} />
      </Card>
      <Card title="Standing">
        <Standing did={did} state={state} verified={verified} />
      </Card>
      <Card title="Ceiling">
        <p className="text-muted">{effectOf(detail)}</p>
        <Ceiling did={did} ceiling={ceiling.join("\n")} />
      </Card>
      <Card title="Limits of its own">
        <Limits did={did} limits={limits} />
      </Card>
      <Card title="Keys">
        <Keys did={did} keys={detail.keys} now={ctx.now} />
      </Card>
      <Card title="Delete">
        <Delete did={did} />
      </Card>
    </div>
  );
}

function Said({ detail: { agent }, now }: { detail: AgentDetail; now: Date }) {
  const { description, operator, origin, createdAt } = agent;
  const by = { itself: "by itself", user: "by a user", admin: "by an admin" }[origin];
  return (
    <div className="flex flex-col gap-2">
      <p>
        {description === null || description === "" ? (
          "Nothing."
        ) : (
          <InertText text={description} lines />
        )}
      </p>
      <p className="text-muted">
        {operator !== null && (
          <>
            Run by <InertText text={operator} />
            {", as it says. "}
          </>
        )}
        Registered {by} <When at={createdAt} now={now} />.
      </p>
    </div>
  );
}

function Counts({ detail, now }: { detail: AgentDetail; now: Date }) {
  const { agent, users, proposals, days } = detail;
  const requests = days.reduce((sum, day) => sum + day.requests, 0);
  const denied = days.reduce((sum, day) => sum + day.denied, 0);
  const decided = proposals.approved + proposals.rejected;
  return (
    <ul className="flex flex-col gap-1">
      <li>{counted(users, "profile")} with a grant that names it</li>
      <li>
        {counted(requests, "request")} in the last 30 days, {denied.toLocaleString("en")} refused
      </li>
      <li>
        {counted(decided + proposals.pending, "proposal")}:{" "}
        {proposals.approved.toLocaleString("en")} of {decided.toLocaleString("en")} decided ones
        accepted, {proposals.pending.toLocaleString("en")} waiting
      </li>
      <li>
        {agent.lastSeenAt === null ? (
          "Never seen"
        ) : (
          <>
            Last seen <When at={agent.lastSeenAt} now={now} />
          </>
        )}
      </li>
    </ul>
  );
}

// Says how much the ceiling takes away from what users granted.
function effectOf({ agent: { ceiling }, grants }: AgentDetail): string {
  const cut = grants.filter(({ allow }) =>
    allow.some((scope) => !ceiling.some((most) => covers(most, scope))),
  ).length;
  if (grants.length === 0) return "No user has given it anything by name yet.";
  return cut === 0
    ? `It cuts none of the ${counted(grants.length, "grant")} that name it.`
    : `It cuts ${cut.toLocaleString("en")} of the ${counted(grants.length, "grant")} that name it.`;
}
