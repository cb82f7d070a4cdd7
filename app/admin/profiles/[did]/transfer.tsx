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
  return (
    <>
      <p>
        A transfer to <span className="font-medium break-all">{email}</span> is waiting.
      </p>
      <ul className="flex flex-col gap-1 text-muted">
        <li>The owner has {acceptedByOwner ? "accepted" : "not answered yet"}.</li>
        <li>The new owner has {acceptedByNew ? "accepted" : "not answered yet"}.</li>
        {!acceptedByOwner && (
          <li>
            {effectiveAt <= now && !acceptedByNew ? (
              "It goes as soon as the new owner accepts: the owner did not answer in time."
            ) : (
              <>
                If the owner does not answer, the profile goes as soon as the new owner accepts, but
                not before <When at={effectiveAt} now={now} />.
              </>
            )}{" "}
            It never goes while the owner is suspended; once resumed, they have seven days.
          </li>
        )}
      </ul>
    </>
  );
}
