import type { ReactNode } from "react";
import type { TokenLine } from "@/lib/services/tokens/list-tokens";
import { AgentName, agentLabel } from "../../_components/shown/agent-name";
import { CategoryChip } from "../../_components/shown/category-chip";
import { InertText } from "../../_components/shown/inert-text";
import { When } from "../../_components/shown/when";
import { visibleText } from "../../_components/words/inert";
import { fittingCount, list } from "../../_components/words/list";
import { Revoke } from "./revoke";

interface TokenListProps {
  tokens: TokenLine[];
  now: Date;
}

/** In characters. */
const scopesMax = 300;

export function TokenList({ tokens, now }: TokenListProps) {
  return (
    <ul
      aria-label="Tokens"
      className="flex flex-col divide-y divide-line rounded-box border border-line bg-surface shadow-raised"
    >
      {tokens.map((token) => (
        <li key={token.id} id={token.id} className="px-4 py-4 sm:px-6">
          <Line token={token} now={now} />
        </li>
      ))}
    </ul>
  );
}

function Line({ token, now }: { token: TokenLine; now: Date }) {
  const { id, agent, label, lastFour, scopes, permissions, state } = token;
  const shown = scopes.slice(
    0,
    fittingCount(scopes, { of: ({ length }) => length, max: scopesMax }),
  );
  const isActive = state === "active";
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-80">
        <h2 className="flex flex-wrap items-baseline gap-x-3">
          <AgentName agent={agent} />
          <span className="text-muted">
            {label !== null && (
              <>
                <InertText text={label} /> ·{" "}
              </>
            )}
            <span title="How the token ends; the rest is not kept" className="font-mono text-xs">
              …{lastFour}
            </span>
          </span>
        </h2>
        <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1">
          <span>
            {isActive ? "May" : "Could"} {list([...permissions].sort().reverse())}
          </span>
          {shown.map((scope) => (
            <CategoryChip key={scope} category={scope} />
          ))}
          {scopes.length > shown.length && (
            <span className="text-muted">and {scopes.length - shown.length} more</span>
          )}
        </p>
        <Times token={token} now={now} />
      </div>
      {isActive && (
        <Revoke id={id} agentName={visibleText(agentLabel(agent))} lastFour={lastFour} />
      )}
    </div>
  );
}

function Times({ token, now }: { token: TokenLine; now: Date }) {
  const { createdAt, lastUsedAt } = token;
  return (
    <dl className="mt-2 flex flex-wrap gap-x-5 gap-y-0.5 text-xs text-muted">
      <Fact name="State">
        <State token={token} now={now} />
      </Fact>
      <Fact name="Last used">
        {lastUsedAt === null ? "never used" : <>used {<When at={lastUsedAt} now={now} />}</>}
      </Fact>
      <Fact name="Issued">
        issued <When at={createdAt} now={now} />
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="sr-only">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function State({ token: { state, expiresAt, revokedAt }, now }: { token: TokenLine; now: Date }) {
  if (state === "active") {
    return (
      <>
        <span className="font-medium text-accent">Active</span>, ends{" "}
        <When at={expiresAt} now={now} />
      </>
    );
  }
  return (
    <>
      <span className="font-medium text-ink">{state === "revoked" ? "Revoked" : "Expired"}</span>{" "}
      <When at={revokedAt ?? expiresAt} now={now} />
    </>
  );
}
