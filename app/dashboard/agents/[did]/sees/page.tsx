import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { Query } from "@/lib/http/session/address/search-params";
import { AgentName } from "../../../../_components/shown/agent-name";
import { Look } from "../../../lens/look";
import { agentHref, seesAddress } from "../../agent-href";
import { findAgent } from "../find-agent";

export const metadata: Metadata = { title: "What an agent sees" };

interface Props {
  params: Promise<{ did: string }>;
  searchParams: Promise<Query>;
}

/** All that an agent sees of a category, or of everything, page by page. */
export default async function SeesPage({ params, searchParams }: Props) {
  const { ctx, did, dossier } = await findAgent((await params).did);
  if (dossier === null) notFound();
  const { agent, state } = dossier;
  const address = seesAddress(agent.did);
  const { from, scope = "prof:*" } = address.read(await searchParams);
  const gets = state === "active" ? "gets now" : "would get if it were active";
  return (
    <Look
      {...{ ctx, address }}
      query={{ did, request: { agentDid: agent.did }, scope, offset: from }}
      above={{ href: `${agentHref(agent.did)}#see-as`, name: "The agent" }}
      words={(total) => (
        <>
          What <AgentName agent={agent} className="font-medium text-ink" /> {gets}
          {scope !== "prof:*" && " in this category and below it"}: {total} in all.
        </>
      )}
    />
  );
}
