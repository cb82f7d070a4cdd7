import { passwordHint, passwordLengthMax } from "@/lib/auth/password-rule";
import { Field } from "../_components/field";

interface AccountFieldsProps {
  namespace: string;
}

export function AccountFields({ namespace }: AccountFieldsProps) {
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
      <Field
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        maxLength={passwordLengthMax * 2}
        required
        hint={passwordHint}
      />
    </>
  );
}
