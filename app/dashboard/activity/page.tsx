import type { Metadata } from "next";
import type { Query } from "@/lib/http/session/address/search-params";
import { profileContext } from "@/lib/http/session/page";
import type { ActivityEvent } from "@/lib/services/activity/activity-event";
import { countByDay, countedDaysMax } from "@/lib/services/activity/counts/count-by-day";
import { countCategories } from "@/lib/services/activity/counts/count-categories";
import { daysBetween } from "@/lib/services/activity/counts/days";
import { listActivity } from "@/lib/services/activity/list-activity";
import { listActors } from "@/lib/services/activity/list-actors";
import type { ActivityFilter } from "@/lib/services/activity/matching";
import { namedPolicies } from "@/lib/services/activity/named-policies";
import { waitingRequests } from "@/lib/services/activity/waiting-requests";
import type { Ctx } from "@/lib/services/context";
import { Pages } from "../../_components/lists/pages";
import { PageHeader } from "../../_components/shell/page-header";
import { readerZone } from "../../_components/shell/reader-zone";
import { Charts } from "./chart/charts";
import { ExportMenu } from "./export-menu";
import { Filters } from "./filters";
import { EventList } from "./list/event-list";
import type { EventFacts } from "./list/event-row";
import {
  type ActivityView,
  activityParams,
  chartPeriod,
  filterOf,
  isFiltered,
  type Reader,
} from "./params";
import { Verify } from "./verify/verify";

export const metadata: Metadata = { title: "Activity" };

const perPage = 30;
/** As JSON: an event becomes up to ten times as much markup. */
const eventsBytesMax = 20_000;
const agentsApart = 5;

export default async function ActivityPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const view = activityParams.read(await searchParams);
  const { did } = profile;
  const reader = { did, now: ctx.now, zone: await readerZone() };
  const filter = filterOf(view, reader);
  const query = { did, ...filter, after: view.before };
  const [{ events, next }, actors, charts] = await Promise.all([
    listActivity(ctx, { ...query, limit: perPage, bytesMax: eventsBytesMax }),
    listActors(ctx, did),
    chartsOf(ctx, { view, filter, reader }),
  ]);
  const facts = await factsOf(ctx, { did, events });
  const pageAt = (before: ActivityView["before"]) => activityParams.href({ ...view, before });
  return (
    <div className="flex flex-col gap-4">
      <div className="relative flex flex-wrap items-start gap-x-2 gap-y-4 [&>search]:basis-auto">
        <Header view={view} />
        <Filters view={view} actors={actors} />
      </div>
      <div className="grid grid-cols-1 items-start gap-7 rail:grid-cols-[minmax(0,1fr)_260px] rail:has-[>:only-child]:grid-cols-1">
        <div className="flex flex-col gap-4">
          <EventList events={events} reader={reader} facts={facts} isFiltered={isFiltered(view)} />
          <Pages
            newest={view.before === undefined ? null : pageAt(undefined)}
            older={next === null ? null : pageAt({ ...next, tier: 0 })}
          />
        </div>
        {charts !== null && <Charts view={view} {...charts} />}
      </div>
    </div>
  );
}

function Header({ view }: { view: ActivityView }) {
  return (
    <div className="contents basis-full items-start gap-3 rail:flex">
      <div className="min-w-0 flex-1 max-rail:contents">
        <PageHeader isPlace title="Activity">
          Who read, asked, proposed or changed what. Nothing in it can be changed.
        </PageHeader>
      </div>
      <Verify />
      <ExportMenu view={view} />
    </div>
  );
}

interface Charted {
  view: ActivityView;
  filter: ActivityFilter;
  reader: Reader;
}

// The charts are of what agents read and propose only.
async function chartsOf(ctx: Ctx, { view, filter, reader }: Charted) {
  const { who, kind, by } = view;
  if (who === "you" || !(kind === undefined || kind === "reads" || kind === "proposals"))
    return null;
  const { from, to } = chartPeriod(filter, reader);
  const days = daysBetween(from, to, { zone: reader.zone, max: countedDaysMax });
  const query = { did: reader.did, ...filter, days };
  const [counts, categories] = await Promise.all([
    countByDay(ctx, { ...query, agentsMax: agentsApart }),
    by === "category" ? countCategories(ctx, query) : [],
  ]);
  return { days: days.map(({ day }) => day), counts, categories };
}

async function factsOf(
  ctx: Ctx,
  shown: { did: string; events: readonly ActivityEvent[] },
): Promise<EventFacts> {
  const [policies, waiting] = await Promise.all([
    namedPolicies(ctx, shown),
    waitingRequests(ctx, shown),
  ]);
  return { policies, waiting };
}
