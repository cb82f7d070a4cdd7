import Link from "next/link";
import { sumOf } from "@/lib/rules/effect/seen";
import type { CategoryReach, ProfileReach } from "@/lib/services/access/sight/reach";
import type { AgentCondition, KnownAgent } from "@/lib/services/agents/known/list-known";
import { Icon } from "../../_components/icon";
import { Menu, MenuLink, menuDanger } from "../../_components/menu";
import { AgentName, agentWords, RunBy } from "../../_components/shown/agent-name";
import { categoryIcon } from "../../_components/shown/category-icon";
import { Identicon } from "../../_components/shown/identicon";
import { When } from "../../_components/shown/when";
import { categoryTitle } from "../../_components/words/category";
import { counted } from "../../_components/words/list";
import type { ReaderClock } from "../../_components/words/time";
import { heldWords } from "../access/request/words/grant-words";
import { inboxSearch } from "../proposals/search";
import { activityHref, agentHref } from "./agent-href";
import { openIn, reasonsWords } from "./reach-words";

interface AgentListProps {
  agents: KnownAgent[];
  reach: ProfileReach;
  clock: ReaderClock;
}

const columns =
  "grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-2 rail:grid-cols-[minmax(0,5fr)_minmax(0,5fr)_minmax(0,2fr)_minmax(0,2fr)_36px] rail:items-center";

/** A row for each agent; on a phone a card. */
export function AgentList({ agents, reach, clock }: AgentListProps) {
  const reaches = new Map(reach.agents.map(({ agent, categories }) => [agent.did, categories]));
  return (
    <div className="box">
      <div
        aria-hidden="true"
        className={`hidden border-b border-line px-3 py-2 text-small font-medium text-muted rail:grid ${columns}`}
      >
        {["Agent", "Can read", "For you to decide", "Last seen"].map((head) => (
          <span key={head}>{head}</span>
        ))}
      </div>
      <ul className="divide-y divide-line">
        {agents.map((known) => (
          <li key={known.agent.did}>
            <AgentRow known={known} categories={reaches.get(known.agent.did)} clock={clock} />
          </li>
        ))}
      </ul>
    </div>
  );
}

interface AgentRowProps {
  known: KnownAgent;
  /** What it can do with each category; missing where it is not active. */
  categories: CategoryReach[] | undefined;
  clock: ReaderClock;
}

function AgentRow({ known, categories = [], clock }: AgentRowProps) {
  const { agent, operator, lastSeenAt } = known;
  return (
    <article className={`px-3 py-2.5 hover:bg-sunken rail:min-h-17 ${columns}`}>
      <div className="flex min-w-0 items-center gap-3">
        <Identicon did={agent.did} className="size-10" />
        <div className="min-w-0">
          <h2>
            <Link href={agentHref(agent.did)} prefetch={false} className="hover:underline">
              <AgentName agent={agent} />
            </Link>
          </h2>
          {operator !== null && (
            <p className="text-small text-muted">
              <RunBy agent={{ ...agent, operator }} />
            </p>
          )}
        </div>
      </div>
      <div className="rail:order-last">
        <RowMenu known={known} />
      </div>
      <div className="col-span-2 min-w-0 rail:col-span-1">
        <Reads known={known} categories={categories} clock={clock} />
      </div>
      <Waiting known={known} />
      <p className="col-span-2 text-small rail:col-span-1">
        <span className="text-muted rail:sr-only">Last seen </span>
        {lastSeenAt === null ? "Not seen here yet" : <When at={lastSeenAt} now={clock.now} />}
      </p>
    </article>
  );
}

/** What an agent that is not active can do. */
export const conditionWords: Record<Exclude<AgentCondition, "active">, string> = {
  pending: "Waits for an admin of this gateway to approve it; until then it reaches nothing.",
  suspended: "An admin of this gateway has suspended it: it reaches nothing while that lasts.",
  unknown: "This gateway does not know it any more, so it reaches nothing.",
};

interface ReadsProps {
  known: KnownAgent;
  categories: CategoryReach[];
  clock: ReaderClock;
}

const rootsMax = 8;
/** More of them are shown as icons alone. */
const namedMax = 3;

function Reads({ known, categories, clock }: ReadsProps) {
  const { state, blocked, quarantined, asksToResume } = known;
  if (state !== "active") return <p className="text-small text-muted">{conditionWords[state]}</p>;
  if (blocked || quarantined) {
    return (
      <p className="text-muted">
        {blocked ? "Blocked" : "In quarantine"}: reads and proposes nothing
        {asksToResume && ". It asks to be let in again."}
      </p>
    );
  }
  const open = openIn(categories);
  const roots = [...new Set(open.map(({ category }) => category.split(".", 1).join()))];
  const isNamed = roots.length <= namedMax;
  return (
    <>
      <p className="text-small text-muted rail:hidden">Can read</p>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {roots.slice(0, rootsMax).map((root) => (
          <span
            key={root}
            title={categoryTitle(root)}
            className="flex h-6.5 max-w-full min-w-7 items-center justify-center gap-1.5 rounded-key border border-edge px-1.5"
          >
            <Icon icon={categoryIcon(root)} className="size-4" />
            <span className={isNamed ? "truncate text-small" : "sr-only"}>
              {categoryTitle(root)}
            </span>
          </span>
        ))}
        {roots.length > rootsMax && (
          <span className="text-small text-muted">
            and {(roots.length - rootsMax).toLocaleString("en")} more
          </span>
        )}
        <span className={open.length === 0 ? "text-muted" : "font-semibold tabular-nums"}>
          {open.length === 0 ? "Nothing" : heldWords(sumOf(open))}
        </span>
      </div>
      <p className="mt-0.5 text-small text-muted">{reasonsWords(categories, clock)}</p>
    </>
  );
}

function Waiting({ known: { agent, proposals, requests } }: { known: KnownAgent }) {
  const link =
    "inline-flex min-h-6.5 items-center rounded-key bg-signal px-2 text-small font-medium text-on-signal forced-colors:border";
  if (proposals + requests === 0) return <p className="text-muted max-rail:hidden">–</p>;
  return (
    <p className="col-span-2 flex flex-wrap gap-1.5 rail:col-span-1">
      {proposals > 0 && (
        <Link href={inboxSearch.href({ agent: agent.did })} prefetch={false} className={link}>
          {counted(proposals, "proposal waits", "proposals wait")}
        </Link>
      )}
      {requests > 0 && (
        <Link href="/dashboard/access" prefetch={false} className={link}>
          {counted(requests, "request waits", "requests wait")}
        </Link>
      )}
    </p>
  );
}

function RowMenu({ known: { agent, blocked } }: { known: KnownAgent }) {
  const name = agentWords(agent);
  const href = agentHref(agent.did);
  return (
    <Menu label={`More about ${name}`}>
      <MenuLink href={`${href}#see-as`} icon="eye" text={`See as ${name}`} />
      <MenuLink href={activityHref(agent.did)} icon="clock-counter-clockwise" text="What it did" />
      <MenuLink href={inboxSearch.href({ agent: agent.did })} icon="tray" text="What it proposed" />
      {!blocked && (
        <MenuLink
          href={`${href}#remove-access`}
          icon="prohibit"
          className={menuDanger}
          text="Remove access…"
        />
      )}
    </Menu>
  );
}
