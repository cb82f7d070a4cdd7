import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { requestCtx } from "@/lib/auth/session";
import { isMailed, MailSwitch } from "@/lib/services/mail/stop";
import { stopMailAction } from "../../../../actions";
import { Heading } from "../../../../heading";

export const metadata: Metadata = { title: "End these mails", robots: { index: false } };

const about: Record<MailSwitch, string> = {
  requests: "requests for access",
  agents: "new agents",
  digest: "what waits for you",
};

interface StopPageProps {
  params: Promise<{ what: string; key: string }>;
}

/** Opening it ends nothing: previews and scanners open links. */
export default async function StopPage({ params }: StopPageProps) {
  const { what: named, key } = await params;
  const { data: what } = MailSwitch.safeParse(named);
  if (what === undefined) notFound();
  const isOn = await isMailed(requestCtx().db, { what, key });
  if (isOn === null) {
    return (
      <Heading title="This link ends no mails">
        It is not whole, or its account is gone. Open it from the mail again, or sign in and turn
        the mails off in your settings.
      </Heading>
    );
  }
  if (!isOn) {
    return (
      <Heading title="These mails have ended">
        No more mails about {about[what]} come. Your settings turn them on again.
      </Heading>
    );
  }
  return (
    <>
      <Heading title="End these mails?">
        No more mails about {about[what]} come then. What touches the security of your account is
        still mailed, and your settings turn the mails on again.
      </Heading>
      <Form action={stopMailAction}>
        <input type="hidden" name="what" value={what} />
        <input type="hidden" name="key" value={key} />
        <SubmitButton className="w-full">End these mails</SubmitButton>
      </Form>
    </>
  );
}
