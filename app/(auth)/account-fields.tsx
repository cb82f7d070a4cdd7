import { passwordHint, passwordLengthMax } from "@/lib/auth/password-rule";
import { Field } from "../_components/forms/fields/field";
import { HandleField } from "../_components/forms/fields/handle-field";
import { PasswordField } from "../_components/forms/fields/password-field";

interface AccountFieldsProps {
  namespace: string;
  /** Set where a link is for one address only. */
  email?: string;
}

/** What the template of a new profile opens: see lib/rules/templates.ts. */
export const newProfileWords =
  "comes with a profile of your own. Verified agents may read its preferences from the start, and every agent may propose memories; you decide about anything else.";

export function AccountFields({ namespace, email }: AccountFieldsProps) {
  return (
    <>
      <Field name="name" label="Name" autoComplete="name" maxLength={100} required />
      <Field
        name="email"
        label="E-mail address"
        type="email"
        autoComplete="username"
        maxLength={254}
        required
        initial={email}
        readOnly={email !== undefined}
      />
      <HandleField namespace={namespace} />
      <NewPassword label="Password" />
    </>
  );
}

export function NewPassword({ label }: { label: string }) {
  return (
    <PasswordField
      name="password"
      label={label}
      autoComplete="new-password"
      maxLength={passwordLengthMax * 2}
      required
      hint={passwordHint}
    />
  );
}
