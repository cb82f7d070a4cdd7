import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { chosenProfile, pageContext } from "@/lib/http/session/page";
import { changesSince } from "@/lib/services/activity/changes-since";
import { listActors } from "@/lib/services/activity/list-actors";
import { visit } from "@/lib/services/activity/visit";
import { getOverview, type PolicyLine } from "@/lib/services/overview";
import { Card } from "../_components/card";
import { Empty } from "../_components/empty";
import { PolicySentence } from "./access/policies/list/sentence";
import { FirstSteps } from "./overview/first-steps";
import { MostActive } from "./overview/most-active";
import { SinceVisit } from "./overview/since-visit";
import { Waits } from "./overview/waits";

export const metadata: Metadata = { title: "Overview" };

const weekMs = 7 * 24 * 60 * 60_000;

export default async function OverviewPage() {
  const { ctx, who } = await pageContext();
  const profile = await chosenProfile(who);
  if (profile === null) {
    return (
      <Empty title="This account has no profile">
        Its profile was deleted, so there is nothing to see.{" "}
        <Link
          className="text-accent underline underline-offset-4"
          href="/dashboard/settings/profiles"
        >
          Make a new one
        </Link>
      </Empty>
    );
  }
  if (profile.state === "suspended") redirect("/dashboard/suspended");
  const { did } = profile;
  const since = await visit(ctx, did);
  const [overview, actors, news, week] = await Promise.all([
    getOverview(ctx, profile.id),
    listActors(ctx, did),
    since === null ? [] : changesSince(ctx, { did, since }),
    changesSince(ctx, { did, since: new Date(ctx.now.getTime() - weekMs) }),
  ]);
  return (
    <div className="flex flex-col gap-8">
      <header>
        <h1 className="text-2xl font-semibold tracking-tight">{overview.displayName}</h1>
        <p className="mt-1 text-muted">
          Agents know you as <code className="font-mono text-xs break-all text-ink">{did}</code>
        </p>
      </header>
      <Waits overview={overview} now={ctx.now} />
      {actors.length === 0 ? (
        <FirstSteps did={did} />
      ) : (
        <div className="grid gap-6 lg:grid-cols-2">
          {since !== null && <SinceVisit since={since} changes={news} now={ctx.now} />}
          <MostActive changes={week} />
        </div>
      )}
      <Standing policies={overview.policies} />
    </div>
  );
}

function Standing({ policies }: { policies: PolicyLine[] }) {
  return (
    <Card title="What agents may do now">
      {policies.length > 0 && (
        <ul className="flex flex-col divide-y divide-line">
          {policies.map((policy) => (
            <li key={policy.id} className="py-3 first:pt-0">
              <PolicySentence policy={policy} />
            </li>
          ))}
        </ul>
      )}
      <p className={policies.length > 0 ? "border-t border-line pt-3 text-muted" : "text-muted"}>
        To read anything{policies.length > 0 && " else"}, an agent has to ask you first.{" "}
        <Link
          href="/dashboard/access/policies"
          className="font-medium text-accent underline underline-offset-4"
        >
          Change the rules
        </Link>
      </p>
    </Card>
  );
}
