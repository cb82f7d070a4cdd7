import type { Metadata } from "next";
import { Card } from "@/app/_components/card";
import { Field } from "@/app/_components/forms/fields/field";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { readerZone } from "@/app/_components/shell/reader-zone";
import { Notice } from "@/app/_components/states/notice";
import { TextLink } from "@/app/_components/text-link";
import { engine } from "@/lib/engine/engine";
import { oneOf, type Query } from "@/lib/http/session/address/search-params";
import { pageContext } from "@/lib/http/session/page";
import { findUnconfirmed, readMailbox } from "@/lib/services/mail/mailbox";
import { addressAction } from "./actions";
import { MailForm } from "./mail-form";
import { Muted } from "./muted";

export const metadata: Metadata = { title: "Mail" };

export default async function MailPage({ searchParams }: { searchParams: Promise<Query> }) {
  const { ctx, who } = await pageContext();
  const isConfirmed = oneOf((await searchParams).confirmed) === "1";
  if (engine().mailer === null) return <NoMail />;
  const [mailbox, unconfirmed] = await Promise.all([readMailbox(ctx), findUnconfirmed(ctx)]);
  return (
    <>
      {isConfirmed && mailbox !== null && (
        <Notice tone="info">Confirmed: mails go to {who.email}, and you sign in with it.</Notice>
      )}
      {unconfirmed !== null && (
        <Notice tone="info">
          A link is on its way to {unconfirmed}. Until you open it, nothing changes.
        </Notice>
      )}
      {mailbox !== null && (
        <>
          <MailForm mailbox={mailbox} zones={zones(await readerZone(), mailbox.timeZone)} />
          <Muted dids={mailbox.mutedAgents} />
        </>
      )}
      <Card title={mailbox === null ? "Confirm your address" : "Your address"}>
        <p className="mb-4 max-w-180 text-muted">
          {mailbox === null
            ? "Show that you read mail at your address, and the gateway writes when an agent asks for access, when proposals wait, and when something touches the security of your account."
            : "Mails go to this address, and you sign in with it. A new one counts once you have opened the link that is sent there; the present one gets a mail about the change."}
        </p>
        <Form action={addressAction} className="flex max-w-180 flex-col gap-4">
          <Field
            name="email"
            label="E-mail address"
            type="email"
            autoComplete="email"
            maxLength={254}
            required
            initial={who.email}
          />
          <SubmitButton>Send the link</SubmitButton>
        </Form>
      </Card>
    </>
  );
}

function NoMail() {
  return (
    <Card title="No mail from this gateway">
      <p className="max-w-180 text-muted">
        The gateway has no mail server, so nothing tells you outside these pages what waits. Your{" "}
        <TextLink href="/dashboard">overview</TextLink> shows it. Mail is set up where the gateway
        runs, with SMTP_URL and MAIL_FROM.
      </p>
    </Card>
  );
}

function zones(...first: string[]): string[] {
  return [...new Set([...first, "UTC", ...Intl.supportedValuesOf("timeZone")])];
}
