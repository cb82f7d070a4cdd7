import type { Metadata } from "next";
import { Card } from "@/app/_components/card";
import { CopyButton } from "@/app/_components/copy-button";
import { Field } from "@/app/_components/forms/fields/field";
import { Form, SubmitButton } from "@/app/_components/forms/form";
import { Seen } from "@/app/_components/forms/seen";
import { TextLink } from "@/app/_components/text-link";
import { categoryTitle } from "@/app/_components/words/category";
import { valueName } from "@/app/_components/words/value-name";
import { oneOf, type Query } from "@/lib/http/session/address/search-params";
import { profileContext } from "@/lib/http/session/page";
import { Category, commonMemberScope } from "@/lib/protocol/scope";
import { displayName, valueAt, versionOf } from "@/lib/services/profile-values/edit-common";
import { readOwnValues } from "@/lib/services/profile-values/read";
import { NewValueFields } from "./new-value-fields";
import { addPreferenceAction, saveProfileAction } from "./profile/actions";
import { SaveBar } from "./save-bar";
import { ValueGroups } from "./value-fields";
import { commonFormValues } from "./value-form";
import { ValueHistory } from "./value-history";
import { pageOfValues, ValuePages } from "./value-pages";

export const metadata: Metadata = { title: "Profile settings" };

const here = "/dashboard/settings";

export default async function ProfileSettingsPage({
  searchParams,
}: {
  searchParams: Promise<Query>;
}) {
  const { ctx, profile } = await profileContext();
  const { common } = await readOwnValues(ctx, profile);
  const page = pageOfValues(commonFormValues(common), oneOf((await searchParams).from));
  const keys = [displayName, ...page.values.map(({ at }) => at)];
  const name = valueAt(common, displayName);
  return (
    <>
      <Card title="About you">
        <Form
          key={profile.did}
          action={saveProfileAction}
          className="flex flex-col gap-5 *:max-w-180"
        >
          {/* Enter in a field saves. The first button of the values removes one. */}
          <button type="submit" hidden />
          <Seen version={versionOf(common, keys)} />
          <Field
            name="displayName"
            label="Display name"
            initial={typeof name === "string" ? name : ""}
            maxLength={100}
            required
            hint="Belongs to the sensitive category “identity”: no template opens that, only rules and grants of your own."
          />
          <ValueGroups values={page.values} title={memberTitle} />
          <SaveBar />
        </Form>
        <ValuePages page={page} here={here} />
        <p className="mt-5 border-t border-line pt-4 text-small text-muted">
          Agents address this profile as{" "}
          <code className="font-mono break-all text-ink">{profile.did}</code>{" "}
          <CopyButton text={profile.did} what="your identifier" />
        </p>
      </Card>
      <AddPreference />
      <ValueHistory ctx={ctx} did={profile.did} />
    </>
  );
}

function memberTitle(member: string): string {
  const scope = commonMemberScope(member);
  return Category.safeParse(scope).success ? categoryTitle(scope) : valueName(member);
}

function AddPreference() {
  return (
    <Card title="Add a preference">
      <p className="mb-4 text-muted">
        What any agent may need to serve you: language, units, tone. Your{" "}
        <TextLink href="/dashboard/access/policies">rules</TextLink> say which agents may read it.
      </p>
      <Form action={addPreferenceAction} className="flex max-w-180 flex-col gap-4">
        <Field name="name" label="Name" spellCheck={false} maxLength={64} required />
        <NewValueFields />
        <SubmitButton>Add preference</SubmitButton>
      </Form>
    </Card>
  );
}
