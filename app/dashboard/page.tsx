import { redirect } from "next/navigation";
import type { OwnProfile } from "@/lib/http/session/page";
import { listPendingConsents } from "@/lib/services/access/consents";
import { findEverythingOff } from "@/lib/services/access/denial/everything-off";
import { reachOf } from "@/lib/services/access/sight/reach";
import { listActivity } from "@/lib/services/activity/list-activity";
import type { Ctx } from "@/lib/services/context";
import { getOverview } from "@/lib/services/overview";
import { Card } from "../_components/card";
import { readerZone } from "../_components/shell/reader-zone";
import { Empty } from "../_components/states/empty";
import { TextLink } from "../_components/text-link";
import { knownCategories } from "../_components/words/category";
import { dashboardContext } from "./context";
import { FirstSteps } from "./overview/first-steps";
import { Waits } from "./overview/waits";
import { WhatHappened } from "./overview/what-happened";
import { WhoSeesWhat } from "./overview/who-sees-what";

const weekMs = 7 * 24 * 60 * 60_000;
const eventsMax = 60;
const requestsMax = 4;

export default async function OverviewPage() {
  const { ctx, who, profile, counts, since } = await dashboardContext();
  if (profile === null) {
    return (
      <Empty title="This account has no profile">
        It was deleted or given to another account.{" "}
        <TextLink href="/dashboard/settings/profiles">Make a new one</TextLink>
      </Empty>
    );
  }
  if (counts === null) redirect("/dashboard/suspended");
  const { overview, requests, reach, denial, events } = await load(ctx, profile, since);
  const clock = { now: ctx.now, zone: await readerZone() };
  const isBeginning = reach.agents.length < 2 && !overview.hasProposals;
  return (
    <>
      <h1 className="sr-only">Overview of {overview.displayName}</h1>
      <div className="grid gap-x-6 gap-y-8 full:grid-cols-[minmax(0,1fr)_272px]">
        <div className="flex min-w-0 flex-col gap-6">
          {isBeginning && (
            <Card
              title={
                reach.agents.length === 0
                  ? "No active agent has reached your profile yet"
                  : "First steps of your first agent"
              }
            >
              <FirstSteps
                did={profile.did}
                memories={counts.memories}
                isAdmin={who.role === "admin"}
              />
            </Card>
          )}
          <Waits overview={overview} requests={requests} now={ctx.now} />
          <WhoSeesWhat reach={reach} clock={clock} isOff={denial !== null} />
        </div>
        <WhatHappened since={since} events={events} clock={clock} />
      </div>
    </>
  );
}

async function load(ctx: Ctx, { id, did }: OwnProfile, since: Date | null) {
  const from = since ?? new Date(ctx.now.getTime() - weekMs);
  const [overview, requests, reach, denial, { events }] = await Promise.all([
    getOverview(ctx, id),
    listPendingConsents(ctx, did, { limit: requestsMax }),
    reachOf(ctx, { did, categories: knownCategories }),
    findEverythingOff(ctx, did),
    listActivity(ctx, { did, from, limit: eventsMax }),
  ]);
  return { overview, requests, reach, denial, events };
}
