import { KeyList } from "@/app/dashboard/settings/keys/key-list";
import type { AgentKey } from "@/lib/services/admin/agents/list-agents";
import { activeKeysMax } from "@/lib/services/agents/keys";
import { Field } from "../../../_components/forms/field";
import { Form } from "../../../_components/forms/form";
import { LongField } from "../../../_components/forms/long-field";
import { addKeyAction, revokeKeyAction } from "./actions";

interface KeysProps {
  did: string;
  keys: AgentKey[];
  now: Date;
}

const warning = "What signs with it is refused at once, and this key can never be added again.";

export function Keys({ did, keys, now }: KeysProps) {
  const active = keys.filter(({ revokedAt }) => revokedAt === null);
  return (
    <>
      {active.length === 0 && (
        <p className="text-muted">None is active: it cannot sign anything.</p>
      )}
      <KeyList keys={keys} now={now} revoking={{ action: revokeKeyAction, did, warning }} />
      {active.length < activeKeysMax && <Add did={did} />}
    </>
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
          spellCheck={false}
          className="font-mono"
          hint="As SPKI PEM, JWK, did:key, multibase or base64. It comes from the operator of the agent."
        />
      </Form>
    </details>
  );
}
