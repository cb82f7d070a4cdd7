import Link from "next/link";
import type { ProfileReach } from "@/lib/services/access/sight/reach";
import { Icon } from "../../_components/icon";
import { agentLabel } from "../../_components/shown/agent-name";
import { categoryIcon } from "../../_components/shown/category-icon";
import { Identicon } from "../../_components/shown/identicon";
import { InertText } from "../../_components/shown/inert-text";
import { categoryTitle, categoryWords } from "../../_components/words/category";
import { counted, list } from "../../_components/words/list";
import { type ReaderClock, untilWords } from "../../_components/words/time";
import { agentHref } from "../agents/agent-href";
import { EverythingOff } from "./everything-off";
import { Legend, Mark } from "./mark";
import {
  type Cell,
  cellWords,
  type Ending,
  linesOf,
  type Matrix,
  matrixOf,
  partOf,
} from "./matrix";

interface WhoSeesWhatProps {
  reach: ProfileReach;
  clock: ReaderClock;
  isOff: boolean;
}

/** Agents and categories, with what each can do now: the same function decides what they get. */
export function WhoSeesWhat({ reach, clock, isOff }: WhoSeesWhatProps) {
  const matrix = matrixOf(reach);
  const cells = matrix.rows.flatMap(({ cells }) => cells);
  return (
    <section aria-labelledby="who-sees-what" className="min-w-0">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="who-sees-what" className="text-lead font-semibold">
          Who sees what?
        </h2>
        <Legend cells={cells} />
      </div>
      <div className="overflow-clip box">
        {matrix.rows.length === 0 ? (
          <p className="px-4 py-3 text-muted">No active agent has reached your profile yet.</p>
        ) : (
          <>
            <Lines matrix={matrix} clock={clock} />
            <Table matrix={matrix} clock={clock} />
          </>
        )}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-2 pr-2 pl-4 text-small">
          <Icon icon="hourglass" className="size-4" />
          <p className="min-w-0 flex-1 basis-48">
            <NextEnd end={matrix.nextEnd} clock={clock} />
          </p>
          <Link href="/dashboard/access/policies" className="mr-2 link font-medium">
            The rules behind this
          </Link>
        </div>
      </div>
      {!isOff && <EverythingOff />}
    </section>
  );
}

function NextEnd({ end, clock }: { end: Ending | null; clock: ReaderClock }) {
  if (end === null) return "No reading ends by itself.";
  return (
    <>
      <span className="font-semibold">Next to end:</span> <InertText text={agentLabel(end.agent)} />
      , {categoryWords(end.category)}, {untilWords(end.at, clock)}
    </>
  );
}

/** The same on a phone, where no table fits: what each agent can do, by what it can do. */
function Lines({ matrix, clock }: TableProps) {
  const { columns, rows } = matrix;
  return (
    <ul aria-label="Agents" className="divide-y divide-line rail:hidden">
      {rows.map(({ agent, cells }) => (
        <li key={agent.did} className="px-4 py-2">
          <AgentCell agent={agent} />
          <ul className="flex flex-col gap-1 pb-1 text-small">
            {linesOf(cells, clock).map(({ kind, isAsking, words, places }) => (
              <li key={words} className="flex items-start gap-3">
                <Mark kind={kind} isAsking={isAsking} className="h-4.5 w-5.5" />
                <span>
                  <span className="font-medium">
                    {list(places.map((place) => shortTitle(columns[place]?.category ?? "")))}
                  </span>
                  : {words}
                </span>
              </li>
            ))}
          </ul>
        </li>
      ))}
      <li className="empty:hidden">
        <More matrix={matrix} />
      </li>
    </ul>
  );
}

interface TableProps {
  matrix: Matrix;
  clock: ReaderClock;
}

// The names stay in sight while the rest scrolls.
const first = "sticky left-0 min-w-28 bg-surface pr-0.5 pl-1 text-left font-medium wrap-anywhere";

function Table({ matrix, clock }: TableProps) {
  const { columns, rows } = matrix;
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      aria-label="Agents and categories"
      className="relative overflow-x-auto px-3 outline-offset-[-2px] max-rail:hidden"
    >
      <table className="w-full border-collapse text-center [&_td]:h-12.5 [&_td]:px-0.5">
        <thead>
          <tr className="border-b border-line align-top text-small leading-4.5">
            <th scope="col" className={first}>
              <span className="sr-only">Agent</span>
            </th>
            {columns.map(({ category, items }) => (
              <th key={category} scope="col" className="px-1 py-2 font-medium">
                <span className="mb-0.5 flex items-center justify-center gap-1.5">
                  <Icon icon={categoryIcon(category)} className="size-5" />
                  <span className="text-muted tabular-nums">{items.toLocaleString("en")}</span>
                </span>
                <span className="mx-auto block max-w-28 wrap-break-word">
                  {shortTitle(category)}
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map(({ agent, cells }) => (
            <tr key={agent.did}>
              <th scope="row" className={first}>
                <AgentCell agent={agent} />
              </th>
              {cells.map((cell, place) => (
                <CellOf key={columns[place]?.category} cell={cell} clock={clock} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <More matrix={matrix} />
    </section>
  );
}

function CellOf({ cell, clock }: { cell: Cell; clock: ReaderClock }) {
  const words = cellWords(cell, clock);
  return (
    <td title={words}>
      <span className="sr-only">{words}</span>
      <Mark {...cell} part={partOf(cell)} />
    </td>
  );
}

function AgentCell({ agent }: { agent: Ending["agent"] }) {
  return (
    <Link
      href={agentHref(agent.did)}
      prefetch={false}
      title={agent.did}
      className="flex min-h-11 min-w-0 items-center gap-2 font-semibold hover:underline rail:min-h-9"
    >
      <Identicon did={agent.did} className="size-6.5" />
      <InertText text={agentLabel(agent)} />
      {agent.verified && (
        <span className="text-open" title="Verified">
          <Icon icon="seal-check-fill" className="size-4" />
          <span className="sr-only">Verified</span>
        </span>
      )}
    </Link>
  );
}

function More({ matrix: { moreColumns, moreRows, isAtLeast } }: Pick<TableProps, "matrix">) {
  if (moreColumns + moreRows === 0) return null;
  return (
    <p className="sticky left-0 border-t border-line px-1 py-2 text-left text-small text-muted">
      {moreColumns > 0 && counted(moreColumns, "more category", "more categories")}
      {moreColumns > 0 && moreRows > 0 && " · "}
      {moreRows > 0 && (
        <Link href="/dashboard/agents" className="link">
          {isAtLeast && "At least "}
          {counted(moreRows, "more agent")}
        </Link>
      )}
    </p>
  );
}

// "Money matters" and "Professional facts" are too long for a column.
function shortTitle(category: string): string {
  return categoryTitle(category).replace(/ (matters|facts)$/, "");
}
