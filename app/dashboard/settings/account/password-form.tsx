import { Card } from "@/app/_components/card";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import type { Confirmation } from "@/app/_components/forms/form-state";
import { TextLink } from "@/app/_components/text-link";
import { NewPassword } from "@/app/(auth)/account-fields";
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
          You sign in with another provider. With a password you can sign in here too.
        </p>
      )}
      <Form action={setPasswordAction} confirm={confirm} className="flex flex-col gap-4">
        {/* For password managers: whose password this is. */}
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <NewPassword label="New password" />
        <p className="text-muted">
          All other devices are signed out{hasPassword && ", and every other sign-in is unlinked"}.
          Signing keys, connection tokens and rules stay as they are. Look at them:{" "}
          <TextLink href="/dashboard/settings/keys">keys</TextLink>,{" "}
          <TextLink href="/dashboard/connections">connections</TextLink>,{" "}
          <TextLink href="/dashboard/access/policies">rules</TextLink>.
        </p>
        <SubmitButton>{hasPassword ? "Change password" : "Set password"}</SubmitButton>
      </Form>
    </Card>
  );
}
