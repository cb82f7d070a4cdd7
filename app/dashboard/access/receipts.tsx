import Link from "next/link";
import type { ReceiptLine, ReceiptState } from "@/lib/services/receipts/list-receipts";
import { Form, SubmitButton } from "../../_components/forms/form";
import { StateSegments } from "../../_components/lists/segments";
import { AgentName, agentWords } from "../../_components/shown/agent-name";
import { InertText } from "../../_components/shown/inert-text";
import { Lifespan } from "../../_components/shown/seen";
import { When } from "../../_components/shown/when";
import { categoryTitle } from "../../_components/words/category";
import { list } from "../../_components/words/list";
import { purposeWords } from "../../_components/words/purpose";
import { scopeWords } from "../activity/sentence/items";
import { revokeReceiptAction } from "./actions";
import { accessAddress } from "./schemas";

interface ReceiptsProps {
  receipts: ReceiptLine[];
  state: ReceiptState | undefined;
  /** Where older ones are. */
  older: string | null;
  now: Date;
}

export function Receipts({ receipts, state, older, now }: ReceiptsProps) {
  return (
    <section aria-labelledby="receipts" className="scroll-mt-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="receipts" className="text-lead font-semibold">
          Receipts
        </h2>
        <StateSegments
          label="Which receipts"
          current={state}
          hrefOf={(receipts) => `${accessAddress.href({ receipts })}#receipts`}
        />
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
        <ul className="mt-4 divide-y divide-line wrap-anywhere box">
          {receipts.map((receipt) => (
            <Line key={receipt.id} receipt={receipt} now={now} />
          ))}
        </ul>
      )}
      {older !== null && (
        <p className="mt-4">
          <Link href={older} prefetch={false} className="link font-medium">
            Older receipts
          </Link>
        </p>
      )}
    </section>
  );
}

const undoMs = 10 * 60_000;

// Without scripts, the form of a receipt that was revoked a moment ago shows the result and its undo.
function isRevocable({ state, revokedAt }: ReceiptLine, now: Date): boolean {
  if (state === "active") return true;
  return revokedAt !== null && now.getTime() - revokedAt.getTime() < undoMs;
}

function Line({ receipt, now }: { receipt: ReceiptLine; now: Date }) {
  const { agent, grantedScopes, deniedScopes, purposeType, grantedAt } = receipt;
  return (
    <li className="grid gap-x-6 gap-y-1 px-4 py-3 md:grid-cols-[minmax(0,5fr)_minmax(0,6fr)_minmax(0,4fr)_6rem] md:items-start">
      <p>
        <AgentName agent={agent} className="font-medium" tile="size-5" />
      </p>
      <p>
        {list(grantedScopes.map(categoryTitle))} for <InertText text={purposeWords(purposeType)} />
        {deniedScopes.length > 0 && (
          <span className="block text-muted">Not {scopeWords(deniedScopes)}</span>
        )}
      </p>
      <p className="text-muted">
        <Lifespan of={receipt} now={now} />
        <span className="block text-small">
          given <When at={grantedAt} now={now} />
        </span>
      </p>
      {isRevocable(receipt, now) && (
        <Form action={revokeReceiptAction} className="inline-flex md:justify-end">
          <input type="hidden" name="receiptId" value={receipt.id} />
          {receipt.state === "active" && (
            <SubmitButton look="secondary">
              Revoke<span className="sr-only"> the receipt of {agentWords(agent)}</span>
            </SubmitButton>
          )}
        </Form>
      )}
    </li>
  );
}
