import Link from "next/link";
import { Card } from "@/app/_components/card";
import { Field } from "@/app/_components/forms/field";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import type { Confirmation } from "@/app/_components/forms/form-state";
import { passwordHint, passwordLengthMax } from "@/lib/auth/password-rule";
import { setPasswordAction } from "./actions";

interface PasswordFormProps {
  hasPassword: boolean;
  confirm: Confirmation | null;
  email: string;
}

export function PasswordForm({ hasPassword, confirm, email }: PasswordFormProps) {
  return (
    <Card title="Password">
      {!hasPassword && (
        <p className="mb-4 text-muted">
          You have none: you sign in elsewhere. With one you can sign in here too.
        </p>
      )}
      <Form action={setPasswordAction} confirm={confirm} className="flex flex-col gap-4">
        {/* For password managers: whose password this is. */}
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <Field
          name="password"
          label="New password"
          type="password"
          autoComplete="new-password"
          maxLength={passwordLengthMax * 2}
          required
          hint={passwordHint}
        />
        <p className="text-muted">
          All other devices are signed out{hasPassword && ", and every other sign-in is unlinked"}.
          Signing keys, connection tokens and rules stay as they are. Look at them:{" "}
          <Place href="/dashboard/settings/keys">keys</Place>,{" "}
          <Place href="/dashboard/connections">connections</Place>,{" "}
          <Place href="/dashboard/access/policies">policies</Place>.
        </p>
        <SubmitButton>{hasPassword ? "Change password" : "Set password"}</SubmitButton>
      </Form>
    </Card>
  );
}

function Place({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="text-accent underline underline-offset-4">
      {children}
    </Link>
  );
}
