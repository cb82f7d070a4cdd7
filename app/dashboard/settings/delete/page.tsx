import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Card } from "@/app/_components/card";
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
          <Confirm title={`Delete profile ${didName(here.did)}`}>
            <Form action={deleteProfileAction} confirm={confirm} className="flex flex-col gap-4">
              <Word word={didName(here.did)} what="the handle" />
              <SubmitButton look="danger">Delete this profile now</SubmitButton>
            </Form>
          </Confirm>
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
        <Confirm title="Delete account">
          <Form action={deleteAccountAction} confirm={confirm} className="flex flex-col gap-4">
            <Word word={who.email} what="your e-mail address" />
            <SubmitButton look="danger">Delete my account now</SubmitButton>
          </Form>
        </Confirm>
      </Card>
    </>
  );
}

const kinds: [keyof Omit<Holdings, "events">, string, string?][] = [
  ["memories", "memory", "memories"],
  ["namedValues", "named value"],
  ["proposals", "proposal"],
  ["policies", "policy", "policies"],
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
    <p className="mt-3 text-muted">
      Deleted memories that could still be restored go too. Agents find nothing with their very next
      request; what they have read already stays with them. Where your keys were used on profiles of
      other people, their activity logs keep your identifier. It is never given out again.
    </p>
  );
}

// A <details>: it opens before scripts do.
function Confirm({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="group mt-4 open:rounded-box open:border open:border-danger/40 open:bg-danger-soft open:p-4">
      <summary className="inline-flex min-h-11 list-none items-center rounded-box border border-danger px-4 font-medium text-danger hover:bg-danger-soft group-open:mb-4">
        {title}…
      </summary>
      {children}
    </details>
  );
}

function Word({ word, what }: { word: string; what: string }) {
  return <Field name="word" label={`Type ${what}, ${word}`} exact required />;
}
