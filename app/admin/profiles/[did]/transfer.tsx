import type { WaitingTransfer } from "@/lib/services/admin/profiles/list-profiles";
import { Field } from "../../../_components/forms/fields/field";
import { When } from "../../../_components/shown/when";
import { AdminAct, type Target } from "../../_parts/admin-act";

interface TransferProps {
  target: Target;
  /** Null where none waits. */
  transfer: WaitingTransfer | null;
  now: Date;
}

const words =
  "The profile goes to the other account with all that it holds, once both owners accept. If its owner does not answer within seven days, the other account's acceptance is enough; while the owner is suspended it waits. Its signing keys, connection tokens and receipts are revoked then, and the rules that open something are switched off.";

export function Transfer({ target, transfer, now }: TransferProps) {
  const act = { ...target, title: "Owner", look: "danger" } as const;
  if (transfer !== null) {
    return (
      <AdminAct {...act} intent="withdraw" button="Withdraw">
        <Waiting transfer={transfer} now={now} />
      </AdminAct>
    );
  }
  return (
    <AdminAct {...act} intent="transfer" words={words} button="Request transfer">
      <Field name="email" label="E-mail address of the new owner" type="email" exact />
    </AdminAct>
  );
}

function Waiting({ transfer, now }: { transfer: WaitingTransfer; now: Date }) {
  const { email, effectiveAt, acceptedByOwner, acceptedByNew } = transfer;
  const answer = (isAccepted: boolean) => (isAccepted ? "accepted" : "not answered yet");
  return (
    <>
      <p>
        A transfer to <span className="font-medium break-all">{email}</span> is waiting.
      </p>
      <p className="text-muted">
        The owner has {answer(acceptedByOwner)}, the new owner has {answer(acceptedByNew)}.
        {!acceptedByOwner && (
          <>
            {" If the owner does not answer, it goes once the new owner accepts, but not before "}
            <When at={effectiveAt} now={now} /> nor while the owner is suspended; once resumed, they
            have seven days.
          </>
        )}
      </p>
    </>
  );
}
