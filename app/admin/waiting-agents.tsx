import Link from "next/link";
import type { AgentLine } from "@/lib/services/admin/agents/list-agents";
import { Form, SubmitButton } from "../_components/forms/form";
import { Menu, MenuLink } from "../_components/menu";
import { AgentName, agentWords, RunBy } from "../_components/shown/agent-name";
import { Identicon } from "../_components/shown/identicon";
import { When } from "../_components/shown/when";
import { TextLink } from "../_components/text-link";
import { agentAction } from "./agents/actions";
import { agentHref } from "./agents/address";

/** The registrations that wait, each decided where it stands. */
export function WaitingAgents({ agents, now }: { agents: AgentLine[]; now: Date }) {
  if (agents.length === 0) {
    return (
      <p className="text-muted">
        No agent waits. <TextLink href="/admin/agents/register">Register one</TextLink> yourself.
      </p>
    );
  }
  return (
    <ul className="theirs">
      {agents.map((agent) => (
        <li
          key={agent.did}
          className="relative flex flex-wrap items-center gap-x-3.5 gap-y-2 border-t border-theirs-line px-3.5 py-3 first:border-0"
        >
          <Identicon did={agent.did} className="size-10" />
          <div className="min-w-0 flex-1 basis-56 pr-10 rail:pr-0">
            <Link href={agentHref(agent.did)} prefetch={false} className="hover:underline">
              <AgentName agent={agent} />
            </Link>{" "}
            <span className="text-theirs-muted">
              asks to be let in · <When at={agent.createdAt} now={now} />
            </span>
            <p className="text-small wrap-anywhere text-theirs-muted">
              <RunBy agent={agent} />
            </p>
          </div>
          <Decision agent={agent} />
          <span className="absolute top-2 right-1.5 rail:static">
            <Menu label={`More about ${agentWords(agent)}`}>
              <MenuLink href={agentHref(agent.did)} icon="robot" text="Look at it, or refuse it" />
            </Menu>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Decision({ agent }: { agent: AgentLine }) {
  const name = <span className="sr-only"> {agentWords(agent)}</span>;
  return (
    <Form action={agentAction} className="flex flex-1 flex-wrap gap-2 rail:flex-none">
      <input type="hidden" name="did" value={agent.did} />
      <SubmitButton name="intent" value="approve" className="order-2 flex-1">
        Approve{name}
      </SubmitButton>
      <SubmitButton name="intent" value="approveAndVerify" look="secondary" className="flex-1">
        Approve and verify{name}
      </SubmitButton>
    </Form>
  );
}
