import type { ReactNode } from "react";
import { engine } from "@/lib/engine/engine";
import type { Action } from "@/lib/http/session/action";
import { Card } from "../../../_components/card";
import { Field } from "../../../_components/forms/fields/field";
import { LongField } from "../../../_components/forms/fields/long-field";
import { Form } from "../../../_components/forms/form";
import { PublicKeyField } from "../../../_components/forms/new-key";

interface RegisterFormProps {
  action: Action<unknown>;
  /** What happens next. */
  children?: ReactNode;
}

export function RegisterForm({ action, children }: RegisterFormProps) {
  const namespace = engine().settings.values().PROF_NAMESPACE;
  return (
    <Card>
      <Form action={action} submit="Register">
        <Field name="name" label="Name" required maxLength={100} hint="What people see." />
        <Field
          name="did"
          label="Identifier"
          required
          maxLength={144}
          exact
          hint={`A short name, such as my-agent, becomes did:prof:agent:${namespace}:my-agent. Or a whole DID of its own.`}
        />
        <PublicKeyField
          label="Public key"
          hint="Ed25519, as SPKI PEM, JWK, did:key, multibase or base64. The private half stays with the agent."
          file="agent-key.pem"
        />
        <LongField name="description" label="What it does (optional)" rows={2} maxLength={500} />
        <Field name="operator" label="Who runs it (optional)" maxLength={200} />
        {children}
      </Form>
    </Card>
  );
}
