import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Field } from "@/app/_components/forms/fields/field";
import { PasswordField } from "@/app/_components/forms/fields/password-field";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { Notice } from "@/app/_components/states/notice";
import { TextLink } from "@/app/_components/text-link";
import { currentUser } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";
import { returnPath, returnWords } from "@/lib/http/session/address/return-path";
import { signInAction } from "../actions";
import { Heading } from "../heading";
import { ProviderButtons } from "../providers/provider-buttons";
import { signInTrouble } from "../providers/trouble";

export const metadata: Metadata = { title: "Sign in" };

type Param = string | string[] | undefined;

interface SignInPageProps {
  searchParams: Promise<{ from?: Param; error?: Param }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const back = await returnPath();
  if ((await currentUser()) !== null) redirect(back);
  const { from, error } = await searchParams;
  const words = returnWords(back);
  return (
    <>
      <Heading title="Sign in">
        {words !== null && (
          <>
            Sign in to go on to <strong className="font-semibold text-ink">{words}</strong>.
          </>
        )}
      </Heading>
      <Arrival from={from} error={error} />
      <Form action={signInAction}>
        <Field name="email" label="E-mail address" type="email" autoComplete="username" required />
        <PasswordField name="password" label="Password" autoComplete="current-password" required />
        <SubmitButton className="w-full">Sign in</SubmitButton>
      </Form>
      <ProviderButtons />
      <p className="mt-6 text-small text-muted">
        {engine().settings.values().SIGN_UP === "open" ? (
          <>
            No account yet? <TextLink href="/sign-up">Create one</TextLink>.
          </>
        ) : (
          "No account yet? An admin of this gateway can invite you."
        )}{" "}
        <TextLink href="/forgot">Password forgotten?</TextLink>
      </p>
    </>
  );
}

/** What happened just before. */
function Arrival({ from, error }: { from: Param; error: Param }) {
  if (error !== undefined) return <Said tone="danger">{signInTrouble(error)}</Said>;
  if (from === "sign-out") return <Said tone="info">You are signed out on this device.</Said>;
  if (from === "restore") {
    return <Said tone="info">The backup is restored. Sign in with an account that it has.</Said>;
  }
  if (from === "noted-restore") {
    return (
      <Said tone="danger">
        The backup is restored, and may bring back what was erased or revoked after it was made.
        Sign in as an admin: the restore is in the activity of admins, and says why.
      </Said>
    );
  }
  if (from !== "reset") return null;
  return (
    <Said tone="info">
      Your new password is set, every session has ended, and every other way to sign in is unlinked.
      Sign in with the new password.
    </Said>
  );
}

function Said(notice: React.ComponentProps<typeof Notice>) {
  return (
    <div className="mb-6">
      <Notice {...notice} />
    </div>
  );
}
