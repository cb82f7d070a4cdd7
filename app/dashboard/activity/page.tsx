import type { Metadata } from "next";
import Link from "next/link";
import { parseCursor } from "@/lib/http/session/cursor";
import { profileContext } from "@/lib/http/session/page";
import { countByDay, countedDaysMax } from "@/lib/services/activity/count-by-day";
import { listActivity } from "@/lib/services/activity/list-activity";
import { listActors } from "@/lib/services/activity/list-actors";
import type { ActivityFilter } from "@/lib/services/activity/matching";
import { namedPolicies } from "@/lib/services/activity/named-policies";
import { Empty } from "../../_components/empty";
import { Pages } from "../../_components/lists/pages";
import { firstParam } from "../query";
import { Chart } from "./chart/chart";
import { ExportPanel } from "./export-panel";
import { activityHref, filterOf, given, type Narrowed, narrowedBy, type Query } from "./filter";
import { Filters } from "./filters";
import { EventRow } from "./list/event-row";

export const metadata: Metadata = { title: "Activity" };

const perPage = 50;
/** As JSON: an event becomes up to ten times as much markup. */
const eventsBytesMax = 20_000;
const agentsApart = 6;
const dayMs = 24 * 60 * 60_000;

export default async function ActivityPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const query = await searchParams;
  const { did } = profile;
  const narrowed = narrowedBy(query);
  const filter = filterOf(narrowed, { did, now: ctx.now });
  const after = parseCursor(firstParam(query.before));
  const charted = isCharted(narrowed) ? periodOf(filter, ctx.now) : null;
  const [{ events, next }, actors, counts] = await Promise.all([
    listActivity(ctx, { did, ...filter, after, limit: perPage, bytesMax: eventsBytesMax }),
    listActors(ctx, did),
    charted === null ? [] : countByDay(ctx, { did, ...filter, ...charted, agentsMax: agentsApart }),
  ]);
  const policies = await namedPolicies(ctx, { did, events });
  return (
    <div className="flex flex-col gap-6">
      <header>
        <h1 className="text-2xl font-semibold tracking-tight">Activity</h1>
        <p className="mt-1 text-muted">
          Who read, asked, proposed or changed what, and what was refused and why. Nothing in this
          log can be changed.
        </p>
      </header>
      <Filters narrowed={narrowed} actors={actors} />
      {charted !== null && (
        <Chart counts={counts} {...charted} refused={narrowed.outcome === "refused"} />
      )}
      <section aria-labelledby="events">
        <h2 id="events" className="mb-3 text-base font-semibold">
          What happened
        </h2>
        {events.length === 0 ? (
          <Nothing narrowed={narrowed} did={did} />
        ) : (
          <ul className="divide-y divide-line rounded-box border border-line bg-surface shadow-raised">
            {events.map((event) => (
              <li key={event.id}>
                <EventRow event={event} policies={policies} now={ctx.now} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <Pages
        newest={after === undefined ? null : activityHref(narrowed)}
        older={next === null ? null : activityHref(narrowed, next)}
      />
      <ExportPanel narrowed={narrowed} />
    </div>
  );
}

// The chart shows reads and proposals of agents only.
function isCharted({ who, kind }: Narrowed): boolean {
  return who !== "you" && (kind === undefined || kind === "reads" || kind === "proposals");
}

function periodOf({ from, to }: ActivityFilter, now: Date): { from: Date; to: Date } {
  const end = to === undefined || to > now ? now : to;
  const earliest = new Date(end.getTime() - (countedDaysMax - 1) * dayMs);
  const begin = from ?? new Date(end.getTime() - 29 * dayMs);
  return { from: begin < earliest ? earliest : begin, to: end };
}

function Nothing({ narrowed, did }: { narrowed: Narrowed; did: string }) {
  if (given(narrowed).length > 0) {
    return (
      <Empty title="Nothing here matches">
        <Link href={activityHref({})} className="text-accent underline underline-offset-4">
          Show all
        </Link>{" "}
        instead.
      </Empty>
    );
  }
  return (
    <Empty title="Nothing has happened yet">
      Each time an agent reads, asks or proposes, it is written here. Give one your identifier to
      begin: <code className="font-mono text-xs break-all text-ink">{did}</code>
    </Empty>
  );
}
