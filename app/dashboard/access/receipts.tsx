import Link from "next/link";
import type { ReceiptLine, ReceiptState } from "@/lib/services/access/list-receipts";
import { AgentName } from "../../_components/shown/agent-name";
import { When } from "../../_components/shown/when";
import { categoryTitle } from "../../_components/words/category";
import { list } from "../../_components/words/list";
import { purposeWord } from "../../_components/words/purpose";
import { Told } from "./request/purpose";

interface ReceiptsProps {
  receipts: ReceiptLine[];
  state: ReceiptState | undefined;
  /** Where older ones are. */
  older: string | null;
  now: Date;
}

const states: { state?: ReceiptState; label: string }[] = [
  { label: "All" },
  { state: "active", label: "Active" },
  { state: "expired", label: "Expired" },
  { state: "revoked", label: "Revoked" },
];

export function Receipts({ receipts, state, older, now }: ReceiptsProps) {
  return (
    <section aria-labelledby="receipts" className="scroll-mt-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="receipts" className="text-base font-semibold">
          Receipts
        </h2>
        <Filter current={state} />
      </div>
      <p className="mt-1 text-muted">
        Each time an agent is let in for a purpose it gets a receipt, good for a day at most.
      </p>
      {receipts.length === 0 ? (
        <p className="mt-4 rounded-box border border-dashed border-edge/60 px-4 py-5 text-center text-muted">
          {state === undefined ? "No agent has been let in for a purpose yet." : `None ${state}.`}
        </p>
      ) : (
        <Table receipts={receipts} now={now} />
      )}
      {older !== null && (
        <p className="mt-4">
          <Link
            href={older}
            prefetch={false}
            className="font-medium text-accent underline underline-offset-4"
          >
            Older receipts
          </Link>
        </p>
      )}
    </section>
  );
}

function Filter({ current }: { current: ReceiptState | undefined }) {
  return (
    <ul className="inline-flex gap-1 rounded-box bg-sunken p-1" aria-label="Which receipts">
      {states.map(({ state, label }) => (
        <li key={label}>
          <Link
            href={`/dashboard/access${state === undefined ? "" : `?receipts=${state}`}#receipts`}
            prefetch={false}
            aria-current={state === current ? "true" : undefined}
            className="flex min-h-7 items-center rounded-box px-3 text-xs text-muted hover:text-ink aria-[current=true]:bg-lifted aria-[current=true]:text-ink aria-[current=true]:shadow-raised"
          >
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

const columns = ["Agent", "Could read", "For", "Given", "State"];

// A table that becomes cards on a phone; each cell then says what it is.
function Table({ receipts, now }: { receipts: ReceiptLine[]; now: Date }) {
  return (
    <div className="mt-4 overflow-clip rounded-box border border-line bg-surface shadow-raised">
      <table className="block w-full text-left md:table">
        <thead className="hidden md:table-header-group">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-4 py-3 text-xs font-medium text-muted">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="block divide-y divide-line md:table-row-group">
          {receipts.map((receipt) => (
            <Line key={receipt.id} receipt={receipt} now={now} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Line({ receipt, now }: { receipt: ReceiptLine; now: Date }) {
  const { agent, grantedScopes, purposeType, grantedAt } = receipt;
  const cell = "block px-4 py-0.5 align-top md:table-cell md:py-3";
  return (
    <tr className="block py-3 md:table-row md:border-t md:border-line md:py-0">
      <td className={cell}>
        <AgentName agent={agent} className="font-medium" />
      </td>
      <td className={`${cell} max-md:inline max-md:pr-0`} title={grantedScopes.join(" ")}>
        {list(grantedScopes.map(categoryTitle))}
      </td>
      <td className={`${cell} max-md:inline max-md:pl-1 max-md:before:content-["·_"]`}>
        <Told word={{ ...purposeWord(purposeType), note: null }} />
      </td>
      <td className={`${cell} text-muted`}>
        <span className="md:sr-only">Given </span>
        <When at={grantedAt} now={now} />
      </td>
      <td className={`${cell} text-muted`}>
        <State receipt={receipt} now={now} />
      </td>
    </tr>
  );
}

function State({
  receipt: { state, expiresAt, revokedAt },
  now,
}: {
  receipt: ReceiptLine;
  now: Date;
}) {
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
      {state === "revoked" ? "Revoked" : "Expired"} <When at={revokedAt ?? expiresAt} now={now} />
    </>
  );
}
