import type { Metadata } from "next";
import Link from "next/link";
import { Card } from "@/app/_components/card";
import { Field } from "@/app/_components/forms/field";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { LongField } from "@/app/_components/forms/long-field";
import { Seen } from "@/app/_components/forms/seen";
import { profileContext } from "@/lib/http/session/page";
import { versionOf } from "@/lib/services/profile-values/edit-common";
import { readOwnValues } from "@/lib/services/profile-values/read";
import {
  addPreferenceAction,
  changePreferenceAction,
  editJsonAction,
  removePreferenceAction,
  renameAction,
} from "./profile/actions";
import { ValueFields } from "./value-fields";
import { ValueRow } from "./value-row";

export const metadata: Metadata = { title: "Profile settings" };

const rowsMax = 15;

export default async function ProfileSettingsPage() {
  const { ctx, profile } = await profileContext();
  const { common } = await readOwnValues(ctx, profile);
  return (
    <>
      <Card title="Name">
        <Form key={`name ${profile.did}`} action={renameAction} className="flex flex-col gap-4">
          <Seen version={versionOf(common, { part: "displayName" })} />
          <Field
            name="displayName"
            label="Display name"
            initial={displayNameIn(common)}
            maxLength={100}
            required
            hint="Belongs to the sensitive category “identity”: no template opens that, only rules and grants of your own."
          />
          <SubmitButton>Save name</SubmitButton>
        </Form>
        <p className="mt-4 text-xs text-muted">
          Agents address this profile as{" "}
          <code className="font-mono break-all text-ink">{profile.did}</code>
        </p>
      </Card>
      <Preferences common={common} />
      <Card title="As JSON">
        <p className="text-muted">
          Everything that is common to all categories, as agents would get it. Named values stand on
          a page of their own.
        </p>
        <details className="group mt-3">
          <summary className="inline-flex min-h-10 list-none items-center rounded-box border border-edge px-4 font-medium hover:bg-sunken">
            <span className="group-open:hidden">Show and edit</span>
            <span className="hidden group-open:inline">Hide</span>
          </summary>
          <Form action={editJsonAction} className="mt-4 flex flex-col gap-4">
            <Seen version={versionOf(common, { part: "common" })} />
            <LongField
              name="json"
              label="Profile as JSON"
              initial={JSON.stringify(common, null, 2)}
              rows={18}
              spellCheck={false}
              className="font-mono"
              hint="One object, at most 64 KiB."
            />
            <SubmitButton>Save JSON</SubmitButton>
          </Form>
        </details>
      </Card>
    </>
  );
}

function Preferences({ common }: { common: Record<string, unknown> }) {
  const preferences = membersOf(common.preferences);
  return (
    <Card title="Preferences">
      <p className="text-muted">
        What any agent may need to serve you: language, units, tone. Your{" "}
        <Link
          href="/dashboard/access/policies"
          className="text-accent underline underline-offset-4"
        >
          policies
        </Link>{" "}
        say which agents may read them.
      </p>
      {preferences.length > 0 && (
        <ul className="mt-3 flex flex-col divide-y divide-line border-y border-line">
          {preferences.slice(0, rowsMax).map(([name, value]) => (
            <ValueRow
              key={name}
              name={name}
              value={value}
              version={versionOf(common, { part: "preference", name })}
              change={changePreferenceAction}
              remove={removePreferenceAction}
            >
              <input type="hidden" name="name" value={name} />
            </ValueRow>
          ))}
        </ul>
      )}
      {preferences.length > rowsMax && (
        <p className="mt-3 text-muted">
          The first {rowsMax} of {preferences.length}. The others stand in the JSON below.
        </p>
      )}
      <h3 className="mt-6 mb-3 font-semibold">Add a preference</h3>
      <Form action={addPreferenceAction} className="flex flex-col gap-4">
        <Field name="name" label="Name" spellCheck={false} maxLength={64} required />
        <ValueFields />
        <SubmitButton>Add preference</SubmitButton>
      </Form>
    </Card>
  );
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

function displayNameIn({ identity }: Record<string, unknown>): string {
  const [, name] = membersOf(identity).find(([member]) => member === "displayName") ?? [];
  return typeof name === "string" ? name : "";
}
