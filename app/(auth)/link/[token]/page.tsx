import type { Metadata } from "next";
import { ButtonLink } from "@/app/_components/button";
import { Form } from "@/app/_components/form";
import { requestCtx } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";
import { isLinkLive } from "@/lib/services/accounts/links";
import { AccountFields } from "../../account-fields";
import { redeemLinkAction } from "../../actions";
import { Heading } from "../../heading";

export const metadata: Metadata = { title: "Become the first admin", robots: { index: false } };

interface LinkPageProps {
  params: Promise<{ token: string }>;
}

export default async function LinkPage({ params }: LinkPageProps) {
  const { token } = await params;
  if (!(await isLinkLive(requestCtx(), token))) return <SpentLink />;
  return (
    <>
      <Heading title="Become the first admin">
        This link works once. The account you make here runs this gateway, and has a profile like
        any other.
      </Heading>
      <Form action={redeemLinkAction} submit="Create admin account">
        <input type="hidden" name="token" value={token} />
        <AccountFields namespace={engine().env.PROF_NAMESPACE} />
      </Form>
    </>
  );
}

function SpentLink() {
  return (
    <>
      <Heading title="This link no longer works">
        It was used already, or its hour is over. If there is no admin yet, restart the gateway: it
        prints a new link each time it starts without one.
      </Heading>
      <ButtonLink href="/sign-in" look="secondary">
        Sign in
      </ButtonLink>
    </>
  );
}
