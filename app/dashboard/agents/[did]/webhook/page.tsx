import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { Query } from "@/lib/http/session/address/search-params";
import { listDeliveries, type ShownDelivery } from "@/lib/services/webhooks/deliveries";
import { findWebhook } from "@/lib/services/webhooks/webhooks";
import { Pages } from "../../../../_components/lists/pages";
import { Refresh } from "../../../../_components/refresh";
import { PageHeader } from "../../../../_components/shell/page-header";
import { agentWords } from "../../../../_components/shown/agent-name";
import { TextLink } from "../../../../_components/text-link";
import { agentHref, webhookAddress } from "../../agent-href";
import { findAgent, runsAgent } from "../find-agent";
import { MessageList } from "./message-list";
import { AddressCard, StateCard } from "./settings";

export const metadata: Metadata = { title: "Webhook" };

interface Props {
  params: Promise<{ did: string }>;
  searchParams: Promise<Query>;
}

const perPage = 15;

const isOnItsWay = ({ state, attempts }: ShownDelivery) => state === "waiting" && attempts === 0;

/** Where an agent is sent what becomes of its requests, for the person who runs it. */
export default async function WebhookPage({ params, searchParams }: Props) {
  const { ctx, who, dossier } = await findAgent((await params).did);
  if (dossier === null || !runsAgent(who, dossier)) notFound();
  const { did } = dossier.agent;
  const address = webhookAddress(did);
  const { after } = address.read(await searchParams);
  const [webhook, { deliveries, next }] = await Promise.all([
    findWebhook(ctx, did),
    listDeliveries(ctx, { did, after, limit: perPage }),
  ]);
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <PageHeader above={{ href: agentHref(did), name: agentWords(dossier.agent) }} title="Webhook">
        The gateway sends the agent what becomes of its requests and proposals: ids and states,
        never contents. The <TextLink href="/docs/agents#webhook">API reference</TextLink> says how.
      </PageHeader>
      <AddressCard agentDid={did} webhook={webhook} />
      <StateCard agentDid={did} webhook={webhook} now={ctx.now} />
      <section aria-labelledby="messages" className="flex flex-col gap-3">
        <h2 id="messages" className="text-lead font-semibold">
          Messages
        </h2>
        {deliveries.length === 0 && (
          <p className="text-muted">There was no message within 14 days.</p>
        )}
        <MessageList agentDid={did} messages={deliveries} now={ctx.now} />
        {webhook?.state === "active" && deliveries.some(isOnItsWay) && <Refresh />}
        <Pages
          newest={after === undefined ? null : address.href({})}
          older={next === null ? null : address.href({ after: next })}
        />
      </section>
    </div>
  );
}
