import type { ConnectedAgent } from "@/lib/services/access/list-connected";
import { AgentName, agentLabel } from "../../_components/shown/agent-name";
import { When } from "../../_components/shown/when";
import { categoryTitle, categoryWords } from "../../_components/words/category";
import { counted, list } from "../../_components/words/list";
import { purposeWord } from "../../_components/words/purpose";
import { Disconnect, Disconnections } from "./disconnect";

interface ConnectedProps {
  agents: ConnectedAgent[];
  now: Date;
}

/** Who holds something of its own, and what would end with it. */
export function Connected({ agents, now }: ConnectedProps) {
  return (
    <section aria-labelledby="connected">
      <h2 id="connected" className="text-base font-semibold">
        Agents you gave access
      </h2>
      <p className="mt-1 text-muted">
        By a grant or a connection token of their own. What your general policies give stands on the{" "}
        overview.
      </p>
      <Disconnections>
        {agents.length === 0 ? (
          <p className="mt-4 rounded-box border border-dashed border-edge/60 px-4 py-5 text-center text-muted">
            None at the moment. An agent appears here once you grant what it asks for.
          </p>
        ) : (
          <ul className="mt-4 flex flex-col divide-y divide-line rounded-box border border-line bg-surface shadow-raised">
            {agents.map((one) => (
              <li key={one.agent.did} className="px-4 py-4 sm:px-6">
                <Agent one={one} now={now} />
              </li>
            ))}
          </ul>
        )}
      </Disconnections>
    </section>
  );
}

function Agent({ one, now }: { one: ConnectedAgent; now: Date }) {
  const { agent, grants } = one;
  const keyed = grants.map((grant, place) => ({ ...grant, place }));
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-72">
        <h3>
          <AgentName agent={agent} />
        </h3>
        <ul className="mt-1 flex flex-col gap-0.5">
          {keyed.map(({ place, scopes, permissions, purposes, expiresAt }) => (
            <li key={place}>
              May {list([...permissions].sort().reverse())}{" "}
              <span className="font-medium">{list(scopes.map(categoryWords))}</span>
              {purposes.length > 0 &&
                ` for ${list(purposes.map((type) => purposeWord(type).text.toLowerCase()))}`}
              <span className="text-muted">
                {" · "}
                {expiresAt === null ? (
                  "until you disconnect it"
                ) : (
                  <>
                    ends <When at={expiresAt} now={now} />
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      </div>
      <Disconnect agentDid={agent.did} agentName={agentLabel(agent)} ends={endsOf(one)} />
    </div>
  );
}

// Named before it happens: all that ends, and nothing else.
function endsOf({ grants, receipts, tokens, requests }: ConnectedAgent): string[] {
  const scopes = [...new Set(grants.flatMap((grant) => grant.scopes))];
  return [
    ...(scopes.length > 0
      ? [`${counted(grants.length, "grant")}: ${list(scopes.map(categoryTitle))}`]
      : []),
    ...(receipts > 0 ? [counted(receipts, "active receipt")] : []),
    ...tokens.map(({ label, lastFour }) => `The connection token ${label ?? ""} (…${lastFour})`),
    ...(requests > 0 ? [`${counted(requests, "request")} that waits for you`] : []),
  ];
}
