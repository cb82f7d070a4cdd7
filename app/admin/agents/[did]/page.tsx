import type { Metadata } from "next";
import { PageHeader } from "@/app/_components/shell/page-header";
import { missing } from "@/lib/http/page-failure";
import { adminFinds } from "@/lib/http/session/admin";
import { type AgentDetail, findAgent } from "@/lib/services/admin/agents/list-agents";
import { Card } from "../../../_components/card";
import { AgentName, agentWords } from "../../../_components/shown/agent-name";
import { Facts } from "../../../_components/shown/facts";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";
import { Deletion } from "../../_parts/admin-act";
import NotFound from "../../not-found";
import { agentAction } from "../actions";
import { stateWords } from "../address";
import { Ceiling, Keys, Limits, Standing } from "./acts";

type Props = { params: Promise<{ did: string }> };

const load = adminFinds(findAgent);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { found } = await load((await params).did);
  return { title: found === null ? "Not found" : agentWords(found.agent) };
}

export default async function AgentPage({ params }: Props) {
  const { ctx, found: detail } = await load((await params).did);
  if (detail === null) return missing(<NotFound />);
  const { agent } = detail;
  const { did, state, stateReason, description } = agent;
  const target = { action: agentAction, to: { did } };
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        above={{ href: "/admin/agents", name: "Agents" }}
        title={<AgentName agent={agent} tile="size-8" />}
      >
        <span className="block font-mono text-small break-all">{did}</span>
        {stateWords[state]}
        {stateReason !== null && ": "}
        <InertText text={stateReason ?? ""} />
      </PageHeader>
      <Card title="What it says and did">
        <div className="mb-4 theirs px-4 py-3">
          <InertText text={description || "It says nothing of itself."} lines />
        </div>
        <Facts facts={factsOf(detail, ctx.now)} />
      </Card>
      <Card title="Standing">
        <Standing target={target} detail={detail} />
      </Card>
      <Ceiling target={target} detail={detail} />
      <Limits target={target} detail={detail} />
      <Keys target={target} detail={detail} now={ctx.now} />
      <Deletion
        {...target}
        words="The agent and its keys are gone for good, and nobody can ever register this DID again. What it proposed, and what came of it, stays with the owners."
        sure="its DID"
      />
    </div>
  );
}

function factsOf({ agent, users, proposals, days }: AgentDetail, now: Date) {
  const { operator, origin, createdAt, lastSeenAt } = agent;
  const by = {
    itself: "by itself",
    user: "by a user",
    admin: "by an admin",
    client: "by a user who connected it",
  }[origin];
  const { pending, approved, rejected } = proposals;
  return [
    ["Run by, as it says", <InertText key="by" text={operator ?? "nobody"} />],
    [`Registered ${by}`, <When key="registered" at={createdAt} now={now} />],
    ["Last seen", lastSeenAt === null ? "never" : <When key="seen" at={lastSeenAt} now={now} />],
    ["Profiles with a grant that names it", users],
    ["Requests in the last 30 days", days.reduce((sum, { requests }) => sum + requests, 0)],
    ["Refused of these", days.reduce((sum, { denied }) => sum + denied, 0)],
    ["Proposals waiting", pending],
    ["Proposals decided", approved + rejected],
    ["Accepted of these", approved],
  ] as const;
}
