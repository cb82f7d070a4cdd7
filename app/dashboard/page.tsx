import type { Metadata } from "next";
import Link from "next/link";
import type { ReactNode } from "react";
import { pageContext } from "@/lib/http/page";
import { getOverview, type Overview } from "@/lib/services/overview";
import { Card } from "../_components/card";
import { Empty } from "../_components/empty";
import { counted } from "../_components/words/list";
import { policySentence } from "./policy-sentence";

export const metadata: Metadata = { title: "Overview" };

export default async function OverviewPage() {
  const { ctx, who } = await pageContext();
  const [profile] = who.profiles;
  if (profile === undefined) {
    return (
      <Empty title="This account has no profile">
        Its profile was deleted. Nothing can be read here.
      </Empty>
    );
  }
  const overview = await getOverview(ctx, profile.id);
  return (
    <div className="flex flex-col gap-8">
      <header>
        <h1 className="text-2xl font-semibold tracking-tight">{overview.displayName}</h1>
        <p className="mt-1 text-muted">
          Agents know you as{" "}
          <code className="font-mono text-xs break-all text-ink">{overview.did}</code>
        </p>
      </header>
      <Counts overview={overview} />
      {isUntouched(overview) && <FirstSteps did={overview.did} />}
      <Standing overview={overview} />
    </div>
  );
}

function isUntouched({
  pendingProposals,
  pendingConsents,
  memories,
  agentsWithPolicies,
}: Overview) {
  return pendingProposals + pendingConsents + memories + agentsWithPolicies === 0;
}

function Counts({ overview }: { overview: Overview }) {
  const { pendingProposals, pendingConsents, memories, memoriesThisWeek, agentsWithPolicies } =
    overview;
  return (
    <dl className="grid gap-4 sm:grid-cols-3">
      <Count
        label="Waiting for you"
        value={pendingProposals + pendingConsents}
        note={waitingNote(pendingProposals, pendingConsents)}
      />
      <Count
        label="Memories"
        value={memories}
        note={
          memoriesThisWeek === 0
            ? "None new in the last 7 days"
            : `${memoriesThisWeek} new in the last 7 days`
        }
      />
      <Count
        label="Agents with a policy of their own"
        value={agentsWithPolicies}
        note={
          agentsWithPolicies === 0
            ? "Your general policies hold for all"
            : "Beside your general policies"
        }
      />
    </dl>
  );
}

interface CountProps {
  label: string;
  value: number;
  note: ReactNode;
}

function Count({ label, value, note }: CountProps) {
  return (
    <div className="flex flex-col rounded-box border border-line bg-surface p-5 shadow-raised">
      <dt className="text-muted">{label}</dt>
      <dd className="mt-2 text-3xl font-semibold tracking-tight tabular-nums">
        {value.toLocaleString("en")}
      </dd>
      <dd className="mt-1 text-xs text-muted">{note}</dd>
    </div>
  );
}

function waitingNote(proposals: number, consents: number): ReactNode {
  if (proposals + consents === 0) return "No agent is waiting for an answer";
  const link = "text-accent underline underline-offset-4";
  return (
    <>
      {proposals > 0 && (
        <Link href="/dashboard/proposals" className={link}>
          {counted(proposals, "proposal")}
        </Link>
      )}
      {proposals > 0 && consents > 0 && ", "}
      {consents > 0 && (
        <Link href="/dashboard/access" className={link}>
          {counted(consents, "access request")}
        </Link>
      )}
    </>
  );
}

const steps = [
  {
    title: "An agent gets a key",
    text: "Every agent signs its requests with an Ed25519 key that is registered under its own identifier. Without one it reaches nothing.",
  },
  {
    title: "It asks for you by your identifier",
    text: "Give the agent the identifier above. It can propose memories and ask for access; what it may read stands below.",
  },
  {
    title: "You decide",
    text: "Proposals and access requests wait for you. Nothing becomes part of your profile without your approval, and an unanswered proposal expires after 7 days.",
  },
];

function FirstSteps({ did }: { did: string }) {
  return (
    <Card title="Nothing has reached your profile yet">
      <ol className="mt-4 grid gap-6 md:grid-cols-3">
        {steps.map(({ title, text }, index) => (
          <li key={title} className="flex gap-3 md:flex-col">
            <span
              aria-hidden="true"
              className="flex size-7 shrink-0 items-center justify-center rounded-box bg-accent-soft font-semibold text-accent-strong tabular-nums"
            >
              {index + 1}
            </span>
            <div>
              <h3 className="font-medium">{title}</h3>
              <p className="mt-1 text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <p className="mt-6 text-muted">
        Agents address your profile at{" "}
        <code className="font-mono text-xs break-all text-ink">/prof/v1/profile/{did}</code>
      </p>
    </Card>
  );
}

function Standing({ overview: { policies } }: { overview: Overview }) {
  return (
    <Card title="What agents may do now">
      {policies.length > 0 && (
        <ul className="flex flex-col divide-y divide-line">
          {policies.map((policy) => (
            <li key={policy.id} className="py-3 first:pt-0">
              {policySentence(policy)}
            </li>
          ))}
        </ul>
      )}
      <p className={policies.length > 0 ? "border-t border-line pt-3 text-muted" : "text-muted"}>
        {policies.length > 0 ? "For everything else" : "For everything"} an agent has to ask you
        first.
      </p>
    </Card>
  );
}
