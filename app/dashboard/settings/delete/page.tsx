import type { Metadata } from "next";
import { Card } from "@/app/_components/card";
import { AskOnceMore } from "@/app/_components/forms/ask-once-more";
import { Field } from "@/app/_components/forms/fields/field";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { didName } from "@/app/_components/words/did-name";
import { counted } from "@/app/_components/words/list";
import { confirmationFor } from "@/lib/http/session/confirm";
import { chosenProfile, pageContext } from "@/lib/http/session/page";
import { countHoldings, type Holdings } from "@/lib/services/erasure/count-holdings";
import { deleteAccountAction, deleteProfileAction } from "./actions";

export const metadata: Metadata = { title: "Delete" };

export default async function DeletePage() {
  const { ctx, who } = await pageContext();
  const chosen = await chosenProfile(who);
  const confirm = await confirmationFor({ ctx, who });
  const held = await countHoldings(ctx);
  const here = chosen?.state === "active" && held.find(({ did }) => did === chosen.did);
  return (
    <>
      {here && (
        <Card title="Delete this profile">
          <p>
            This ends <strong className="font-semibold">{didName(here.did)}</strong> and what it
            holds, at once and for good:
          </p>
          <Losses held={[here]} />
          <Afterwards />
          <AskOnceMore act={`Delete profile ${didName(here.did)}`}>
            <Form action={deleteProfileAction} confirm={confirm} className="flex flex-col gap-4">
              <Word word={didName(here.did)} what="the handle" />
              <SubmitButton look="danger">Delete this profile now</SubmitButton>
            </Form>
          </AskOnceMore>
        </Card>
      )}
      <Card title="Delete your account">
        <p>
          This ends your account {who.email}, all its sessions, and{" "}
          {held.length === 0 ? "nothing more." : `${counted(held.length, "profile")}:`}
        </p>
        {held.length > 0 && <Losses held={held} />}
        <Afterwards />
        {who.role === "admin" && (
          <p className="mt-2 text-muted">As an admin you can go only if another admin stays.</p>
        )}
        <AskOnceMore act="Delete account">
          <Form action={deleteAccountAction} confirm={confirm} className="flex flex-col gap-4">
            <Word word={who.email} what="your e-mail address" />
            <SubmitButton look="danger">Delete my account now</SubmitButton>
          </Form>
        </AskOnceMore>
      </Card>
    </>
  );
}

const kinds: [keyof Omit<Holdings, "events">, string, string?][] = [
  ["memories", "memory", "memories"],
  ["namedValues", "named value"],
  ["proposals", "proposal"],
  ["policies", "rule"],
  ["receipts", "receipt"],
  ["tokens", "connection token"],
  ["keys", "key"],
];

function Losses({ held }: { held: Holdings[] }) {
  const sum = (of: keyof Holdings) => held.reduce((all, one) => all + one[of], 0);
  const lines = [
    ...kinds.flatMap(([of, ...words]) => (sum(of) === 0 ? [] : [counted(sum(of), ...words)])),
    `${counted(sum("events"), "event")} of the activity log, of which only the last hash stays`,
  ];
  return (
    <ul className="mt-2 list-disc pl-5">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function Afterwards() {
  return (
    <p className="my-3 text-muted">
      Deleted memories that could still be restored go too. Agents find nothing with their very next
      request; what they have read already stays with them. Where your keys were used on profiles of
      other people, their activity logs keep your identifier. It is never given out again.
    </p>
  );
}

function Word({ word, what }: { word: string; what: string }) {
  return <Field name="word" label={`Type ${what}, ${word}`} exact required />;
}
