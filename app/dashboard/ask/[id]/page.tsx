import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { profileContext } from "@/lib/http/session/page";
import {
  findInquirySubject,
  type InquirySubject,
  questionLengthMax,
} from "@/lib/services/requests/inquiry";
import { LongField } from "../../../_components/forms/fields/long-field";
import { Form } from "../../../_components/forms/form";
import { PageHeader } from "../../../_components/shell/page-header";
import { agentLabel } from "../../../_components/shown/agent-name";
import { InertText } from "../../../_components/shown/inert-text";
import { asksWords } from "../../access/request/words/request-words";
import { InquiryLines } from "../inquiry-lines";
import { askAction } from "./actions";
import { SubjectId } from "./schemas";

export const metadata: Metadata = { title: "Ask why" };

interface Props {
  params: Promise<{ id: string }>;
}

/** One question about a request or a proposal, and its agent's one answer. */
export default async function AskPage({ params }: Props) {
  const { ctx, profile } = await profileContext();
  const id = SubjectId.safeParse((await params).id).data;
  const subject = id === undefined ? null : await findInquirySubject(ctx, { did: profile.did, id });
  if (id === undefined || subject === null) notFound();
  const { agent, content, isWaiting, inquiry } = subject;
  const above =
    content === null
      ? { href: `/dashboard/access?request=${id}`, name: "The access request" }
      : { href: `/dashboard/proposals?card=${id}`, name: "The proposal" };
  return (
    <div className="flex max-w-prose flex-col gap-5">
      <PageHeader above={above} title="Ask why">
        One question, which <InertText text={agentLabel(agent)} /> may answer once. You can decide
        before it does.
      </PageHeader>
      <About subject={subject} />
      {inquiry === null && isWaiting && (
        <Form action={askAction} submit="Ask">
          <input type="hidden" name="id" value={id} />
          <LongField
            name="question"
            label="Your question"
            maxLength={questionLengthMax}
            hint="The agent reads it as it is."
          />
        </Form>
      )}
      {inquiry === null && !isWaiting && <p>It was decided already, so there is nothing to ask.</p>}
    </div>
  );
}

function About({ subject }: { subject: InquirySubject }) {
  const { agent, content, context, scopes, inquiry } = subject;
  return (
    <section
      aria-label="What it is about"
      className="rounded-box border-l-4 border-wall bg-theirs px-4 py-3.5"
    >
      <p className="font-semibold">
        <InertText text={agentLabel(agent)} />{" "}
        {content === null ? asksWords(scopes) : "wants to remember about you:"}
      </p>
      {content !== null && (
        <p className="mt-1.5">
          <InertText text={content} lines />
        </p>
      )}
      {context !== null && context !== "" && (
        <p className="mt-1.5 text-theirs-muted">
          “<InertText text={context} lines />”
        </p>
      )}
      {inquiry !== null && (
        <div className="mt-3 flex flex-col gap-1.5">
          <InquiryLines inquiry={inquiry} />
        </div>
      )}
    </section>
  );
}
