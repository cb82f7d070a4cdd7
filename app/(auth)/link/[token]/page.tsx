import type { Metadata } from "next";
import { ButtonLink } from "@/app/_components/button";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { TextLink } from "@/app/_components/text-link";
import { currentUser, requestCtx } from "@/lib/auth/session";
import { engine } from "@/lib/engine/engine";
import { findLink, type LiveLink } from "@/lib/services/accounts/links";
import { listHoldings } from "@/lib/services/accounts/reset-holdings";
import { AccountFields, NewPassword, newProfileWords } from "../../account-fields";
import { confirmAddressAction, redeemLinkAction, resetPasswordAction } from "../../actions";
import { Heading } from "../../heading";
import { Held, type HeldProps } from "./held";
import { SpentLink } from "./spent-link";

export const metadata: Metadata = { title: "A link for you", robots: { index: false } };

interface LinkPageProps {
  params: Promise<{ token: string }>;
}

export default async function LinkPage({ params }: LinkPageProps) {
  const { token } = await params;
  const ctx = requestCtx();
  const link = await findLink(ctx, token);
  if (link === null) return <SpentLink />;
  if (link.purpose === "password_reset") {
    const holdings = await listHoldings(ctx, token);
    return <Reset token={token} email={link.email} holdings={holdings} now={ctx.now} />;
  }
  if (link.purpose === "address") return <Address token={token} email={link.email} />;
  return <Join token={token} link={link} />;
}

function Join({ token, link: { purpose, email, role } }: { token: string; link: LiveLink }) {
  const isFirst = purpose === "first_admin";
  return (
    <>
      <Heading title={isFirst ? "Become the first admin" : "You are invited"}>
        This link works once. The account you make here{" "}
        {role === "admin"
          ? "runs this gateway, and has a profile like any other."
          : newProfileWords}
      </Heading>
      <Form action={redeemLinkAction}>
        <input type="hidden" name="token" value={token} />
        <AccountFields
          namespace={engine().settings.values().PROF_NAMESPACE}
          email={email ?? undefined}
        />
        <SubmitButton className="w-full">
          {role === "admin" ? "Create admin account" : "Create account"}
        </SubmitButton>
      </Form>
      {isFirst && (
        <p className="mt-6 text-small text-muted">
          Is there a backup of a gateway?{" "}
          <TextLink href={`/link/${token}/restore`}>Restore it instead</TextLink>.
        </p>
      )}
    </>
  );
}

interface ResetProps extends HeldProps {
  token: string;
  email: string | null;
}

function Reset({ token, email, holdings, now }: ResetProps) {
  return (
    <>
      <Heading title="Choose a new password">
        For {email}. This link works once. Using it ends every session of this account and unlinks
        every other way to sign in; you can link them again afterwards.
      </Heading>
      <Form action={resetPasswordAction}>
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="username" autoComplete="username" value={email ?? ""} />
        <NewPassword label="New password" />
        <Held holdings={holdings} now={now} />
        <SubmitButton className="w-full">Set new password</SubmitButton>
      </Form>
    </>
  );
}

async function Address({ token, email }: { token: string; email: string | null }) {
  const user = await currentUser();
  return (
    <>
      <Heading title="Confirm your address">
        {user === null
          ? `Sign in to the account that is to use ${email}, then open this link again.`
          : `Your account uses ${email} from then on: for mails, and to sign in.`}
      </Heading>
      {user === null ? (
        <ButtonLink href="/sign-in">Sign in</ButtonLink>
      ) : (
        <Form action={confirmAddressAction}>
          <input type="hidden" name="token" value={token} />
          <SubmitButton className="w-full">Confirm the address</SubmitButton>
        </Form>
      )}
    </>
  );
}
