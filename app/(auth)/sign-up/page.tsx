import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { ButtonLink } from "@/app/_components/button";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { TextLink } from "@/app/_components/text-link";
import { currentUser } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";
import { returnPath } from "@/lib/http/session/address/return-path";
import { AccountFields, newProfileWords } from "../account-fields";
import { signUpAction } from "../actions";
import { Heading } from "../heading";
import { ProviderButtons } from "../providers/provider-buttons";

export const metadata: Metadata = { title: "Create an account" };

export default async function SignUpPage() {
  if ((await currentUser()) !== null) redirect(await returnPath());
  const { SIGN_UP, PROF_NAMESPACE } = engine().settings.values();
  if (SIGN_UP !== "open") return <SignUpClosed />;
  return (
    <>
      <Heading title="Create an account">It {newProfileWords}</Heading>
      <Form action={signUpAction}>
        <AccountFields namespace={PROF_NAMESPACE} />
        <SubmitButton className="w-full">Create account</SubmitButton>
      </Form>
      <ProviderButtons />
      <p className="mt-8 text-muted">
        Have one already? <TextLink href="/sign-in">Sign in</TextLink>
      </p>
    </>
  );
}

function SignUpClosed() {
  return (
    <>
      <Heading title="You need an invitation">
        New accounts are made by invitation here. Ask an admin of this gateway for one: it is a
        link, and it brings you to the form.
      </Heading>
      <ButtonLink href="/sign-in" look="secondary">
        Sign in
      </ButtonLink>
    </>
  );
}
