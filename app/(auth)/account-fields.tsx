import { passwordHint, passwordLengthMax } from "@/lib/auth/password-rule";
import { Field } from "../_components/forms/field";

interface AccountFieldsProps {
  namespace: string;
  /** Where a link has fixed whom it is for. */
  email?: string;
}

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
      <Field
        name="handle"
        label="Handle"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        required
        hint={
          <>
            Your profile becomes{" "}
            <span className="font-mono break-all">did:prof:user:{namespace}:handle</span>. This
            cannot be changed later.
          </>
        }
      />
      <NewPassword label="Password" />
    </>
  );
}

export function NewPassword({ label }: { label: string }) {
  return (
    <Field
      name="password"
      label={label}
      type="password"
      autoComplete="new-password"
      maxLength={passwordLengthMax * 2}
      required
      hint={passwordHint}
    />
  );
}
