import type { Metadata } from "next";
import Link from "next/link";
import { engine } from "@/lib/engine/engine";
import { adminContext } from "@/lib/http/session/admin";
import { countPendingAgents, listAgents } from "@/lib/services/admin/agents/list-agents";
import { countGateway, type GatewayCounts } from "@/lib/services/admin/count-gateway";
import { listAdminEvents } from "@/lib/services/admin/list-admin-events";
import { describeHealth } from "@/lib/services/admin/system/describe-health";
import { Icon, type IconName } from "../_components/icon";
import { FirstOf } from "../_components/lists/first-of";
import { Waiting } from "../_components/shell/nav";
import { PageHeader } from "../_components/shell/page-header";
import { relativeTime } from "../_components/words/time";
import { AdminEvent } from "./activity/event";
import { Health } from "./system/health";
import { WaitingAgents } from "./waiting-agents";

export const metadata: Metadata = { title: "This gateway" };

const waitingMax = 20;
const eventsMax = 6;

export default async function AdminPage() {
  const { ctx } = await adminContext();
  const { now } = ctx;
  const [pending, { agents }, counts, health, { events }] = await Promise.all([
    countPendingAgents(ctx),
    listAgents(ctx, { state: "pending", limit: waitingMax }),
    countGateway(ctx),
    describeHealth(ctx, engine()),
    listAdminEvents(ctx, { limit: eventsMax }),
  ]);
  return (
    <>
      <PageHeader title="This gateway">
        Admins see counts and names, never what is remembered.
      </PageHeader>
      <div className="mt-5 grid gap-7 full:grid-cols-[minmax(0,1fr)_300px]">
        <div className="flex min-w-0 flex-col gap-5">
          <section aria-labelledby="waiting">
            <h2 id="waiting" className="mb-2 flex items-center gap-2 text-lead font-semibold">
              Waiting to be let in <Waiting count={pending} />
            </h2>
            <WaitingAgents agents={agents} now={now} />
            <FirstOf shown={agents.length} all={pending} />
          </section>
          <Numbers counts={counts} now={now} />
          <section aria-labelledby="health">
            <h2 id="health" className="mb-2 text-lead font-semibold">
              Health
            </h2>
            <Health state={health} now={now} />
          </section>
        </div>
        <section aria-labelledby="done">
          <h2 id="done" className="mb-2 text-lead font-semibold">
            What admins did
          </h2>
          {events.length === 0 && <p className="text-muted">Nothing yet.</p>}
          <ul className="divide-y divide-line border-line not-empty:border-t *:px-0">
            {events.map((event) => (
              <AdminEvent key={event.id} event={event} now={now} isShort />
            ))}
          </ul>
          <Link href="/admin/activity" className="mt-3 inline-block link">
            All admin activity
          </Link>
        </section>
      </div>
    </>
  );
}

type Count = readonly [href: string, icon: IconName, count: number, of: string, more: string];

/** Four numbers, each with the page to look into it. */
function Numbers({ counts, now }: { counts: GatewayCounts; now: Date }) {
  const words = (count: number) => count.toLocaleString("en");
  const { oldestProposalAt: at } = counts;
  const oldest = at === null ? "no proposal" : `oldest ${relativeTime(at, now)}`;
  const suspended = counts.suspendedAgents;
  const marks = `${words(counts.verifiedAgents)} verified${suspended === 0 ? "" : `, ${words(suspended)} suspended`}`;
  const refused = `${words(counts.deniedRequests)} refused`;
  const shown: Count[] = [
    ["/admin/users", "users", counts.users, "people", `${words(counts.newUsers)} new in 30 days`],
    ["/admin/agents", "robot", counts.agents, "agents", marks],
    ["/admin/profiles", "tray", counts.proposals, "wait for owners", oldest],
    ["/admin/system", "pulse", counts.requests, "requests in 7 days", refused],
  ];
  return (
    <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {shown.map(([href, icon, count, of, more]) => (
        <li key={href} className="relative box p-3 hover:border-ink sm:p-4">
          <Icon icon={icon} />
          <p className="mt-1 text-title font-semibold tabular-nums">{words(count)}</p>
          <Link href={href} className="after:absolute after:inset-0">
            {of}
          </Link>
          <p className="text-small text-muted">{more}</p>
        </li>
      ))}
    </ul>
  );
}
