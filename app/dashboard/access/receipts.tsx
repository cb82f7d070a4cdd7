import Link from "next/link";
import type { ReceiptLine, ReceiptState } from "@/lib/services/receipts/list-receipts";
import { Segments } from "../../_components/lists/segments";
import { AgentName, agentLabel } from "../../_components/shown/agent-name";
import { When } from "../../_components/shown/when";
import { categoryTitle } from "../../_components/words/category";
import { visibleText } from "../../_components/words/inert";
import { list } from "../../_components/words/list";
import { purposeWord } from "../../_components/words/purpose";
import { scopeWords } from "../activity/sentence/items";
import { PurposeWords } from "./request/purpose";
import { RevokeReceipt } from "./revoke-receipt";

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
        Revoking one also ends what you granted for it, so the agent has to ask again. Rules that
        you wrote stay.
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
    <Segments
      label="Which receipts"
      choices={states.map(({ state, label }) => ({
        href: `/dashboard/access${state === undefined ? "" : `?receipts=${state}`}#receipts`,
        text: label,
        isCurrent: state === current,
      }))}
    />
  );
}

const columns = ["Agent", "Could read", "For", "Given", "State"];
const undoMs = 10 * 60_000;

// A receipt revoked a moment ago keeps its form, which shows the result and the undo.
function isRevocable({ state, revokedAt }: ReceiptLine, now: Date): boolean {
  if (state === "active") return true;
  return revokedAt !== null && now.getTime() - revokedAt.getTime() < undoMs;
}

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
            <th scope="col" className="px-4 py-3">
              <span className="sr-only">Revoke</span>
            </th>
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
  const { agent, grantedScopes, deniedScopes, purposeType, grantedAt } = receipt;
  const cell = "block py-0.5 align-top md:table-cell md:px-4 md:py-3";
  return (
    <tr className="block px-4 py-3 md:table-row md:border-t md:border-line md:p-0">
      <td className={cell}>
        <AgentName agent={agent} className="font-medium" />
      </td>
      <td className={`${cell} max-md:inline`} title={list(grantedScopes)}>
        {list(grantedScopes.map(categoryTitle))}
        {deniedScopes.length > 0 && (
          <span className="block text-muted" title={list(deniedScopes)}>
            Not {scopeWords(deniedScopes)}
          </span>
        )}
      </td>
      <td className={`${cell} max-md:inline max-md:pl-1 max-md:before:content-["·_"]`}>
        <PurposeWords word={{ ...purposeWord(purposeType), note: null }} />
      </td>
      <td className={`${cell} text-muted`}>
        <span className="md:sr-only">Given </span>
        <When at={grantedAt} now={now} />
      </td>
      <td className={`${cell} text-muted`}>
        <State receipt={receipt} now={now} />
      </td>
      <td className={`${cell} md:text-right`}>
        {isRevocable(receipt, now) && (
          <RevokeReceipt
            receiptId={receipt.id}
            isActive={receipt.state === "active"}
            what={`the receipt of ${visibleText(agentLabel(agent))}`}
          />
        )}
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
