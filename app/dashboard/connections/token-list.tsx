import type { ReactNode } from "react";
import type { TokenLine } from "@/lib/services/tokens/list-tokens";
import { AskOnceMore } from "../../_components/forms/ask-once-more";
import { SubmitButton } from "../../_components/forms/form";
import { AgentName, agentWords } from "../../_components/shown/agent-name";
import { CategoryChip } from "../../_components/shown/category-chip";
import { InertText } from "../../_components/shown/inert-text";
import { Lifespan } from "../../_components/shown/seen";
import { When } from "../../_components/shown/when";
import { fittingCount, list } from "../../_components/words/list";
import { letInFrom } from "./token-name";

interface TokenListProps {
  tokens: TokenLine[];
  now: Date;
}

/** In characters. */
const scopesMax = 300;

export function TokenList({ tokens, now }: TokenListProps) {
  return (
    <ul aria-label="Connections" className="flex flex-col divide-y divide-line box">
      {tokens.map((token) => (
        <li key={token.id} id={token.id} className="px-4 py-4 sm:px-6">
          <Line token={token} now={now} />
        </li>
      ))}
    </ul>
  );
}

function Line({ token, now }: { token: TokenLine; now: Date }) {
  const { agent, label, lastFour, client, scopes, permissions, state } = token;
  const shown = scopes.slice(
    0,
    fittingCount(scopes, { of: ({ length }) => length, max: scopesMax }),
  );
  const isActive = state === "active";
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-80">
        <h2 className="flex flex-wrap items-center gap-x-3">
          <AgentName agent={agent} tile="size-6" />
          <span className="text-muted">
            {client !== null && label !== null && letInFrom}
            {label !== null && <InertText text={label} />}
            {lastFour !== null && (
              <>
                {label !== null && " · "}
                <span
                  title="How the token ends; the rest is not kept"
                  className="font-mono text-small"
                >
                  …{lastFour}
                </span>
              </>
            )}
            {client !== null && clientWords(client)}
          </span>
        </h2>
        <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1">
          <span>
            {isActive ? "May" : "Could"}{" "}
            {client === null ? list([...permissions].sort().reverse()) : "read"}
          </span>
          {shown.map((scope) => (
            <CategoryChip key={scope} category={scope} />
          ))}
          {scopes.length > shown.length && (
            <span className="text-muted">and {scopes.length - shown.length} more</span>
          )}
          {client !== null && permissions.includes("propose") && <span>and propose memories</span>}
        </p>
        <Times token={token} now={now} />
      </div>
      {isActive && <Revoke token={token} />}
    </div>
  );
}

/** Where a client says who it is: nothing else vouches for its name. */
function clientWords({ id }: { id: string }): string {
  return id.startsWith("https:") ? ` · from ${new URL(id).hostname}` : " · gave itself its name";
}

function Revoke({ token: { id, agent, label, lastFour } }: { token: TokenLine }) {
  const name = agentWords(agent);
  if (lastFour === null) {
    return (
      <AskOnceMore act="Remove access" to={`${name}, ${label ?? "connected"}`}>
        <p>
          It is refused at its next call, and what connecting it opened is closed. Other connections
          of {name} stay. What it has read already stays with it.
        </p>
        <SubmitButton look="danger" name="revoke" value={id}>
          Remove access now
        </SubmitButton>
      </AskOnceMore>
    );
  }
  return (
    <AskOnceMore act="Revoke" to={`the token …${lastFour} of ${name}`}>
      <p>
        Whatever runs with this token is refused at once, and the consent that issuing it was ends
        with it. What {name} has read already stays with it.
      </p>
      <SubmitButton look="danger" name="revoke" value={id}>
        Revoke now
      </SubmitButton>
    </AskOnceMore>
  );
}

function Times({ token, now }: { token: TokenLine; now: Date }) {
  const { createdAt, lastUsedAt } = token;
  const facts: [name: string, ReactNode][] = [
    ["State", <Lifespan key="state" of={token} now={now} />],
    [
      "Last used",
      lastUsedAt === null ? "never used" : <>used {<When at={lastUsedAt} now={now} />}</>,
    ],
    [
      token.client === null ? "Issued" : "Connected",
      <>
        {token.client === null ? "issued" : "connected"} {<When at={createdAt} now={now} />}
      </>,
    ],
  ];
  return (
    <dl className="mt-2 flex flex-wrap gap-x-5 gap-y-0.5 text-small text-muted">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt className="sr-only">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
