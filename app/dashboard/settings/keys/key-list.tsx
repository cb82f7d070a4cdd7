import { AskOnceMore } from "@/app/_components/forms/ask-once-more";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import type { FormState } from "@/app/_components/forms/form-state";
import { InertText } from "@/app/_components/shown/inert-text";
import { When } from "@/app/_components/shown/when";
import { multibaseOf } from "@/lib/auth/keys/public-key";
import type { OwnKey } from "@/lib/services/agents/list-keys";

interface Revoking {
  action: (state: FormState, form: FormData) => Promise<FormState>;
  /** The DID whose keys these are, if the form has to name it. */
  did?: string;
  /** The consequence of revoking the key. */
  warning: string;
}

interface KeyListProps {
  keys: OwnKey[];
  now: Date;
  revoking: Revoking;
}

export function KeyList({ keys, now, revoking }: KeyListProps) {
  return (
    <ul className="mt-3 flex flex-col divide-y divide-line">
      {keys.map((key) => (
        <li
          key={key.id}
          className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 py-3"
        >
          <Key shown={key} now={now} />
          {key.revokedAt === null && <Revoke shown={key} revoking={revoking} />}
        </li>
      ))}
    </ul>
  );
}

function Key({ shown, now }: { shown: OwnKey; now: Date }) {
  const { label, publicKey, createdAt, revokedAt } = shown;
  return (
    <div className="min-w-0 flex-1 basis-64">
      <p className="font-medium">
        {label === null ? "A key without a name" : <InertText text={label} />}
      </p>
      <p className="font-mono text-small break-all text-muted">
        {Buffer.from(publicKey).toString("base64")} or {multibaseOf(publicKey)}
      </p>
      <p className="text-small text-muted">
        Added <When at={createdAt} now={now} />
        {revokedAt !== null && (
          <>
            , revoked <When at={revokedAt} now={now} />
          </>
        )}
      </p>
    </div>
  );
}

// It cannot be undone, for a key is never registered twice: so it asks once more.
function Revoke({ shown, revoking }: { shown: OwnKey; revoking: Revoking }) {
  const { action, did, warning } = revoking;
  const name = shown.label ?? multibaseOf(shown.publicKey);
  return (
    <AskOnceMore act="Revoke" to={name}>
      <p>{warning}</p>
      <Form action={action} className="">
        {did !== undefined && <input type="hidden" name="did" value={did} />}
        <input type="hidden" name="keyId" value={shown.id} />
        <SubmitButton look="danger">
          Revoke now<span className="sr-only">: {name}</span>
        </SubmitButton>
      </Form>
    </AskOnceMore>
  );
}
