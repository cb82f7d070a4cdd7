import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { Query } from "@/lib/http/session/address/search-params";
import { profileContext } from "@/lib/http/session/page";
import { findAuthorization } from "@/lib/services/connect/authorizations";
import { InertText } from "../../../../_components/shown/inert-text";
import { lookAddress } from "../../../access/schemas";
import { Look } from "../../../lens/look";
import { QuestionName } from "../schemas";

export const metadata: Metadata = { title: "What an agent would see" };

interface Props {
  params: Promise<{ name: string }>;
  searchParams: Promise<Query>;
}

/** All that a scope of a client's question would open, page by page. */
export default async function LookPage({ params, searchParams }: Props) {
  const { ctx, profile } = await profileContext();
  const { did } = profile;
  const name = QuestionName.safeParse((await params).name).data;
  const waiting = name === undefined ? null : await findAuthorization(ctx, name);
  if (waiting === null) notFound();
  const { client, scopes } = waiting;
  const address = lookAddress(`/dashboard/connect/${name}/look`);
  const { from, scope: named } = address.read(await searchParams);
  const scope = scopes.find((one) => one === named) ?? scopes[0];
  if (scope === undefined) notFound();
  const request = { agentDid: client.agentDid, scopes, connects: true } as const;
  return (
    <Look
      {...{ ctx, address }}
      query={{ did, request, scope, offset: from }}
      above={{ href: `/dashboard/connect/${name}`, name: "The question" }}
      words={(total, opens) => (
        <>
          What <InertText text={client.name} /> would see if you open it: {total} in all
          {opens && ", and what is added later"}.
        </>
      )}
    />
  );
}
