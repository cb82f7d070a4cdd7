import { Field } from "../../../_components/forms/field";
import { LongField } from "../../../_components/forms/long-field";

export function RegisterFields({ namespace }: { namespace: string }) {
  return (
    <>
      <Field name="name" label="Name" required maxLength={100} hint="What people see." />
      <Field
        name="did"
        label="Identifier"
        required
        maxLength={144}
        autoCapitalize="none"
        spellCheck={false}
        hint={`A short name, such as my-agent, becomes did:prof:agent:${namespace}:my-agent. Or a whole DID of its own.`}
      />
      <LongField
        name="publicKey"
        label="Public key"
        required
        rows={4}
        spellCheck={false}
        className="font-mono"
        hint="Ed25519, as SPKI PEM, JWK, did:key, multibase or base64. The private half stays with the agent."
      />
      <LongField name="description" label="What it does (optional)" rows={2} maxLength={500} />
      <Field name="operator" label="Who runs it (optional)" maxLength={200} />
    </>
  );
}
