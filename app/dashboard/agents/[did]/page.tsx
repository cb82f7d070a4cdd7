import type { Metadata } from "next";
import { missing } from "@/lib/http/page-failure";
import type { Query } from "@/lib/http/session/address/search-params";
import type { Did } from "@/lib/protocol/did";
import { seeAsAgent } from "@/lib/services/access/sight/lens";
import { reachOf } from "@/lib/services/access/sight/reach";
import { countByDay } from "@/lib/services/activity/counts/count-by-day";
import { daysBetween } from "@/lib/services/activity/counts/days";
import { listActivity } from "@/lib/services/activity/list-activity";
import type { AgentDossier } from "@/lib/services/agents/known/find-known";
import type { Ctx } from "@/lib/services/context";
import { PageHeader } from "../../../_components/shell/page-header";
import { readerZone } from "../../../_components/shell/reader-zone";
import { agentWords } from "../../../_components/shown/agent-name";
import { Empty } from "../../../_components/states/empty";
import { TextLink } from "../../../_components/text-link";
import { knownCategories } from "../../../_components/words/category";
import { DayChart } from "../../activity/chart/day-chart";
import { seriesByKind } from "../../activity/chart/series";
import { LensAsAgent } from "../../lens/lens-as-agent";
import { webhookAddress } from "../agent-href";
import { conditionWords } from "../agent-list";
import { AgentHeader } from "./agent-header";
import { Approving } from "./approving/approving";
import { ComesIn } from "./comes-in";
import { findAgent, runsAgent } from "./find-agent";
import { MuteMails } from "./mute-mails";
import { LastDeeds, Outcomes } from "./outcomes";
import { writtenAddress } from "./quarantine/address";
import { Written } from "./quarantine/written";
import { ReachTables } from "./reach-tables";
import { Rejections } from "./rejections";
import { UnusedAccess } from "./unused-access";

interface Props {
  params: Promise<{ did: string }>;
  searchParams: Promise<Query>;
}

const recentMax = 6;
const chartDays = 14;
const dayMs = 24 * 60 * 60_000;

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { dossier } = await findAgent((await params).did);
  return { title: dossier === null ? notFound : agentWords(dossier.agent) };
}

export default async function AgentPage({ params, searchParams }: Props) {
  const { ctx, who, did, dossier } = await findAgent((await params).did);
  if (dossier === null) return missing(<NotFound />);
  const { agent, state } = dossier;
  const { days: back } = writtenAddress(agent.did).read(await searchParams);
  const zone = await readerZone();
  const clock = { now: ctx.now, zone };
  const { reach, lens, events, days, counts } = await load(ctx, { did, agentDid: agent.did, zone });
  const categories = reach.agents[0]?.categories ?? [];
  const dates = days.map(({ day }) => day);
  return (
    <div className="flex flex-col gap-5">
      <AgentHeader dossier={dossier} categories={categories} clock={clock} />
      {runsAgent(who, dossier) && <WebhookLine did={agent.did} />}
      {state !== "active" && <p className="text-danger">{conditionWords[state]}</p>}
      <div className="grid gap-x-7 gap-y-6 full:grid-cols-[minmax(0,1fr)_300px]">
        <div className="flex min-w-0 flex-col gap-5">
          <Connections dossier={dossier} />
          {state === "active" && <ReachTables categories={categories} clock={clock} />}
          <Written {...{ ctx, did, dossier, days: back }} />
          <Approving {...{ ctx, did, dossier, clock }} />
          <UnusedAccess ctx={ctx} did={did} agentDid={agent.did} zone={zone} />
          <ComesIn dossier={dossier} now={ctx.now} />
          <LensAsAgent {...{ agent, lens, state, zone }} />
        </div>
        <aside aria-label="What it did" className="flex min-w-0 flex-col gap-5">
          <Outcomes dossier={dossier} />
          <Rejections ctx={ctx} did={did} agentDid={agent.did} />
          <section aria-labelledby="days">
            <h2 id="days" className="mb-1.5 text-lead font-semibold">
              Last {chartDays} days
            </h2>
            <div className="box p-4">
              <DayChart
                label="Reads and proposals"
                days={dates}
                series={seriesByKind(dates, counts)}
              />
            </div>
          </section>
          <LastDeeds agentDid={agent.did} events={events} now={ctx.now} />
          <MuteMails ctx={ctx} agentDid={agent.did} />
        </aside>
      </div>
    </div>
  );
}

function Connections({ dossier: { tokens } }: { dossier: AgentDossier }) {
  const count = tokens.filter(({ lastFour }) => lastFour === null).length;
  if (count < 2) return null;
  return (
    <p>
      It has {count} connections, and each of them reads only{" "}
      <TextLink href="/dashboard/connections">its own part</TextLink> of this.
    </p>
  );
}

function WebhookLine({ did }: { did: string }) {
  return (
    <p>
      As you run this agent, you can set its{" "}
      <TextLink href={webhookAddress(did).href({})}>webhook</TextLink>.
    </p>
  );
}

const notFound = "Agent not found";

function NotFound() {
  return (
    <div className="flex flex-col gap-6">
      <PageHeader title={notFound} />
      <Empty title="No agent of that identifier has to do with you">
        It has not been here, and holds nothing of yours.{" "}
        <TextLink href="/dashboard/agents">Show the agents that have</TextLink>.
      </Empty>
    </div>
  );
}

async function load(
  ctx: Ctx,
  { did, agentDid, zone }: { did: string; agentDid: Did; zone: string },
) {
  const from = new Date(ctx.now.getTime() - chartDays * dayMs);
  const days = daysBetween(from, ctx.now, { zone, max: chartDays });
  const [reach, lens, { events }, counts] = await Promise.all([
    reachOf(ctx, { did, agents: [agentDid], categories: knownCategories }),
    seeAsAgent(ctx, { did, agentDid }),
    listActivity(ctx, { did, actor: agentDid, limit: recentMax }),
    countByDay(ctx, { did, actor: agentDid, days, agentsMax: 1 }),
  ]);
  return { reach, lens, events, days, counts };
}
