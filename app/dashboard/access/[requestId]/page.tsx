import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import type { Query } from "@/lib/http/session/address/search-params";
import { profileContext } from "@/lib/http/session/page";
import { findConsent } from "@/lib/services/access/consents";
import { AgentName } from "../../../_components/shown/agent-name";
import { Look } from "../../lens/look";
import { accessAddress, lookAddress, RequestId, requestHref } from "../schemas";

export const metadata: Metadata = { title: "What an agent would see" };

interface Props {
  params: Promise<{ requestId: string }>;
  searchParams: Promise<Query>;
}

/** All that a scope of a request would open, page by page. */
export default async function LookPage({ params, searchParams: query }: Props) {
  const { ctx, profile } = await profileContext();
  const { did } = profile;
  const requestId = RequestId.safeParse((await params).requestId).data;
  const request = requestId === undefined ? null : await findConsent(ctx, { did, requestId });
  if (request === null) notFound();
  // What a decided request would open is not what it opened.
  if (request.status !== "pending") redirect(requestHref(request.id));
  const address = lookAddress(`${accessAddress.path}/${request.id}`);
  const { from, scope: named } = address.read(await query);
  const scope = request.scopes.find((one) => one === named) ?? request.scopes[0];
  if (scope === undefined) notFound();
  return (
    <Look
      {...{ ctx, address }}
      query={{ did, request, scope, offset: from }}
      above={{ href: requestHref(request.id), name: "The request" }}
      words={(total, opens) => (
        <>
          What <AgentName agent={request.agent} className="font-medium text-ink" /> would see if you
          open it: {total} in all{opens && ", and what is added later"}.
        </>
      )}
    />
  );
}
