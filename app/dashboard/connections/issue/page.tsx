import type { Metadata } from "next";
import type { Query } from "@/lib/http/session/address/search-params";
import { gatewayUrl } from "@/lib/http/session/gateway-url";
import { profileContext } from "@/lib/http/session/page";
import { listKnownCategories } from "@/lib/services/policies/known-categories";
import { listTokenAgents } from "@/lib/services/tokens/token-choices";
import { agentChoices, categoryChoices } from "../../../_components/pickers/choices";
import type { Values } from "../../../_components/pickers/values";
import { PageHeader } from "../../../_components/shell/page-header";
import { issueAddress } from "../schemas";
import { IssueForm } from "./issue-form";

export const metadata: Metadata = { title: "Issue a token" };

const agentsMax = 100;

export default async function IssuePage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const { did } = profile;
  const { agent } = issueAddress.read(await searchParams);
  const [agents, categories, gateway] = await Promise.all([
    listTokenAgents(ctx, { did, limit: agentsMax }),
    listKnownCategories(ctx, did),
    gatewayUrl(),
  ]);
  return (
    <IssueForm
      key={agent}
      initial={initialValues(agent, agents)}
      agents={[["pattern", "An agent by its identifier"], ...agentChoices(agents)]}
      categories={categoryChoices(categories, ["prof:*"])}
      gateway={gateway}
    >
      <PageHeader
        above={{ href: "/dashboard/connections", name: "Connections" }}
        title="Issue a token"
      >
        A token speaks for one agent and nobody else.
      </PageHeader>
    </IssueForm>
  );
}

function initialValues(agent: string | undefined, agents: readonly { did: string }[]): Values {
  if (agent === undefined) return {};
  const isListed = agents.some(({ did }) => did === agent);
  return isListed ? { agent } : { agent: "pattern", pattern: agent };
}
