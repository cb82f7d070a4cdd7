import type { Metadata } from "next";
import { profileContext } from "@/lib/http/session/page";
import { isLoopbackRedirect } from "@/lib/oauth/redirects";
import type { NamedAgent } from "@/lib/services/access/named-agent";
import { previewRequest } from "@/lib/services/access/sight/preview";
import { type CategoryReach, reachOf } from "@/lib/services/access/sight/reach";
import {
  findAuthorization,
  findNamesake,
  type WaitingAuthorization,
} from "@/lib/services/connect/authorizations";
import type { Ctx } from "@/lib/services/context";
import { readerZone } from "../../../_components/shell/reader-zone";
import { AgentName, agentLabel } from "../../../_components/shown/agent-name";
import { Identicon } from "../../../_components/shown/identicon";
import { InertText } from "../../../_components/shown/inert-text";
import type { ReaderClock } from "../../../_components/words/time";
import { HasAlready } from "../../access/request/has-already";
import { connectionChoicesFrom, Head, Rest, switchesFor } from "../../access/request/request-panes";
import { asksWords } from "../../access/request/words/request-words";
import { openIn } from "../../agents/reach-words";
import { ConnectForm } from "./connect-form";
import { QuestionName } from "./schemas";

export const metadata: Metadata = { title: "Connect an agent" };

interface Props {
  params: Promise<{ name: string }>;
}

/** A client sent its owner here: what it asks for, with the very data, and the answer that goes back to it. */
export default async function ConnectPage({ params }: Props) {
  const { ctx, profile } = await profileContext();
  const name = QuestionName.safeParse((await params).name).data ?? "";
  const [waiting, zone] = await Promise.all([findAuthorization(ctx, name), readerZone()]);
  const clock = { now: ctx.now, zone };
  const asking = waiting && (await askingOf(waiting, { ctx, did: profile.did, name, clock }));
  return (
    <article
      {...(asking !== null && { "aria-labelledby": "asks" })}
      className="-mx-4 -mt-4 -mb-24 grid wrap-anywhere grid-cols-1 rail:-mx-8 rail:-my-6 rail:min-h-dvh rail:grid-cols-[340px_minmax(0,1fr)] rail:grid-rows-[auto_1fr_auto] full:grid-cols-[404px_minmax(0,1fr)]"
    >
      {waiting !== null && asking !== null && <WhoAsks waiting={waiting} {...asking.who} />}
      <ConnectForm {...{ name, clock }} asking={asking?.shown ?? null} over={<Over />} />
    </article>
  );
}

interface Asking {
  ctx: Ctx;
  did: string;
  name: string;
  clock: ReaderClock;
}

async function askingOf(waiting: WaitingAuthorization, { ctx, did, name, clock }: Asking) {
  const { client, scopes, proposes } = waiting;
  const agent = { did: client.agentDid, name: client.name, verified: false };
  const request = { agentDid: client.agentDid, scopes, connects: true } as const;
  const [preview, namesake, reach] = await Promise.all([
    previewRequest(ctx, { did, request }),
    findNamesake(ctx, { did, client }),
    reachOf(ctx, { did, agents: [client.agentDid] }),
  ]);
  const has = reach.agents[0]?.categories ?? [];
  const shown = {
    proposes,
    choices: connectionChoicesFrom(ctx.now),
    switches: switchesFor({ lookPath: `/dashboard/connect/${name}/look`, preview, clock }),
    head: <Head agent={agent} />,
    rest: <Rest preview={preview} />,
  };
  return { who: { agent, namesake, has, clock }, shown };
}

interface WhoAsksProps {
  waiting: WaitingAuthorization;
  agent: NamedAgent;
  namesake: NamedAgent | null;
  /** What its other connections and your rules open already. */
  has: CategoryReach[];
  clock: ReaderClock;
}

function WhoAsks({ waiting, agent, namesake, has, clock }: WhoAsksProps) {
  const { client, scopes, redirectUri, goesTo } = waiting;
  const isConnected = openIn(has).length > 0;
  return (
    <section aria-label="What it asks" className="bg-theirs px-4 pt-4 rail:px-7 rail:pt-5.5">
      <p className="text-small text-theirs-muted">
        {isConnected
          ? "A program that reads here already asks for one more connection"
          : "A program asks to be connected"}
      </p>
      <div className="mt-3 flex items-center gap-3">
        <Identicon did={client.agentDid} className="size-12" />
        <div className="min-w-0">
          <p className="text-lead font-bold">
            <InertText text={agentLabel(agent)} />
          </p>
          <p className="text-small text-theirs-muted">a name that it gives itself</p>
        </div>
      </div>
      <h1 id="asks" className="mt-3.5 mb-3 text-title font-semibold tracking-tight">
        {asksWords(scopes)}
      </h1>
      <dl className="grid grid-cols-[84px_minmax(0,1fr)] gap-x-3 gap-y-1.5">
        <dt className="text-theirs-muted">Goes to</dt>
        <dd className="font-semibold">
          {isLoopbackRedirect(redirectUri) ? `a program on this computer (${goesTo})` : goesTo}
        </dd>
        {isDocument(client.id) && (
          <>
            <dt className="text-theirs-muted">Comes from</dt>
            <dd className="font-semibold">{new URL(client.id).hostname}</dd>
          </>
        )}
      </dl>
      {namesake !== null && (
        <p className="my-3.5 rounded-box border border-sensitive bg-surface/70 px-3 py-2.5 text-small">
          Another agent here has this name, and this is not that one:{" "}
          <AgentName agent={namesake} className="font-semibold" />
        </p>
      )}
      {isConnected && <HasAlready categories={has} clock={clock} />}
      {isLoopbackRedirect(redirectUri) && (
        <p className="my-3.5 rounded-box border border-theirs-line bg-surface/70 px-3 py-2.5 text-small">
          Your answer goes to a program on the machine that this browser runs on. If you did not
          just start one that asked for this, deny.
        </p>
      )}
    </section>
  );
}

function isDocument(id: string): boolean {
  return id.startsWith("https://");
}

function Over() {
  return (
    <div className="px-4 pt-4 rail:col-span-2 rail:px-8 rail:pt-6">
      <h1 className="text-title font-semibold tracking-tight">This question is over</h1>
      <p className="mt-2 max-w-prose text-muted">
        It was answered already, or it waited for more than 15 minutes. Opening it again changed
        nothing. To connect, begin again in the program that sent you here.
      </p>
    </div>
  );
}
