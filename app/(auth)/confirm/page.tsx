import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { TextLink } from "@/app/_components/text-link";
import { type Provider, providersOf } from "@/lib/auth/providers";
import { engine } from "@/lib/engine/engine";
import { backPath, confirmationFor } from "@/lib/http/session/confirm";
import { pageContext } from "@/lib/http/session/page";
import { listIdentities } from "@/lib/services/accounts/identities";
import { Heading } from "../heading";
import { confirmAction, signInAgainAction } from "./actions";

export const metadata: Metadata = { title: "Confirm that it is you" };

interface ConfirmPageProps {
  searchParams: Promise<{ back?: string | string[] }>;
}

/** Asks the user to confirm before a lasting change, for pages that cannot ask themselves. */
export default async function ConfirmPage({ searchParams }: ConfirmPageProps) {
  const signed = await pageContext();
  const back = backPath((await searchParams).back);
  const way = await confirmationFor(signed);
  if (way === null) redirect(back);
  const linked = way === "sign-in" ? await listIdentities(signed.ctx) : [];
  return (
    <>
      <Heading title="Confirm that it is you">
        {way === "password"
          ? "Enter your password. You then return to where you were: press the button there again."
          : "Sign in once more. You then return to where you were: press the button there again."}
      </Heading>
      {way === "password" ? (
        <Form action={confirmAction} submit="Confirm" confirm={way}>
          <input type="hidden" name="back" value={back} />
        </Form>
      ) : (
        <SignInAgain
          providers={providersOf(engine().env).filter(({ id }) => linked.includes(id))}
          back={back}
        />
      )}
      <p className="mt-8 text-muted">
        <TextLink href={back}>Go back</TextLink> without confirming.
      </p>
    </>
  );
}

function SignInAgain({ providers, back }: { providers: Provider[]; back: string }) {
  if (providers.length === 0) return <p>Sign out, then sign in again.</p>;
  return providers.map(({ id, name }) => (
    <Form key={id} action={signInAgainAction} className="mb-3 flex flex-col">
      <input type="hidden" name="provider" value={id} />
      <input type="hidden" name="back" value={back} />
      <SubmitButton look="secondary" className="self-stretch">
        Sign in again with {name}
      </SubmitButton>
    </Form>
  ));
}
