import Link from "next/link";
import { type ConsentChoice, consentChoices } from "@/lib/rules/access";
import type { PendingConsent } from "@/lib/services/access/consents";
import { seeGrant } from "@/lib/services/access/lens";
import type { Ctx } from "@/lib/services/context";
import { AgentName, agentLabel, agentWords } from "../../../_components/shown/agent-name";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";
import { categoryTitle, categoryWords, isSensitive } from "../../../_components/words/category";
import { list } from "../../../_components/words/list";
import { purposeWord } from "../../../_components/words/purpose";
import { lensView } from "../../lens/lens-view";
import { switchPrefix } from "../schemas";
import { Arrive } from "./arrive";
import type { Choice } from "./choices";
import { Purpose } from "./purpose";
import { RequestForm } from "./request-form";

interface RequestCardProps {
  ctx: Ctx;
  did: string;
  request: PendingConsent;
  /** Set if the user followed a link to this request. */
  arrived: boolean;
}

const lifetimes: Record<ConsentChoice, Omit<Choice, "value">> = {
  once: { title: "Allow once", note: "Ends in 24 hours; it may ask again until then" },
  "1d": { title: "1 day", note: "It may ask again until then" },
  "30d": { title: "30 days", note: "It may ask again until then" },
  until_revoked: { title: "Until I revoke it", note: "Ends when you disconnect it" },
};
const choices = consentChoices.map((value) => ({ value, ...lifetimes[value] }));

/** An open request: who asks for what and why, and what granting it would show. */
export async function RequestCard({ ctx, did, request, arrived }: RequestCardProps) {
  const { id, agent, scopes } = request;
  const lens = lensView(await seeGrant(ctx, { did, requestId: id, scopes: [] }), []);
  const titleId = `${id}-title`;
  return (
    <article
      id={id}
      tabIndex={-1}
      aria-labelledby={titleId}
      className="scroll-mt-6 rounded-box border border-line bg-surface p-4 shadow-raised sm:p-6"
    >
      {arrived && <Arrive at={id} />}
      <RequestForm
        requestId={id}
        agentName={agentLabel(agent)}
        lens={lens}
        choices={choices}
        switches={scopes.map((scope) => ({
          name: `${switchPrefix}${scope}`,
          scope,
          title: categoryTitle(scope),
          sensitive: isSensitive(scope),
        }))}
      >
        <header>
          <h2 id={titleId} className="text-base">
            <AgentName agent={agent} /> <span className="text-muted">asks to know more</span>
          </h2>
          <p className="mt-1 font-mono text-xs wrap-anywhere text-muted">{agent.did}</p>
          <Operator request={request} />
        </header>
        <Purpose request={request} now={ctx.now} />
      </RequestForm>
    </article>
  );
}

function Operator({ request: { agent } }: { request: PendingConsent }) {
  const { operator, suspended } = agent;
  return (
    <>
      {operator !== null && (
        <p className="mt-1 text-muted">
          Run by <InertText text={operator} />
          {!agent.verified && ", as it says itself"}
        </p>
      )}
      {suspended && (
        <p className="mt-2 text-danger">
          An admin has suspended this agent: it reads nothing while that lasts.
        </p>
      )}
    </>
  );
}

/** A request that waits while another one is open. */
export function RequestRow({ request, now }: { request: PendingConsent; now: Date }) {
  const { id, agent, scopes, purposeType, requestedAt } = request;
  return (
    <article
      id={id}
      className="relative flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 rounded-box border border-line bg-surface px-4 py-3 shadow-raised hover:bg-sunken sm:px-6"
    >
      <h2 className="min-w-0 text-sm">
        <AgentName agent={agent} />
        <span className="block text-muted">
          {list(scopes.map(categoryWords))} · {purposeWord(purposeType).text.toLowerCase()}
        </span>
      </h2>
      <p className="flex items-baseline gap-4 text-muted">
        <When at={requestedAt} now={now} />
        <Link
          prefetch={false}
          href={`/dashboard/access?request=${id}#${id}`}
          className="font-medium text-accent after:absolute after:inset-0"
        >
          Open<span className="sr-only"> the request of {agentWords(agent)}</span>
        </Link>
      </p>
    </article>
  );
}
