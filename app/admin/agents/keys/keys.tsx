import { multibaseOf } from "@/lib/auth/public-key";
import type { AgentKey } from "@/lib/services/admin/agents/list-agents";
import { activeKeysMax } from "@/lib/services/agents/keys";
import { Field } from "../../../_components/forms/field";
import { Form, SubmitButton } from "../../../_components/forms/form";
import { LongField } from "../../../_components/forms/long-field";
import { InertText } from "../../../_components/shown/inert-text";
import { When } from "../../../_components/shown/when";
import { addKeyAction, revokeKeyAction } from "./actions";

interface KeysProps {
  did: string;
  keys: AgentKey[];
  now: Date;
}

export function Keys({ did, keys, now }: KeysProps) {
  const active = keys.filter(({ revokedAt }) => revokedAt === null);
  return (
    <>
      {active.length === 0 && (
        <p className="text-muted">None is active: it cannot sign anything.</p>
      )}
      <ul className="flex flex-col divide-y divide-line">
        {keys.map((key) => (
          <li key={key.id} className="flex flex-wrap items-start justify-between gap-3 py-3">
            <Key agentKey={key} now={now} />
            {key.revokedAt === null && <Revoke did={did} agentKey={key} />}
          </li>
        ))}
      </ul>
      {active.length < activeKeysMax && <Add did={did} />}
    </>
  );
}

function Key({ agentKey, now }: { agentKey: AgentKey; now: Date }) {
  const { label, publicKey, createdAt, revokedAt } = agentKey;
  return (
    <div className="min-w-0 flex-1 basis-64">
      <p className="font-medium">
        {label === null ? "A key without a name" : <InertText text={label} />}
      </p>
      <p className="font-mono text-xs break-all text-muted">{multibaseOf(publicKey)}</p>
      <p className="text-xs text-muted">
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

// A key is never registered twice, so it asks once more.
function Revoke({ did, agentKey }: { did: string; agentKey: AgentKey }) {
  const name = agentKey.label ?? multibaseOf(agentKey.publicKey);
  return (
    <details className="group open:basis-full">
      <summary className="inline-flex min-h-10 list-none items-center rounded-box border border-edge px-4 font-medium hover:bg-sunken">
        Revoke<span className="sr-only"> {name}</span>
        <span className="group-open:hidden">…</span>
      </summary>
      <div className="mt-3 flex flex-col gap-3 rounded-box border border-danger/40 bg-danger-soft p-4">
        <p>What signs with it is refused at once, and this key can never be added again.</p>
        <Form action={revokeKeyAction} className="">
          <input type="hidden" name="did" value={did} />
          <input type="hidden" name="keyId" value={agentKey.id} />
          <SubmitButton look="danger">
            Revoke now<span className="sr-only">: {name}</span>
          </SubmitButton>
        </Form>
      </div>
    </details>
  );
}

function Add({ did }: { did: string }) {
  return (
    <details className="mt-4">
      <summary className="w-fit text-accent underline underline-offset-4">Add a key</summary>
      <Form action={addKeyAction} submit="Add key" className="mt-4 flex flex-col gap-4">
        <input type="hidden" name="did" value={did} />
        <Field name="label" label="What it is for" maxLength={100} required />
        <LongField
          name="publicKey"
          label="Ed25519 public key"
          rows={4}
          maxLength={4_000}
          spellCheck={false}
          className="font-mono"
          hint="As PEM, JWK, did:key or base64. It comes from whoever runs the agent."
        />
      </Form>
    </details>
  );
}
