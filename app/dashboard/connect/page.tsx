import type { Metadata } from "next";
import Link from "next/link";
import type { Query } from "@/lib/http/session/address/search-params";
import { gatewayUrl } from "@/lib/http/session/gateway-url";
import { profileContext } from "@/lib/http/session/page";
import { resourceOf } from "@/lib/oauth/metadata";
import { findArrival } from "@/lib/services/connect/arrival";
import { SidewaysNav } from "../../_components/lists/sideways-nav";
import { PageHeader } from "../../_components/shell/page-header";
import { Address } from "./address";
import { Arrived } from "./arrived";
import { type ProgramId, programIds, programs } from "./programs/programs";
import { unreachableBecause } from "./programs/reachable";
import { connectAddress } from "./schemas";

export const metadata: Metadata = { title: "Connect an agent" };

/** One address for every program, its steps, and who arrives. */
export default async function ConnectAgentPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const { with: current } = connectAddress.read(await searchParams);
  const arrival = await findArrival(ctx, profile.did);
  const address = resourceOf(await gatewayUrl());
  return (
    <div className="-mx-4 -mt-4 grid grid-cols-1 rail:-mx-8 rail:-mt-6 rail:min-h-dvh full:grid-cols-[minmax(0,1fr)_372px] full:grid-rows-[auto_1fr]">
      <div className="px-4 pt-4 rail:px-8 rail:pt-6">
        <PageHeader
          above={{ href: "/dashboard/connections", name: "Connections" }}
          title="Connect an agent"
        >
          Paste one address. It then asks you here, and reads nothing before you say so.
        </PageHeader>
        <Programs current={current} />
        <Address address={address} />
      </div>
      <Arrived arrival={arrival} now={ctx.now} />
      <div className="px-4 pb-8 max-full:pt-5.5 rail:px-8">
        <Steps current={current} address={address} />
      </div>
    </div>
  );
}

function Programs({ current }: { current: ProgramId }) {
  return (
    <SidewaysNav label="Programs" current={current} className="mt-4">
      <ul className="flex w-max min-w-full gap-5 border-b border-line">
        {programIds.map((id) => (
          <li key={id}>
            <Link
              href={connectAddress.href({ with: id })}
              prefetch={false}
              scroll={false}
              aria-current={id === current ? "page" : undefined}
              className="flex min-h-11 items-center border-b-3 border-transparent font-medium whitespace-nowrap text-muted hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-ink aria-[current=page]:font-semibold aria-[current=page]:text-ink"
            >
              {programs[id].title}
            </Link>
          </li>
        ))}
      </ul>
    </SidewaysNav>
  );
}

function Steps({ current, address }: { current: ProgramId; address: string }) {
  const { fromAfar, steps } = programs[current];
  const because = fromAfar === null ? null : unreachableBecause(address);
  return (
    <>
      {because !== null && (
        <p role="note" className="mb-4 rounded-box border border-edge bg-sunken px-4 py-3">
          <b className="font-semibold">{fromAfar} cannot reach this gateway here</b>: it calls from
          its maker's servers, and {because}. Programs that run on your machine can: Claude Code,
          Cursor, VS Code, Goose and your own code.
        </p>
      )}
      <ol>
        {steps(address).map((step, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a program never change places
          <li key={place} className="flex gap-4 border-t border-line py-3.5">
            <span
              aria-hidden="true"
              className="grid size-6.5 shrink-0 place-items-center rounded-key bg-ink text-small font-bold text-on-ink"
            >
              {place + 1}
            </span>
            <div className="min-w-0 flex-1 wrap-anywhere [&_b]:font-semibold [&_figure]:mt-2.5">
              {step}
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}
