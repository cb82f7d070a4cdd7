import type { ReactNode } from "react";
import type { AgentDossier, AgentKey } from "@/lib/services/agents/known/find-known";
import { UpLink } from "../../../_components/shell/page-header";
import { AgentName } from "../../../_components/shown/agent-name";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";

interface WhoProps {
  dossier: AgentDossier;
  now: Date;
}

/** Shows who the agent is, and how much of that somebody else has confirmed. */
export function Who({ dossier, now }: WhoProps) {
  const { agent, operator, description, stateReason, registered, keys } = dossier;
  const { firstSeenAt, lastSeenAt } = dossier;
  return (
    <header>
      <UpLink href="/dashboard/agents">Agents</UpLink>
      <h1 className="text-2xl tracking-tight">
        <AgentName agent={agent} />
      </h1>
      <p className="mt-1 font-mono text-xs wrap-anywhere text-muted">{agent.did}</p>
      <p className="mt-2 text-muted">
        {agent.verified
          ? "An admin of this gateway has checked who it is."
          : "Nobody has checked who it is: name and operator are what it says itself."}
      </p>
      {description !== null && (
        <figure className="mt-3 max-w-prose rounded-box border border-line px-3 py-2">
          <figcaption className="text-xs text-muted">In its own words</figcaption>
          <blockquote className="mt-0.5">
            <InertText text={description} lines />
          </blockquote>
        </figure>
      )}
      <dl className="mt-4 grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5">
        {operator !== null && (
          <Row name="Run by">
            <InertText text={operator} />
            {!agent.verified && <span className="text-muted">, as it says itself</span>}
          </Row>
        )}
        {registered !== null && (
          <Row name="Registered">
            {registrants[registered.by]}, <When at={registered.at} now={now} />
          </Row>
        )}
        {keys.length > 0 && (
          <Row name="Signing keys">
            <ul>
              {keys.map((key) => (
                <li key={key.id}>
                  <Key signing={key} now={now} />
                </li>
              ))}
            </ul>
          </Row>
        )}
        <Row name="Seen here">
          {firstSeenAt === null || lastSeenAt === null ? (
            "Not yet"
          ) : (
            <>
              Last <When at={lastSeenAt} now={now} />, first <When at={firstSeenAt} now={now} />
            </>
          )}
        </Row>
        {stateReason !== null && (
          <Row name="The admin's reason">
            <InertText text={stateReason} />
          </Row>
        )}
      </dl>
    </header>
  );
}

const registrants = {
  itself: "By itself",
  you: "By you",
  a_user: "By somebody else with an account here",
  an_admin: "By an admin",
};

function Key({ signing, now }: { signing: AgentKey; now: Date }) {
  const { addedAt, revokedAt, isByAdmin } = signing;
  return (
    <>
      {isByAdmin ? "Added by an admin" : "Added"} <When at={addedAt} now={now} />
      {revokedAt !== null && (
        <>
          , revoked <When at={revokedAt} now={now} />
        </>
      )}
    </>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
