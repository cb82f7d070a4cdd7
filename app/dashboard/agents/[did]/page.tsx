import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { profileContext } from "@/lib/http/session/page";
import { Did, parseDid } from "@/lib/protocol/did";
import { seeAsAgent } from "@/lib/services/access/lens";
import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { listActivity } from "@/lib/services/activity/list-activity";
import { type AgentDossier, findKnownAgent } from "@/lib/services/agents/known/find-known";
import { Card } from "../../../_components/card";
import { agentLabel } from "../../../_components/shown/agent-name";
import { visibleText } from "../../../_components/words/inert";
import { LensAsAgent } from "../../lens/lens-as-agent";
import { type LensNow, lensNow } from "../../lens/lens-view";
import { Disconnect } from "./disconnect";
import { endsOf, Holdings } from "./holdings";
import { Recent } from "./recent";
import { Rules } from "./rules";
import { Who } from "./who";

export const metadata: Metadata = { title: "Agent" };

const recentMax = 8;

export default async function AgentPage({ params }: { params: Promise<{ did: string }> }) {
  const { ctx, profile } = await profileContext();
  const agentDid = didIn((await params).did);
  if (agentDid === null) notFound();
  const { did } = profile;
  const dossier = await findKnownAgent(ctx, { did, agentDid });
  if (dossier === null) notFound();
  const [lens, { events }] = await Promise.all([
    seeAsAgent(ctx, { did, agentDid }),
    listActivity(ctx, { did, actor: agentDid, limit: recentMax }),
  ]);
  return (
    <div className="flex flex-col gap-6">
      <Who dossier={dossier} now={ctx.now} />
      <Cards dossier={dossier} events={events} view={lensNow(lens)} now={ctx.now} />
    </div>
  );
}

interface CardsProps {
  dossier: AgentDossier;
  events: ActivityEvent[];
  view: LensNow;
  now: Date;
}

function Cards({ dossier, events, view, now }: CardsProps) {
  const { agent, state } = dossier;
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-6">
        <Card title="What it may do">
          <Rules dossier={dossier} />
        </Card>
        <Card title="What it holds">
          <Holdings dossier={dossier} now={now} />
          <div className="mt-4">
            <Disconnect agentDid={agent.did} agentName={agentLabel(agent)} ends={endsOf(dossier)} />
          </div>
        </Card>
        <Card title="What it did">
          <Recent dossier={dossier} events={events} now={now} />
        </Card>
      </div>
      <Card title={`See as ${visibleText(agentLabel(agent))}`} className="min-w-0">
        {state !== "active" && (
          <p className="mb-3 text-danger">
            Now it gets nothing of this. It would, if it were active.
          </p>
        )}
        <LensAsAgent view={view} />
      </Card>
    </div>
  );
}

// In the path its colons come percent-encoded; nothing else in a DID needs to be.
function didIn(segment: string): Did | null {
  const did = Did.safeParse(segment.replaceAll(/%3A/gi, ":")).data ?? null;
  return did !== null && parseDid(did)?.kind === "agent" ? did : null;
}
