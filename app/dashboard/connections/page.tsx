import type { Metadata } from "next";
import { formatCursor, parseCursor } from "@/lib/http/session/cursor";
import { profileContext } from "@/lib/http/session/page";
import { listTokens, type TokenState, tokenStates } from "@/lib/services/tokens/list-tokens";
import { ButtonLink } from "../../_components/button";
import { Empty } from "../../_components/empty";
import { Pages } from "../../_components/lists/pages";
import { Segments } from "../../_components/lists/segments";
import { firstParam } from "../query";
import { Revocations } from "./revoke";
import { TokenList } from "./token-list";

export const metadata: Metadata = { title: "Connections" };

const perPage = 20;

type Query = Record<"state" | "before", string | string[] | undefined>;

export default async function ConnectionsPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, profile } = await profileContext();
  const query = await searchParams;
  const state = tokenStates.find((one) => one === firstParam(query.state));
  const after = parseCursor(firstParam(query.before));
  const input = { did: profile.did, state, after, limit: perPage };
  const { tokens, next } = await listTokens(ctx, input);
  const isBare = tokens.length === 0 && state === undefined && after === undefined;
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div className="max-w-prose">
          <h1 className="text-2xl font-semibold tracking-tight">Connections</h1>
          <p className="mt-1 text-muted">
            A connection token lets one agent in without a signing key, to this profile only. Keep
            them few, short-lived and narrow.
          </p>
        </div>
        {!isBare && <Issue />}
      </header>
      {!isBare && <Filter current={state} />}
      <Revocations>{tokens.length > 0 && <TokenList tokens={tokens} now={ctx.now} />}</Revocations>
      {isBare && <First />}
      {tokens.length === 0 && !isBare && (
        <Empty title={state === undefined ? "No more tokens" : `No ${state} token`}>
          What you issue stands here with its end and when it was last used, also after it is over.
        </Empty>
      )}
      <Pages
        newest={after === undefined ? null : hrefOf(state)}
        older={next === null ? null : hrefOf(state, formatCursor(next))}
      />
    </div>
  );
}

function Issue() {
  return <ButtonLink href="/dashboard/connections/issue">Issue a token</ButtonLink>;
}

function First() {
  return (
    <Empty title="No token has been issued yet">
      <p>
        For an agent that cannot keep a signing key: a script, an automation, a plugin. Choose the
        agent and what it may see; you get a token to paste where it runs.
      </p>
      <p className="mt-4">
        <Issue />
      </p>
    </Empty>
  );
}

function Filter({ current }: { current: TokenState | undefined }) {
  const words: Record<TokenState, string> = {
    active: "Active",
    expired: "Expired",
    revoked: "Revoked",
  };
  return (
    <div>
      <Segments
        label="Which tokens"
        choices={[
          { href: hrefOf(undefined), text: "All", isCurrent: current === undefined },
          ...tokenStates.map((state) => ({
            href: hrefOf(state),
            text: words[state],
            isCurrent: state === current,
          })),
        ]}
      />
    </div>
  );
}

function hrefOf(state: TokenState | undefined, before?: string | null): string {
  const query = new URLSearchParams();
  if (state !== undefined) query.set("state", state);
  if (before) query.set("before", before);
  const text = query.toString();
  return `/dashboard/connections${text === "" ? "" : `?${text}`}`;
}
