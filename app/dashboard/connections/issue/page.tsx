import type { Metadata } from "next";
import Link from "next/link";
import { gatewayUrl } from "@/app/docs/_parts/gateway-url";
import { profileContext } from "@/lib/http/session/page";
import { Did } from "@/lib/protocol/did";
import { seeToken } from "@/lib/services/tokens/see-token";
import {
  type ChosenAgent,
  findTokenAgent,
  listOwnCategories,
  listTokenAgents,
} from "@/lib/services/tokens/token-choices";
import { Notice } from "../../../_components/notice";
import { PageHeader } from "../../../_components/shell/page-header";
import { AgentName, agentLabel } from "../../../_components/shown/agent-name";
import { categoryTitle, isSensitive } from "../../../_components/words/category";
import { visibleText } from "../../../_components/words/inert";
import { lensView } from "../../lens/lens-view";
import { firstParam } from "../../query";
import { scopePrefix } from "../schemas";
import { ChooseAgent } from "./choose-agent";
import { IssueForm } from "./issue-form";

export const metadata: Metadata = { title: "Issue a token" };

type Query = Record<"agent" | "q", string | string[] | undefined>;

const agentsMax = 12;
const textMax = 100;
const switchesMax = 50;

export default async function IssuePage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const query = await searchParams;
  const { did } = profile;
  const named = Did.safeParse(firstParam(query.agent));
  const agent = named.success ? await findTokenAgent(ctx, { did, agentDid: named.data }) : null;
  if (agent !== null) return <ForAgent agent={agent} did={did} />;
  const text = firstParam(query.q)?.trim().slice(0, textMax) ?? "";
  const { agents, hasMore } = await listTokenAgents(ctx, { did, text, limit: agentsMax });
  return (
    <div className="flex flex-col gap-6">
      <Heading>Choose whom it is for. A token speaks for one agent and nobody else.</Heading>
      {query.agent !== undefined && (
        <Notice tone="danger">That is not an active agent of this gateway. Choose another.</Notice>
      )}
      <ChooseAgent agents={agents} text={text} hasMore={hasMore} />
    </div>
  );
}

async function ForAgent({ agent, did }: { agent: ChosenAgent; did: string }) {
  const { ctx } = await profileContext();
  const [categories, lens, gateway] = await Promise.all([
    listOwnCategories(ctx, did),
    seeToken(ctx, { did, agentDid: agent.did, scopes: [], permissions: ["read"] }),
    gatewayUrl(),
  ]);
  return (
    <div className="flex flex-col gap-6">
      <Heading>
        For <AgentName agent={agent} className="font-medium text-ink" />.{" "}
        <Link
          href="/dashboard/connections/issue"
          className="font-medium text-accent underline underline-offset-4"
        >
          Choose another
        </Link>
      </Heading>
      <IssueForm
        key={agent.did}
        agentDid={agent.did}
        agentName={visibleText(agentLabel(agent))}
        gateway={gateway}
        lens={lensView(lens, [])}
        categoryCount={categories.length}
        switches={categories.slice(0, switchesMax).map((scope) => ({
          name: `${scopePrefix}${scope}`,
          scope,
          title: categoryTitle(scope),
          sensitive: isSensitive(scope),
        }))}
      />
    </div>
  );
}

function Heading({ children }: { children: React.ReactNode }) {
  return (
    <PageHeader
      above={{ href: "/dashboard/connections", name: "Connections" }}
      title="Issue a token"
    >
      {children}
    </PageHeader>
  );
}
