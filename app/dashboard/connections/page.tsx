import type { Metadata } from "next";
import type { Query } from "@/lib/http/session/address/search-params";
import { profileContext } from "@/lib/http/session/page";
import { listTokens } from "@/lib/services/tokens/list-tokens";
import { ButtonLink } from "../../_components/button";
import { Form } from "../../_components/forms/form";
import { Pages } from "../../_components/lists/pages";
import { StateSegments } from "../../_components/lists/segments";
import { PageHeader } from "../../_components/shell/page-header";
import { Empty } from "../../_components/states/empty";
import { revokeAction } from "./actions";
import { connectionsAddress } from "./schemas";
import { TokenList } from "./token-list";

export const metadata: Metadata = { title: "Connections" };

const perPage = 15;

export default async function ConnectionsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const { state, before } = connectionsAddress.read(await searchParams);
  const input = { did: profile.did, state, after: before, limit: perPage };
  const { tokens, next } = await listTokens(ctx, input);
  const isBare = tokens.length === 0 && state === undefined && before === undefined;
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="max-w-prose">
          <PageHeader isPlace title="Connections">
            Programs that you connected by this gateway's address, and tokens that let an agent in
            without a signing key. Keep them few, short-lived and narrow.
          </PageHeader>
        </div>
        {!isBare && <Acts />}
      </div>
      {!isBare && (
        <div>
          <StateSegments
            label="Which connections"
            current={state}
            hrefOf={(one) => connectionsAddress.href({ state: one })}
          />
        </div>
      )}
      {/* One form for the whole list, so that its result outlives the row it belonged to. */}
      <Form action={revokeAction} className={tokens.length === 0 ? "contents" : ""}>
        {tokens.length > 0 && <TokenList tokens={tokens} now={ctx.now} />}
      </Form>
      {isBare && <First />}
      {tokens.length === 0 && !isBare && (
        <Empty title={state === undefined ? "No more connections" : `No ${state} connection`}>
          What you connect or issue stays listed here with its end and its last use, also after it
          has ended.
        </Empty>
      )}
      <Pages
        newest={before === undefined ? null : connectionsAddress.href({ state })}
        older={
          next === null ? null : connectionsAddress.href({ state, before: { ...next, tier: 0 } })
        }
      />
    </div>
  );
}

function Acts() {
  return (
    <p className="flex flex-wrap justify-center gap-2">
      <Issue />
      <Connect />
    </p>
  );
}

function Connect() {
  return <ButtonLink href="/dashboard/connect">Connect an agent</ButtonLink>;
}

function Issue() {
  return (
    <ButtonLink href="/dashboard/connections/issue" look="secondary">
      Issue a token
    </ButtonLink>
  );
}

function First() {
  return (
    <Empty title="Nothing is connected yet">
      <p>
        Give Claude, ChatGPT, Cursor or another program one address: it asks you here what it may
        see. For a script that cannot do that, issue a token to paste where it runs.
      </p>
      <div className="mt-4">
        <Acts />
      </div>
    </Empty>
  );
}
